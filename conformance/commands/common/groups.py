"""Options that several verbs share. They import nothing of what they choose, so that `--help` stays fast."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from conformance.commands.common.options import Seconds, argument, option
from conformance.model import limits
from conformance.report import FORMATS

if TYPE_CHECKING:
    from conformance.judge.selection import Selection
    from conformance.matrix.cells import Filter
    from conformance.report.verdicts import Display

_USUAL = limits.Limits()
_COUNT = click.IntRange(1, 1 << 30)


# Options of several verbs: each call makes a field, and may add attributes.
scenarios_option = partial(
    option,
    "--scenarios",
    setting=True,
    multiple=True,
    metavar="DIR",
    help="Folder of your own scenarios, in addition to the shipped ones; repeatable.",
)
profile_option = partial(
    option,
    "--profile",
    setting=True,
    metavar="NAME|FILE",
    help="Judge as this provider, with a model generation if need be (google/up-to-2.5), or by a profile of your "
    "own; default: the provider that answers at the host.",
)
timeout_option = partial(
    option,
    "--timeout",
    type=Seconds(min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Fail a request after this many seconds without data.",
)
output_option = partial(option, "--output", metavar="FILE", help="Write the report to FILE instead of standard output.")
text_or_json_option = partial(
    option, "--format", type=click.Choice(("text", "json")), default="text", show_default=True
)
drift_format_option = partial(text_or_json_option, type=click.Choice(("text", "json", "markdown", "html")))
command_argument = partial(argument, nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
port_option = partial(
    option, "--port", type=click.IntRange(0, 65535), default=0, help="Port to listen on; 0 chooses a free one."
)
allow_host_option = partial(
    option,
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Also take requests to this name, and from pages of it; by default, only those of loopback. Repeatable.",
)


def behaviour_option(server: str) -> Any:
    """`--behaviour` of a server of ours."""
    return option(
        "--behaviour",
        multiple=True,
        metavar="NAME",
        help=f"Make {server} misbehave in this way (`conformance serve --list` lists them); repeatable.",
    )


@dataclass(frozen=True, kw_only=True)
class ScenarioOptions:
    """Which cells of a dialect's matrix."""

    scenarios: tuple[str, ...] = option(
        "--scenario", multiple=True, metavar="ID", help="Run only this scenario; repeatable."
    )
    drivers: tuple[str, ...] = option(
        "--driver", multiple=True, metavar="NAME", help="Run only this driver; repeatable."
    )
    stream: bool | None = option(
        "--stream/--no-stream", default=None, help="Only cells with, or only cells without, streaming."
    )
    scenario_folders: tuple[str, ...] = scenarios_option()

    @property
    def filter(self) -> Filter:
        """The filter of cells."""
        from conformance.matrix.cells import Filter

        return Filter(self.scenarios, (), self.drivers, self.stream, self.scenario_folders)


@dataclass(frozen=True, kw_only=True)
class CellOptions(ScenarioOptions):
    """Which cells of the matrix."""

    dialects: tuple[str, ...] = option(
        "--dialect", multiple=True, metavar="NAME", help="Run only this dialect; repeatable."
    )

    @property
    def filter(self) -> Filter:
        """The filter of cells."""
        return replace(super().filter, dialects=self.dialects)


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """How findings are reported, and where."""

    format: str = option("--format", setting=True, type=click.Choice(FORMATS), default="text", show_default=True)
    verbose: bool = option(
        "--verbose",
        "-v",
        setting=True,
        is_flag=True,
        help="In text reports, show every finding in full, including infos.",
    )
    quiet: bool = option("--quiet", "-q", is_flag=True, help="In text reports, show only the verdict.")
    cause: int | None = option(
        "--cause",
        type=click.IntRange(1),
        metavar="N",
        help="With --format issue, the cause to report, by its number in the text report; default: the worst.",
    )
    output: str | None = output_option()

    @property
    def display(self) -> Display:
        """How a report is shown.

        Raises:
            ConformanceError: options contradict each other.
        """
        from conformance.report.verdicts import Display

        return Display(self.format, self.verbose, self.quiet, self.cause)


