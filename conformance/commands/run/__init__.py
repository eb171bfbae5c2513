"""Run the scenarios against an endpoint and check it.

Both sides are checked; shipped cassettes stay as they are.

With --samples, expectations about the model become success rates with 95 % intervals. Rules still pass or fail.

With --dialect mcp, it tests an MCP server, at --base-url or started by COMMAND, in each protocol revision.

Example: conformance run --base-url http://127.0.0.1:8000 --dialect openai-chat --model NAME --samples 10
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import (
    CampaignOptions,
    CellOptions,
    FindingOptions,
    ReportOptions,
    command_argument,
    profile_option,
)
from conformance.commands.common.options import group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    cells: CellOptions = group(CellOptions)
    profile: str | None = profile_option()
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    campaign: CampaignOptions = group(CampaignOptions)
    target: tuple[str, ...] = option(
        "--target", multiple=True, metavar="NAME", help="Endpoint to test; repeat to compare several."
    )
    samples: int | None = option(
        "--samples", type=click.IntRange(1), metavar="N", help="Run each cell N times and report success rates."
    )
    fail_under: tuple[str, ...] = option(
        "--fail-under",
        multiple=True,
        metavar="MEASURE=SHARE",
        help="With --samples, fail if a rate of a target is lower: success=0.9; repeatable.",
    )
    save: str | None = option("--save", metavar="DIR", help="Save the recordings to this folder.")
    tool: tuple[str, ...] = option(
        "--tool",
        multiple=True,
        metavar="NAME",
        help="Tool of an MCP server to call; repeatable. Default: only tools that the server declares read-only.",
    )
    arguments: str | None = option(
        "--arguments",
        metavar="JSON|@FILE",
        help="Arguments for the one --tool, or @FILE with those of each tool by name; default: made from inputSchema.",
    )
    revision: tuple[str, ...] = option(
        "--revision", multiple=True, metavar="DATE", help="Protocol revision of an MCP server to test; repeatable."
    )
    command: tuple[str, ...] = command_argument()
