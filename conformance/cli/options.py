"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from conformance.model import limits
from conformance.report import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_DAY = 86_400


class Seconds(click.FloatRange):
    """A number of seconds, a day at most."""

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, _DAY, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:  # NaN is in every range  # noqa: PLR0124
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


def scenarios(command: Command) -> Command:
    """`--scenarios`."""
    return click.option(
        "--scenarios",
        "scenario_folders",
        multiple=True,
        metavar="DIR",
        help="Folder of your own scenarios, in addition to the shipped ones; repeatable.",
    )(command)


def filters(command: Command) -> Command:
    """The options that choose cells, and `--scenarios`."""
    for option in (
        scenarios,
        click.option("--stream/--no-stream", default=None, help="Only cells with, or only cells without, streaming."),
        click.option("--driver", "drivers", multiple=True, metavar="NAME", help="Run only this driver; repeatable."),
        click.option("--dialect", "dialects", multiple=True, metavar="NAME", help="Run only this dialect; repeatable."),
        click.option(
            "--scenario", "scenarios", multiple=True, metavar="ID", help="Run only this scenario; repeatable."
        ),
    ):
        command = option(command)
    return command


def profiled(command: Command) -> Command:
    """`--profile`."""
    return click.option(
        "--profile",
        metavar="NAME|FILE",
        help="Judge as this provider, with a model generation if need be (google/up-to-2.5), or by a profile of your "
        "own; default: the provider that answers at the host.",
    )(command)


def limited(command: Command) -> Command:
    """The bounds on what is decompressed and judged."""
    usual = limits.Limits()
    for name, variable, default, text in (
        ("--max-events", limits.MAX_EVENTS, usual.events, "Judge no stream with more events."),
        ("--max-file", limits.MAX_FILE, usual.file, "Decompress no more MiB of bodies in one file."),
        ("--max-body", limits.MAX_BODY, usual.body, "Decompress no body to more MiB."),
    ):
        option = click.option(
            name,
            type=click.IntRange(1, 1 << 30),
            metavar="N",
            callback=partial(_limit, variable=variable),
            expose_value=False,
            help=f"{text} [default: {default}]",
        )
        command = option(command)
    return command


def _limit(ctx: click.Context, _: click.Parameter, value: int | None, *, variable: str) -> None:
    """Sets a limit for this process and its workers, until the command ends."""
    if value is None:
        return
    before = os.environ.get(variable)
    os.environ[variable] = str(value)
    ctx.call_on_close(partial(_restore, variable, before))


def _restore(variable: str, before: str | None) -> None:
    if before is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = before


def reports(command: Command) -> Command:
    """The options of every command that reports findings."""
    for option in (
        click.option(
            "--baseline-prune", is_flag=True, help="Remove the entries of the baseline that match no finding."
        ),
        click.option(
            "--baseline-update", is_flag=True, help="Add the findings that fail to the baseline, to be given a reason."
        ),
        click.option("--baseline", metavar="FILE", help="File of accepted findings, each with a reason."),
        click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too."),
        click.option(
            "--ignore", multiple=True, metavar="PREFIX", help="Skip rules whose id starts with PREFIX; repeatable."
        ),
        click.option(
            "--select", multiple=True, metavar="PREFIX", help="Run only rules whose id starts with PREFIX; repeatable."
        ),
        click.option("--output", metavar="FILE", help="Write the report to FILE instead of standard output."),
        click.option(
            "--cause",
            type=click.IntRange(1),
            metavar="N",
            help="With --format issue, the cause to report, by its number in the text report; default: the worst.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="In text reports, show only the verdict."),
        click.option(
            "--verbose", "-v", is_flag=True, help="In text reports, show every finding in full, including infos."
        ),
        click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True),
    ):
        command = option(command)
    return command


def targeted(command: Command) -> Command:
    """The options of commands that send requests to a target."""
    for option in (
        click.option("--resume", is_flag=True, help="Continue an interrupted run."),
        click.option(
            "--max-wait",
            type=Seconds(),
            default=120.0,
            show_default=True,
            metavar="SECONDS",
            help="Longest Retry-After to wait for; a cell that has to wait longer is given up.",
        ),
        click.option(
            "--budget", metavar="AMOUNT", help="Stop after spending this much: 2.50 (US dollars) or 200000tokens."
        ),
        click.option(
            "--attempts",
            type=click.IntRange(1),
            default=3,
            show_default=True,
            help="Tries for each cell until the model does what the scenario exercises.",
        ),
        click.option(
            "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Number of worker processes."
        ),
        click.option(
            "--timeout",
            type=Seconds(min_open=True),
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="Fail a request after this many seconds without data.",
        ),
        click.option(
            "--header",
            multiple=True,
            metavar="'NAME: VALUE'",
            help="Header to send with each request; may contain $VARIABLE; repeatable.",
        ),
        click.option("--api-key-env", metavar="VARIABLE", help="Environment variable that contains the API key."),
        click.option(
            "--model",
            multiple=True,
            metavar="[DIALECT=]NAME",
            help="Model to use instead of the target's default; repeatable.",
        ),
        click.option(
            "--base-url",
            metavar="URL",
            help="Endpoint to test that is not a known target; needs --dialect and --model.",
        ),
        click.option(
            "--name",
            metavar="NAME",
            help="Name of the target in reports and file names; default for --base-url: its host and port.",
        ),
        click.option("--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable."),
    ):
        command = option(command)
    return command
