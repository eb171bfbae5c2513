"""Say which providers accept tool definitions, and what is lost.

INPUT is a file with tool definitions in any provider's form, an MCP tools/list result or an OpenAPI document, the URL
of one or of an MCP server, a Python object (module:function), a recording, or - for standard input. A command after --
starts an MCP server.

Exits with 1 if a deciding profile refuses a tool.

Example: conformance tools tools.json --for google/3, or conformance tools -- npx -y @scope/server
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import FindingOptions, ReportOptions
from conformance.commands.common.options import Seconds, argument, following, group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    inputs: tuple[str, ...] = argument(nargs=-1, metavar="INPUT... [-- COMMAND]")
    command: tuple[str, ...] = following()
    form: str | None = option(
        "--from", metavar="FORM", help="Form of the input; by default, it is recognized by the content."
    )
    sdk: str | None = option(
        "--as", metavar="SDK", help="SDK by which a Python function is read: google-genai, langchain, …"
    )
    profiles: tuple[str, ...] = option(
        "--profile",
        multiple=True,
        metavar="NAME",
        help="Provider to judge by (openai), or one of its variants (openai/chat-strict); repeatable; default: all, "
        "without strict modes and earlier versions.",
    )
    decisive: tuple[str, ...] = option(
        "--for",
        multiple=True,
        metavar="NAME",
        help="Provider or variant that decides the exit code; repeatable; default: those of --profile.",
    )
    headers: tuple[str, ...] = option(
        "--header", multiple=True, metavar="NAME:VALUE", help="HTTP header for a URL; repeatable."
    )
    rewrite: str | None = option(
        "--rewrite",
        metavar="NAME",
        help="Write the nearest definitions that this provider accepts (openai/chat-strict), and list what was lost.",
    )
    portable: bool = option(
        "--portable", is_flag=True, help="The same, in one form for all providers of --profile and --for."
    )
    timeout: float = option(
        "--timeout", type=Seconds(min_open=True), default=60.0, show_default=True, help="Seconds for a server."
    )
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
