"""Check existing recordings and logs (vcrpy, HAR, JSONL, and more).

PATH is a file or a folder; - reads standard input.

Example: conformance check recordings/ traffic.jsonl.gz --format json --output report.json
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import FindingOptions, LimitOptions, ReportOptions, profile_option
from conformance.commands.common.options import argument, group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    paths: tuple[str, ...] = argument(nargs=-1, required=True, metavar="PATH...")
    dialect: str = option(
        "--dialect",
        setting=True,
        default="auto",
        show_default=True,
        metavar="auto|NAME",
        help="Dialect of the recordings; auto detects it for each exchange.",
    )
    input_format: str | None = option(
        "--from", metavar="FORMAT", help="Format of the recordings; by default, it is recognized by the content."
    )
    profile: str | None = profile_option()
    jobs: int = option(
        "--jobs",
        "-j",
        setting=True,
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Number of worker processes, at most one for each core.",
    )
    limits: LimitOptions = group(LimitOptions)
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)


def more_help() -> tuple[str, list[tuple[str, str]]]:
    """The formats of recordings."""
    from conformance.inputs.formats import all_formats

    return "Formats (docs/logs.md)", [(each.name, each.title) for each in all_formats().values()]
