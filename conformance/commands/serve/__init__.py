"""Start the reference server on loopback, and judge its clients.

It plays every scenario in every dialect. The report is written at the end (Ctrl-C or SIGTERM), and is live at
/_conformance/. With a COMMAND, run that client with OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and the
keys set, and exit by the verdict on it.

A behaviour changes one thing in the responses, to show how a client or `conformance diff` reacts.

Example: conformance serve -- node client.mjs
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import (
    FindingOptions,
    ReportOptions,
    allow_host_option,
    command_argument,
    port_option,
    scenarios_option,
)
from conformance.commands.common.options import Seconds, group, option

ALL, FAULTS = "all", "faults"
"""In place of a behaviour's name: run the client once for each; or for each of those that clients must withstand."""


@dataclass(frozen=True, kw_only=True)
class Options:
    scenarios: tuple[str, ...] = scenarios_option()
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    port: int = port_option()
    allow_host: tuple[str, ...] = allow_host_option()
    behaviours: tuple[str, ...] = option(
        "--behaviour",
        multiple=True,
        metavar=f"NAME|{ALL}|{FAULTS}",
        help="Make the server misbehave in this way; repeatable. With all or faults, run COMMAND once for each.",
    )
    cassette: str | None = option(
        "--cassette", metavar="FILE", help="Play the recorded conversations of this file instead of scenarios."
    )
    timeout: float = option(
        "--timeout",
        type=Seconds(min_open=True),
        default=120.0,
        show_default=True,
        metavar="SECONDS",
        help="Longest run of COMMAND.",
    )
    vary: str | None = option(
        "--vary",
        metavar="SEED",
        help="Vary ids, wording, spelling, order, chunks, counts, times and optional fields as providers do; "
        "reproducible.",
    )
    listing: bool = option("--list", is_flag=True, help="List the names that --behaviour takes, and exit.")
    command: tuple[str, ...] = command_argument()
