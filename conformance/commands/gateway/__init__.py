"""Test a gateway from both sides, and compare what it gets with what it sends.

Act as its clients in one dialect, and as its upstream in another. Both legs are judged by their dialects, and
compared: lost, doubled or changed text, calls, ids, results, tools, settings, stop reasons, usage and errors, with and
without streaming. A table shows what each pair loses.

With a COMMAND, start the gateway with CONFORMANCE_UPSTREAM, OPENAI_BASE_URL, ANTHROPIC_BASE_URL,
GOOGLE_GEMINI_BASE_URL and the keys set, and stop it at the end.

Example: conformance gateway --base-url http://127.0.0.1:4000 --upstream-port 18960 --client-dialect openai-chat
--upstream-dialect anthropic-messages --model claude
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.groups import (
    FindingOptions,
    ReportOptions,
    ScenarioOptions,
    behaviour_option,
    command_argument,
    timeout_option,
)
from conformance.commands.common.options import Seconds, group, option


@dataclass(frozen=True, kw_only=True)
class Options:
    base_url: str = option("--base-url", "--url", metavar="URL", required=True, help="Where the gateway listens.")
    clients: tuple[str, ...] = option(
        "--client-dialect", multiple=True, required=True, metavar="NAME", help="Dialect of the clients; repeatable."
    )
    upstreams: tuple[str, ...] = option(
        "--upstream-dialect",
        multiple=True,
        required=True,
        metavar="NAME",
        help="Dialect that the gateway uses towards its upstream; repeatable.",
    )
    model: tuple[str, ...] = option(
        "--model",
        multiple=True,
        metavar="[[CLIENT:]UPSTREAM=]NAME",
        help="Name of the model that the gateway sends to an upstream dialect; default: the dialect's name; "
        "repeatable.",
    )
    header: tuple[str, ...] = option(
        "--header",
        multiple=True,
        metavar="[[CLIENT:]UPSTREAM=]'NAME: VALUE'",
        help="Header to send to the gateway; may contain $VARIABLE, and {upstream_url}; repeatable.",
    )
    path: tuple[str, ...] = option(
        "--path",
        multiple=True,
        metavar="DIALECT=PATH",
        help="Path at which the gateway takes a client dialect, if not the usual one: /responses; repeatable.",
    )
    api_key_env: str | None = option(
        "--api-key-env", metavar="VARIABLE", help="Environment variable that contains the gateway's API key."
    )
    upstream_port: int = option(
        "--upstream-port",
        type=click.IntRange(0, 65535),
        default=0,
        help="Port of the upstream, for all dialects; 0 picks a free one (only with COMMAND, which gets it in "
        "CONFORMANCE_UPSTREAM).",
    )
    cells: ScenarioOptions = group(ScenarioOptions)
    behaviours: tuple[str, ...] = behaviour_option("the upstream")
    timeout: float = timeout_option()
    start_timeout: float = option(
        "--start-timeout",
        type=Seconds(min_open=True),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Longest wait until COMMAND listens.",
    )
    save: str | None = option("--save", metavar="DIR", help="Save the exchanges of both legs to this folder, as JSONL.")
    report: ReportOptions = group(ReportOptions)
    findings: FindingOptions = group(FindingOptions)
    command: tuple[str, ...] = command_argument()
