"""Record cassettes from the reference server or from a target.

Without --target, the reference server is started for the run.

A recording that does not do what its scenario exercises is rejected, and the old cassette is kept.

Example: conformance record --target groq --scenario weather --cassettes recordings
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import (
    CampaignOptions,
    CellOptions,
    FindingOptions,
    ReportOptions,
    behaviour_option,
)
from conformance.commands.common.options import group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    cells: CellOptions = group(CellOptions)
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    campaign: CampaignOptions = group(CampaignOptions)
    target: str | None = option(
        "--target", metavar="NAME", help="Target to record; default: the reference server, which needs no key."
    )
    cassettes: str = option(
        "--cassettes", setting=True, required=True, metavar="DIR", help="Folder to write cassettes to."
    )
    samples: int | None = option(
        "--samples",
        type=click.IntRange(1),
        metavar="N",
        help="Record each cell N times, into DIR/sample-1 to DIR/sample-N; `diff --new` compares such sets.",
    )
    behaviours: tuple[str, ...] = behaviour_option("the reference server")
