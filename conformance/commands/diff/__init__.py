"""Compare two recordings and show what changed.

OLD and NEW are cassettes of the same scenarios, or folders of cassettes. With --new, compare sets of recordings
(`record --samples`, nights): only what shifts by more than it varies is reported.

Each difference is noise (ids, times, wording), to be reviewed, or a change of behaviour, which fails. A difference in a
request is the client's drift, one in a response the provider's.

Example: conformance diff cassettes recordings --dialect openai-chat --format markdown --output drift.md
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import CellOptions, drift_format_option, output_option
from conformance.commands.common.options import argument, group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    paths: tuple[str, ...] = argument(nargs=-1, required=True, type=click.Path(), metavar="OLD [NEW]")
    cells: CellOptions = group(CellOptions)
    new_sets: tuple[str, ...] = option(
        "--new",
        multiple=True,
        metavar="DIR",
        type=click.Path(),
        help="Folder of recordings of the new side; repeatable. All other paths are the old side, and sets are "
        "compared.",
    )
    confidence: float | None = option(
        "--confidence",
        type=click.FloatRange(0.5, 1, max_open=True),
        metavar="SHARE",
        help="With --new: probability of no false alarm; 0.999 is one in 1,000 comparisons. [default: 0.999]",
    )
    against_target: str | None = option(
        "--against-target", metavar="NAME", help="Record the new side now, from this target."
    )
    targets: tuple[str, ...] = option(
        "--targets", setting=True, multiple=True, metavar="FILE", help="File that defines more targets; repeatable."
    )
    model: tuple[str, ...] = option(
        "--model",
        multiple=True,
        metavar="[DIALECT=]NAME",
        help="Model to use instead of the target's default; repeatable.",
    )
    budget: str | None = option(
        "--budget",
        setting=True,
        metavar="AMOUNT",
        help="Stop recording after spending this much: 2.50 (US dollars) or 200000tokens.",
    )
    strict: bool = option("--strict", is_flag=True, help="Exit with 1 for differences to review, too.")
    output: str | None = output_option()
    verbose: bool = option("--verbose", "-v", is_flag=True, help="Show noise in full, and the source of each grade.")
    format: str = drift_format_option()
