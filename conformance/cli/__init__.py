"""The command line: options only. Each command lives in `conformance.commands` and is imported when it is called."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import comparing, creating, crossing, judging, looking, proxying, recording, serving
from conformance.cli.group import Group
from conformance.model.version import VERSION

_HELP = ("-h", "--help")


@click.group(cls=Group, context_settings={"help_option_names": list(_HELP), "max_content_width": 100})
@click.version_option(VERSION, message="conformance %(version)s")
@click.option("--traceback", is_flag=True, help="On an error, also show the Python traceback.")
@click.pass_context
def app(ctx: click.Context, /, **_options: Any) -> None:
    """Conformance suite for the wire formats of LLM tool use.

    Checks what clients and providers send each other when a model calls tools: recorded, replayed or live.
    """
    from conformance.commands.config import defaults

    if ctx.invoked_subcommand is not None and not ctx.resilient_parsing and not set(_HELP) & set(sys.argv[1:]):
        ctx.default_map = defaults(ctx.invoked_subcommand)


for command in (
    recording.replay,
    recording.record,
    recording.run_,
    judging.check,
    judging.tools,
    comparing.diff,
    comparing.history,
    comparing.results,
    looking.list_,
    looking.explain,
    looking.show,
    looking.doctor,
    looking.config,
    serving.serve,
    proxying.proxy,
    crossing.gateway,
    creating.new,
):
    app.add_command(command)


def main() -> None:
    """The console script."""
    app(prog_name="conformance")