@dataclass(frozen=True, kw_only=True)
class FindingOptions:
    """Which findings count."""

    select: tuple[str, ...] = option(
        "--select", multiple=True, metavar="PREFIX,…", help="Run only rules whose id starts with PREFIX; repeatable."
    )
    ignore: tuple[str, ...] = option(
        "--ignore", multiple=True, metavar="PREFIX,…", help="Skip rules whose id starts with PREFIX; repeatable."
    )
    strict: bool = option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
    baseline: str | None = option("--baseline", metavar="FILE", help="File of accepted findings, each with a reason.")
    baseline_update: bool = option(
        "--baseline-update", is_flag=True, help="Add the findings that fail to the baseline, to be given a reason."
    )
    baseline_prune: bool = option(
        "--baseline-prune", is_flag=True, help="Remove the entries of the baseline that match no finding."
    )

    def selection(self) -> Selection:
        """The selection, with that of the project's settings. Prints the new ids of renamed rules to standard error.

        Raises:
            ConformanceError: a prefix matches no rule, or a file is invalid.
        """
        from conformance.judge.selection import chosen

        return chosen(
            self.select,
            self.ignore,
            strict=self.strict,
            baseline=self.baseline,
            baseline_update=self.baseline_update,
            baseline_prune=self.baseline_prune,
        )


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """How much is decompressed and judged."""

    max_body: int | None = option(
        "--max-body", type=_COUNT, metavar="N", help=f"Decompress no body to more MiB. [default: {_USUAL.body}]"
    )
    max_file: int | None = option(
        "--max-file",
        type=_COUNT,
        metavar="N",
        help=f"Decompress no more MiB of bodies in one file. [default: {_USUAL.file}]",
    )
    max_events: int | None = option(
        "--max-events", type=_COUNT, metavar="N", help=f"Judge no stream with more events. [default: {_USUAL.events}]"
    )

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Sets the limits for this process and its workers."""
        given = {
            limits.MAX_BODY: self.max_body,
            limits.MAX_FILE: self.max_file,
            limits.MAX_EVENTS: self.max_events,
        }
        before = dict(os.environ)
        os.environ.update({name: str(value) for name, value in given.items() if value is not None})
        try:
            yield
        finally:
            for name in given:
                if name in before:
                    os.environ[name] = before[name]
                else:
                    os.environ.pop(name, None)


@dataclass(frozen=True, kw_only=True)
class CampaignOptions:
    """Where requests are sent, how often, and for how much."""

    targets: tuple[str, ...] = option(
        "--targets", setting=True, multiple=True, metavar="FILE", help="File that defines more targets; repeatable."
    )
    name: str | None = option(
        "--name",
        metavar="NAME",
        help="Name of the target in reports and file names; default for --base-url: its host and port.",
    )
    base_url: str | None = option(
        "--base-url", metavar="URL", help="Endpoint to test that is not a known target; needs --dialect and --model."
    )
    model: tuple[str, ...] = option(
        "--model",
        multiple=True,
        metavar="[DIALECT=]NAME",
        help="Model to use instead of the target's default; repeatable.",
    )
    api_key_env: str | None = option(
        "--api-key-env", metavar="VARIABLE", help="Environment variable that contains the API key."
    )
    header: tuple[str, ...] = option(
        "--header",
        multiple=True,
        metavar="'NAME: VALUE'",
        help="Header to send with each request; may contain $VARIABLE; repeatable.",
    )
    timeout: float = timeout_option(setting=True)
    jobs: int = option(
        "--jobs",
        setting=True,
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Number of worker processes.",
    )
    attempts: int = option(
        "--attempts",
        setting=True,
        type=click.IntRange(1),
        default=3,
        show_default=True,
        help="Tries for each cell until the model does what the scenario exercises.",
    )
    budget: str | None = option(
        "--budget",
        setting=True,
        metavar="AMOUNT",
        help="Stop after spending this much: 2.50 (US dollars) or 200000tokens.",
    )
    max_wait: float = option(
        "--max-wait",
        setting=True,
        type=Seconds(),
        default=120.0,
        show_default=True,
        metavar="SECONDS",
        help="Longest Retry-After to wait for; a cell that has to wait longer is given up.",
    )
    resume: bool = option("--resume", is_flag=True, help="Continue an interrupted run.")
