"""Commands that play scenarios: `replay`, `record`, `run`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


@click.command(
    short_help="Replay cassettes offline and check both sides.",
    epilog="Example: conformance replay --scenario weather --dialect gemini --stream",
)
@options.filters
@options.reports
@click.option("--cassettes", metavar="DIR", help="Folder of your own cassettes; default: the shipped ones.")
@click.option(
    "--target",
    default="reference",
    show_default=True,
    metavar="NAME",
    help="Target whose cassettes are replayed, by the name that `record` used.",
)
@click.option(
    "--with",
    "versions",
    multiple=True,
    metavar="REQUIREMENT",
    help="Replay with this version of a client ('openai==2.30'), in an environment of its own; repeat to compare.",
)
@click.option(
    "--with-range",
    "version_range",
    nargs=2,
    metavar="CLIENT RANGE",
    help="Find the first version of a client in a range (lowest..latest, 2.0..2.30) that behaves differently.",
)
def replay(**given: Any) -> None:
    """Replay cassettes offline: the SDKs send their requests, the cassettes answer, and both sides are checked."""
    versions, version_range = given.pop("versions"), given.pop("version_range")
    if versions or version_range:
        from conformance.commands.versions import run as compare

        sys.exit(compare(versions=versions, version_range=version_range, **given))
    from conformance.commands.replay import run

    sys.exit(run(**given))


@click.command(
    short_help="Record cassettes from the reference server or from a target.",
    epilog="Example: conformance record --target groq --scenario weather --cassettes recordings",
)
@options.filters
@options.reports
@options.targeted
@click.option("--target", metavar="NAME", help="Target to record; default: the reference server, which needs no key.")
@click.option("--cassettes", required=True, metavar="DIR", help="Folder to write cassettes to.")
@click.option(
    "--samples",
    type=click.IntRange(1),
    metavar="N",
    help="Record each cell N times, into DIR/sample-1 to DIR/sample-N; `diff --new` compares such sets.",
)
@click.option(
    "--behaviour",
    "behaviours",
    multiple=True,
    metavar="NAME",
    help="Make the reference server misbehave in this way (`conformance serve --list` lists them); repeatable.",
)
def record(**given: Any) -> None:
    """Record cassettes from a target; without --target, from the reference server, which is started for the run.

    A recording that does not do what its scenario exercises is rejected, and the old cassette is kept.
    """
    from conformance.commands.record import run

    sys.exit(run(**given))


@click.command(
    "run",
    short_help="Run the scenarios against an endpoint and check it.",
    epilog="Example: conformance run --base-url http://127.0.0.1:8000 --dialect openai-chat --model NAME --samples 10",
)
@options.filters
@options.profiled
@options.reports
@options.targeted
@click.option("--target", multiple=True, metavar="NAME", help="Endpoint to test; repeat to compare several.")
@click.option("--samples", type=click.IntRange(1), metavar="N", help="Run each cell N times and report success rates.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="MEASURE=SHARE",
    help="With --samples, fail if a rate of a target is lower: success=0.9; repeatable.",
)
@click.option("--save", metavar="DIR", help="Save the recordings to this folder.")
@click.option(
    "--tool",
    multiple=True,
    metavar="NAME",
    help="Tool of an MCP server to call; repeatable. Default: only tools that the server declares read-only.",
)
@click.option("--arguments", metavar="JSON", help="Arguments for the one --tool; default: made from its inputSchema.")
@click.option(
    "--revision", multiple=True, metavar="DATE", help="Protocol revision of an MCP server to test; repeatable."
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
def run_(**given: Any) -> None:
    """Run the scenarios against an endpoint and check both sides; shipped cassettes stay as they are.

    With --samples, expectations about the model become success rates with 95 % intervals. Rules still pass or fail.

    With --dialect mcp, it tests an MCP server, at --base-url or started by COMMAND, in each protocol revision.
    """
    from conformance.commands import run_mcp

    own = {name: given.pop(name) for name in ("command", "tool", "arguments", "revision")}
    if run_mcp.is_meant(given["dialects"], **own):
        del given["dialects"]
        sys.exit(run_mcp.run(**own, **given))
    from conformance.commands.run import run

    sys.exit(run(**given))
