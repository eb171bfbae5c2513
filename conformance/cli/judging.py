"""Commands that judge what users bring: `check`, `tools`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


class _Check(click.Command):
    """A command whose help lists the formats of recordings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from conformance.inputs.formats import all_formats

        super().format_options(ctx, formatter)
        with formatter.section("Formats (docs/logs.md)"):
            formatter.write_dl([(each.name, each.title) for each in all_formats().values()])


@click.command(
    cls=_Check,
    short_help="Check existing recordings and logs (vcrpy, HAR, JSONL, and more).",
    epilog="Example: conformance check recordings/ traffic.jsonl.gz --format json --output report.json",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--dialect",
    default="auto",
    show_default=True,
    metavar="auto|NAME",
    help="Dialect of the recordings; auto detects it for each exchange.",
)
@click.option(
    "--from",
    "from_",
    metavar="FORMAT",
    help="Format of the recordings; by default, the content of each file tells it.",
)
@options.profiled
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of worker processes, at most one for each core.",
)
@options.limited
@options.reports
def check(**given: Any) -> None:
    """Check existing recordings and logs.

    PATH is a file or a folder; - reads standard input.
    """
    from conformance.commands.check import run

    sys.exit(run(**given))


class _Tools(click.Command):
    """A command whose arguments after `--` are those of a command to run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, rest = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        ctx.meta["command"] = tuple(rest)
        return super().parse_args(ctx, own)


@click.command(
    cls=_Tools,
    short_help="Say which providers accept tool definitions, and what is lost.",
    epilog="Example: conformance tools tools.json --for google/3, or conformance tools -- npx -y @scope/server",
)
@click.argument("inputs", nargs=-1, metavar="INPUT... [-- COMMAND]")
@click.option("--from", "from_", metavar="FORM", help="Form of the input; by default, its content tells it.")
@click.option("--as", "sdk", metavar="SDK", help="SDK by which a Python function is read: google-genai, langchain, …")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="NAME",
    help="Provider to judge by (openai), or one of its variants (openai/chat-strict); repeatable; default: all.",
)
@click.option(
    "--for",
    "decisive",
    multiple=True,
    metavar="NAME",
    help="Provider or variant that decides the exit code; repeatable; default: those of --profile.",
)
@click.option("--header", "headers", multiple=True, metavar="NAME:VALUE", help="HTTP header for a URL; repeatable.")
@click.option(
    "--rewrite",
    metavar="NAME",
    help="Write the nearest definitions that this provider accepts (openai/chat-strict), and tell what was lost.",
)
@click.option("--portable", is_flag=True, help="The same, in one form for all providers of --profile and --for.")
@click.option(
    "--timeout", type=options.Seconds(min_open=True), default=60.0, show_default=True, help="Seconds for a server."
)
@options.reports
@click.pass_context
def tools(ctx: click.Context, /, **given: Any) -> None:
    """Say which providers accept tool definitions, and what is lost there.

    INPUT is a file with tool definitions in any provider's form, an MCP tools/list result or an OpenAPI document, the
    URL of one or of an MCP server, a Python object (module:function), a recording, or - for standard input. A command
    after -- starts an MCP server.

    Exits with 1 if a deciding profile refuses a tool.
    """
    from conformance.commands.tools import run

    sys.exit(run(**given, command=ctx.meta["command"]))
