"""Commands about both sides of a program between client and provider: `gateway`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


@click.command(
    short_help="Test a gateway from both sides, and compare what it gets with what it sends.",
    epilog="Example: conformance gateway --base-url http://127.0.0.1:4000 --upstream-port 18960 "
    "--client-dialect openai-chat --upstream-dialect anthropic-messages --model claude",
)
@click.option("--base-url", "--url", metavar="URL", required=True, help="Where the gateway listens.")
@click.option(
    "--client-dialect",
    "clients",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Dialect of the clients; repeatable.",
)
@click.option(
    "--upstream-dialect",
    "upstreams",
    multiple=True,
    required=True,
    metavar="NAME",
    help="Dialect that the gateway uses towards its upstream; repeatable.",
)
@click.option(
    "--model",
    multiple=True,
    metavar="[[CLIENT:]UPSTREAM=]NAME",
    help="Name of the model that the gateway sends to an upstream dialect; default: the dialect's name; repeatable.",
)
@click.option(
    "--header",
    multiple=True,
    metavar="[[CLIENT:]UPSTREAM=]'NAME: VALUE'",
    help="Header to send to the gateway; may contain $VARIABLE, and {upstream_url}; repeatable.",
)
@click.option("--api-key-env", metavar="VARIABLE", help="Environment variable that contains the gateway's API key.")
@click.option(
    "--upstream-port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of the upstream, for all dialects; 0 chooses a free one, which only a COMMAND can be told.",
)
@click.option("--scenario", "scenarios", multiple=True, metavar="ID", help="Run only this scenario; repeatable.")
@click.option("--driver", "drivers", multiple=True, metavar="NAME", help="Run only this driver; repeatable.")
@click.option("--stream/--no-stream", default=None, help="Only cells with, or only cells without, streaming.")
@options.scenarios
@click.option(
    "--behaviour",
    "behaviours",
    multiple=True,
    metavar="NAME",
    help="Make the upstream misbehave in this way (`conformance serve --list` lists them); repeatable.",
)
@click.option(
    "--timeout",
    type=options.Seconds(min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Fail a request after this many seconds without data.",
)
@click.option(
    "--start-timeout",
    type=options.Seconds(min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Longest wait until COMMAND listens.",
)
@click.option("--save", metavar="DIR", help="Save the exchanges of both legs to this folder, as JSONL.")
@options.reports
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def gateway(**given: Any) -> None:
    """Test a gateway: act as its clients in one dialect, and as its upstream in another.

    Both legs are judged by their dialects, and compared: lost, doubled or changed text, calls, ids, results, tools,
    settings, stop reasons, usage and errors, with and without streaming. A table shows what each pair loses.

    With a COMMAND, start the gateway with CONFORMANCE_UPSTREAM, OPENAI_BASE_URL, ANTHROPIC_BASE_URL,
    GOOGLE_GEMINI_BASE_URL and the keys set, and stop it at the end.
    """
    from conformance.commands.gateway import run

    sys.exit(run(**given))
