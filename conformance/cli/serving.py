"""Commands that stand at the other side of a connection: `serve`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


@click.command(
    short_help="Start the reference server on loopback, and judge its clients.",
    epilog="Example: conformance serve -- node client.mjs",
)
@options.scenarios
@options.reports
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0 chooses a free one.")
@click.option(
    "--behaviour",
    "behaviours",
    multiple=True,
    metavar="NAME|all|faults",
    help="Make the server misbehave in this way; repeatable. With all or faults, run COMMAND once for each.",
)
@click.option("--cassette", metavar="FILE", help="Play the recorded conversations of this file instead of scenarios.")
@click.option(
    "--timeout",
    type=options.Seconds(min_open=True),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Longest run of COMMAND.",
)
@click.option(
    "--vary",
    metavar="SEED",
    help="Vary ids, wording, spelling, order, chunks, counts, times and optional fields as providers do; reproducible.",
)
@click.option("--list", "listing", is_flag=True, help="List the names that --behaviour takes, and exit.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def serve(**given: Any) -> None:
    """Start the reference server on loopback. It plays every scenario in every dialect, and judges each client.

    The report is written at the end (Ctrl-C or SIGTERM), and is live at /_conformance/. With a COMMAND, run that client
    with OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and the keys set, and exit by the verdict on it.

    A behaviour changes one thing in the responses, to show how a client or `conformance diff` reacts.
    """
    from conformance.commands.serve import run

    sys.exit(run(**given))
