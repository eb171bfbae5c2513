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
class EngineOptions:
    """How conversations are told apart, which are judged, and by what (docs/scale.md)."""

    engine: str = option(
        "--engine",
        type=click.Choice(("local", "ray")),
        default="local",
        show_default=True,
        help="Judge in this process and its workers, or in a cluster of Ray.",
    )
    ray_address: str | None = option(
        "--ray-address",
        metavar="ADDRESS",
        help="The cluster of Ray; by default, one on this machine, of --jobs workers.",
    )
    findings: str | None = option(
        "--findings", metavar="DIR", help="With --engine ray, write findings and what was not judged to DIR as Parquet."
    )
    resume: bool = option("--resume", is_flag=True, help="Judge only what --findings DIR does not have yet.")
    group_by: str | None = option(
        "--group-by",
        metavar="MEMBER|repeats",
        help="Tell conversations apart by a member of each record, in all files (metadata.session_id), or by the first "
        "turn, which requests repeat; by default, by `conversation` in each file.",
    )
    sample_rate: float = option(
        "--sample-rate",
        type=click.FloatRange(0, 1, min_open=True),
        default=1.0,
        metavar="SHARE",
        help="Judge only this share of the conversations, the same ones each time.",
    )


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
    engine: EngineOptions = group(EngineOptions)
    limits: LimitOptions = group(LimitOptions)
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)


def more_help() -> tuple[str, list[tuple[str, str]]]:
    """The formats of recordings."""
    from conformance.inputs.formats import all_formats

    return "Formats (docs/logs.md)", [(each.name, each.title) for each in all_formats().values()]
