"""Show when a provider or a client changed, over many nights of recordings.

For each change: first and last night, between which nights, in which models and dialects.

DIR has a folder of recordings for each night, named by its date (2026-11-22). Recordings without such a folder are
dated by their metadata. Or DIR has findings in Parquet (check --findings): then it shows how often each rule is
violated by day, dialect, provider, model and client, and what changed.

Example: conformance history nights --since 2026-11-01 --format html --output history.html
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import CellOptions, drift_format_option, output_option
from conformance.commands.common.options import argument, group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    folder: str = argument(metavar="DIR", type=click.Path())
    cells: CellOptions = group(CellOptions)
    since: str | None = option(
        "--since", metavar="DATE", help="Only changes that came or lasted after this date: 2026-11-01."
    )
    precision: float = option(
        "--precision",
        type=click.FloatRange(0.5, 1, max_open=True),
        default=0.99,
        show_default=True,
        metavar="SHARE",
        help="Share of the reported changes that are real, at least: one minus the rate of false discoveries.",
    )
    keep: str | None = option(
        "--keep",
        metavar="RULE",
        help="Delete the folders of nights that are not needed: 14d,8w,12m keeps 14 days, 8 weeks, 12 months and every "
        "night at which a change began or ended.",
    )
    dry_run: bool = option("--dry-run", is_flag=True, help="With --keep, only name the folders that would be deleted.")
    strict: bool = option("--strict", is_flag=True, help="Exit with 1 if a change could not be found in so few.")
    output: str | None = output_option()
    format: str = drift_format_option()
