"""Forward to a server unchanged, record what passes, and judge both sides.

The requests to a server and its responses are forwarded byte for byte.

With --upstream, listen on loopback. A COMMAND is then the client: run it with OPENAI_BASE_URL, ANTHROPIC_BASE_URL and
GOOGLE_GEMINI_BASE_URL set, and exit by the verdict when it ends. Without a COMMAND, forward until Ctrl-C or SIGTERM.

Without --upstream, COMMAND is an MCP server over standard input and output, and this command takes its place in the
configuration of a client.

The report is written at the end, and is live at /_conformance/report.json.

Example: conformance proxy --upstream https://api.openai.com --save recordings -- python agent.py
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import (
    FindingOptions,
    LimitOptions,
    ReportOptions,
    allow_host_option,
    command_argument,
    port_option,
    profile_option,
)
from conformance.commands.common.options import group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    upstream: str | None = option(
        "--upstream",
        metavar="URL",
        help="Base URL of the server. Its path is put before the path of each request.",
    )
    save: str | None = option(
        "--save", "--cassettes", metavar="DIR", help="Record a cassette for each conversation into this folder."
    )
    port: int = port_option()
    allow_host: tuple[str, ...] = allow_host_option()
    dialect: str = option(
        "--dialect",
        setting=True,
        default="auto",
        show_default=True,
        metavar="NAME",
        help="Dialect of all exchanges.",
    )
    profile: str | None = profile_option()
    limits: LimitOptions = group(LimitOptions)
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    command: tuple[str, ...] = command_argument()
