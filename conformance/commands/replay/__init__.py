"""Replay cassettes offline and check both sides.

The SDKs send their requests, and the cassettes answer.

Example: conformance replay --scenario weather --dialect gemini --stream
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import CellOptions, FindingOptions, ReportOptions
from conformance.commands.common.options import group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    cells: CellOptions = group(CellOptions)
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    cassettes: str | None = option(
        "--cassettes", setting=True, metavar="DIR", help="Folder of your own cassettes; default: the shipped ones."
    )
    target: str = option(
        "--target",
        default="reference",
        show_default=True,
        metavar="NAME",
        help="Target whose cassettes are replayed, by the name that `record` used.",
    )
    versions: tuple[str, ...] = option(
        "--with",
        multiple=True,
        metavar="REQUIREMENT",
        help="Replay with this version of a client ('openai==2.30'), in an environment of its own; repeat to compare.",
    )
    version_range: tuple[str, str] | None = option(
        "--with-range",
        nargs=2,
        metavar="CLIENT RANGE",
        help="Find the first version of a client in a range (lowest..latest, 2.0..2.30) that behaves differently.",
    )
