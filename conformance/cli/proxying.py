"""The command that stands between two programs: `proxy`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


@click.command(
    short_help="Forward to a server unchanged, record what passes, and judge both sides.",
    epilog="Example: conformance proxy --upstream https://api.openai.com --save recordings -- python agent.py",
)
@options.reports
@options.limited
@options.profiled
@click.option("--dialect", default="auto", show_default=True, metavar="NAME", help="Dialect of all exchanges.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0 chooses a free one.")
@click.option(
    "--save", "--cassettes", "save", metavar="DIR", help="Record a cassette for each conversation into this folder."
)
@click.option(
    "--upstream",
    metavar="URL",
    help="Base URL of the server. Its path is put before the path of each request.",
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def proxy(**given: Any) -> None:
    """Forward requests to a server and its responses back, byte for byte. Record them, and judge client and server.

    With --upstream, listen on loopback. A COMMAND is then the client: run it with OPENAI_BASE_URL, ANTHROPIC_BASE_URL
    and GOOGLE_GEMINI_BASE_URL set, and exit by the verdict when it ends. Without a COMMAND, forward until Ctrl-C or
    SIGTERM.

    Without --upstream, COMMAND is an MCP server over standard input and output, and this command takes its place in the
    configuration of a client.

    The report is written at the end, and is live at /_conformance/report.json.
    """
    from conformance.commands.proxy import run

    sys.exit(run(**given))
