"""The command line: arguments only. What a verb does lies in `conformance.commands`, imported when it is called."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from conformance.cassette.stdout_guard import guarded_output
from conformance.errors import ConformanceError
from conformance.model.version import VERSION
from conformance.report import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_DAY = 86_400


def _shown(error: Exception) -> str:
    """What an error says, without the secrets that it may quote."""
    from conformance.cassette.redact import shown

    return shown(error.message if isinstance(error, click.ClickException) else str(error))


def _place(error: OSError) -> str:
    """Which file it is about, where the error knows."""
    return f"{_shown(OSError(str(error.filename)))}: " if error.filename else ""


def _trace(ctx: click.Context) -> None:
    """With `--traceback`, where the error that is being handled comes from, without the secrets that it may quote."""
    from conformance.cassette.redact import shown

    if ctx.params.get("traceback"):
        click.echo(shown(traceback.format_exc()), err=True, nl=False)


class _Seconds(click.FloatRange):
    """A number of seconds, a day at most."""

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, _DAY, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:  # NaN is in every range  # noqa: PLR0124
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return seconds


class _Group(click.Group):
    """Shows our own errors as one line, with their exit code; with `--traceback`, where they come from as well."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with guarded_output():
                return super().invoke(ctx)
        except ConformanceError as error:
            _trace(ctx)
            click.echo(f"conformance: {_shown(error)}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("conformance: interrupted", err=True)
            ctx.exit(130)
        except BrokenPipeError:
            # Whoever read our output has enough (`| head`); nothing is wrong, and nothing more can be said.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            _trace(ctx)
            click.echo(
                f"conformance: {_place(error)}{error.strerror or error}; make room, or check what is read and written",
                err=True,
            )
            ctx.exit(2)
        except click.ClickException as error:
            error.message = _shown(error)  # type: ignore[misc]
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - our own fault: told as such, in one line
            _trace(ctx)
            hint = "please report it, with what --traceback shows"
            click.echo(f"conformance: internal error: {type(error).__name__}: {_shown(error)}; {hint}", err=True)
            ctx.exit(3)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="conformance %(version)s")
@click.option("--traceback", is_flag=True, help="On an error, also show the Python traceback.")
def app(**_options: Any) -> None:
    """The conformance suite for the wire formats of LLM tool use.

    Judges what clients and providers send each other when a model calls tools: recorded, replayed or live.
    """


def _filters(command: Command) -> Command:
    for option in (
        click.option("--stream/--no-stream", default=None, help="Only streamed cells, or only the others."),
        click.option("--driver", "drivers", multiple=True, metavar="NAME", help="Only this driver; repeatable."),
        click.option("--dialect", "dialects", multiple=True, metavar="NAME", help="Only this dialect; repeatable."),
        click.option("--scenario", "scenarios", multiple=True, metavar="ID", help="Only this scenario; repeatable."),
    ):
        command = option(command)
    return command


def _reports(command: Command) -> Command:
    for option in (
        click.option("--baseline", metavar="FILE", help="Findings that are accepted, each with its reason."),
        click.option("--strict", is_flag=True, help="Warnings count as errors do, for the exit code."),
        click.option("--ignore", multiple=True, metavar="PREFIX", help="Leave these rules out; repeatable."),
        click.option("--select", multiple=True, metavar="PREFIX", help="Only rules that begin so; repeatable."),
        click.option("--output", metavar="FILE", help="Write the report to a file instead of standard output."),
        click.option("--verbose", "-v", is_flag=True, help="In text, show every finding in full, infos as well."),
        click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True),
    ):
        command = option(command)
    return command


@app.command(
    short_help="Replay cassettes offline and judge everything.",
    epilog="Example: conformance replay --scenario weather --dialect gemini --stream",
)
@_filters
@_reports
@click.option("--cassettes", metavar="DIR", help="The folder of cassettes; by default those that ship.")
@click.option(
    "--target", default="reference", show_default=True, metavar="NAME", help="Whose cassettes, as `record` named them."
)
def replay(**options: Any) -> None:
    """Replay cassettes offline: the SDKs act, the cassettes answer, everything is judged."""
    from conformance.commands.replay import run

    sys.exit(run(**options))


def _targeted(command: Command) -> Command:
    for option in (
        click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped."),
        click.option(
            "--max-wait",
            type=_Seconds(),
            default=120.0,
            show_default=True,
            metavar="SECONDS",
            help="The longest that a busy provider may ask to wait.",
        ),
        click.option("--budget", metavar="AMOUNT", help="Stop when it is spent: 2.50 (dollars) or 200000tokens."),
        click.option(
            "--attempts",
            type=click.IntRange(1),
            default=3,
            show_default=True,
            help="How often a cell is tried until the model does what the scenario exercises.",
        ),
        click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes side by side."),
        click.option(
            "--timeout",
            type=_Seconds(min_open=True),
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="Give a request up when nothing has come for so long.",
        ),
        click.option(
            "--header",
            multiple=True,
            metavar="'NAME: VALUE'",
            help="Sent with each request; may hold $ENV; repeatable.",
        ),
        click.option("--api-key-env", metavar="VARIABLE", help="The environment variable that holds the key."),
        click.option(
            "--model", multiple=True, metavar="[DIALECT=]NAME", help="Instead of the target's own; repeatable."
        ),
        click.option("--base-url", metavar="URL", help="An endpoint that is not listed; say --dialect and --model."),
        click.option("--targets", multiple=True, metavar="FILE", help="A file with targets of your own; repeatable."),
    ):
        command = option(command)
    return command


@app.command(
    short_help="Record cassettes, from the reference server or from a target.",
    epilog="Example: conformance record --target groq --scenario weather --cassettes recordings",
)
@_filters
@_reports
@_targeted
@click.option("--target", metavar="NAME", help="Who is recorded; by default the reference server, which needs no key.")
@click.option("--cassettes", required=True, metavar="DIR", help="The folder to write cassettes to.")
@click.option(
    "--behaviour",
    "behaviours",
    multiple=True,
    metavar="NAME",
    help="How the reference server is to answer otherwise; `conformance serve --list` names them; repeatable.",
)
def record(**options: Any) -> None:
    """Record cassettes, from the reference server, which is started for it, or from a target.

    A recording that does not do what its scenario exercises is refused; the old cassette then stays.
    """
    from conformance.commands.record import run

    sys.exit(run(**options))


@app.command(
    "run",
    short_help="Drive an endpoint and judge it.",
    epilog="Example: conformance run --base-url http://127.0.0.1:8000 --dialect openai-chat --model NAME --samples 10",
)
@_filters
@_reports
@_targeted
@click.option("--target", multiple=True, metavar="NAME", help="Who is driven; repeat it to compare.")
@click.option("--samples", type=click.IntRange(1), metavar="N", help="Run each cell N times, and report rates.")
@click.option("--save", metavar="DIR", help="Keep the recordings in this folder.")
def run_(**options: Any) -> None:
    """Drive the clients against an endpoint and judge what happens; no cassette is touched.

    With --samples, what the scenarios expect of the model becomes rates with 95 % intervals; rules stay rules.
    """
    from conformance.commands.run import run

    sys.exit(run(**options))


@app.command(
    short_help="Judge recordings that exist already.",
    epilog="Example: conformance check recordings/ traffic.jsonl.gz --format json --output report.json",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--dialect", default="auto", show_default=True, metavar="auto|NAME", help="Judge all as this dialect.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Judge in so many processes.")
@_reports
def check(**options: Any) -> None:
    """Judge recordings that exist: cassettes, HAR files, exchange JSONL; files or folders; - for standard input."""
    from conformance.commands.check import run

    sys.exit(run(**options))


@app.command(
    short_help="Compare two recordings, and name what changed.",
    epilog="Example: conformance diff cassettes recordings --dialect openai-chat --format markdown --output drift.md",
)
@click.argument("old", metavar="OLD", type=click.Path())
@click.argument("new", metavar="[NEW]", required=False, type=click.Path())
@_filters
@click.option("--against-target", metavar="NAME", help="Record the new side now, from this target, and compare.")
@click.option("--targets", multiple=True, metavar="FILE", help="A file with targets of your own; repeatable.")
@click.option("--model", multiple=True, metavar="[DIALECT=]NAME", help="Instead of the target's own; repeatable.")
@click.option("--budget", metavar="AMOUNT", help="Stop recording when it is spent: 2.50 (dollars) or 200000tokens.")
@click.option("--strict", is_flag=True, help="What is to be reviewed fails, too.")
@click.option("--output", metavar="FILE", help="Write the report to a file instead of standard output.")
@click.option("--verbose", "-v", is_flag=True, help="Show noise in full, and what each grade rests on.")
@click.option("--format", "format_", type=click.Choice(("text", "json", "markdown")), default="text", show_default=True)
def diff(**options: Any) -> None:
    """Compare two recordings of the same scenarios: OLD and NEW are cassettes, or folders of cassettes.

    Each difference is noise (ids, times, wording), to be reviewed, or a change of behaviour, which fails. It says
    who drifted: a request is the client's, a response the provider's.
    """
    from conformance.commands.diff import run

    sys.exit(run(**options))


@app.command(
    "list",
    short_help="List scenarios, cells, rules and cassettes.",
    epilog="Example: conformance list --cassettes recordings --max-age 90d",
)
@_filters
@click.option("--rules", is_flag=True, help="List the rules instead of the matrix.")
@click.option(
    "--cassettes",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="List where cassettes come from and how old they are; without DIR those that ship.",
)
@click.option("--max-age", metavar="AGE", help="Fail when a cassette is older: 90d, 12w, 36h.")
@click.option(
    "--as-of",
    metavar="DATE",
    envvar="CONFORMANCE_AS_OF",
    help="The day that ages are told from, today by default; also CONFORMANCE_AS_OF.",
)
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_context
def list_(ctx: click.Context, /, **options: Any) -> None:
    """List what there is: scenarios, dialects, drivers and the matrix of cells; or the rules; or the cassettes."""
    from conformance.commands.listing import run

    if ctx.get_parameter_source("as_of") is ParameterSource.COMMANDLINE and not (
        options["cassettes"] is not None or options["max_age"]
    ):
        raise ConformanceError("--as-of is for the list of cassettes", "add --cassettes")
    sys.exit(run(**options))


@app.command(short_help="Explain a rule.", epilog="Example: conformance explain unanswered-tool-call")
@click.argument("rule")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def explain(rule: str, form: str) -> None:
    """Explain a rule: what holds, why it matters, the evidence, and an example that breaks it.

    RULE is a rule's id, or the number of a requirement (OAC-C-001).
    """
    from conformance.commands.explain import run

    sys.exit(run(rule, form))


@app.command(
    short_help="Show a cassette as a conversation.",
    epilog="Example: conformance show cassettes/gemini/weather/reference--google-genai.yaml --wire",
)
@click.argument("cassette", type=click.Path())
@click.option("--wire", is_flag=True, help="Also show the requests and responses as they were on the wire.")
@click.option("--events", is_flag=True, help="Show what each event of the answers says: text, calls, chunk by chunk.")
def show(**options: Any) -> None:
    """Show a cassette as the conversation that people read."""
    from conformance.commands.show import run

    sys.exit(run(**options))


@app.command(
    short_help="Start the reference server on loopback.",
    epilog="Example: conformance serve --port 8080, then point a client at http://127.0.0.1:8080",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; 0 takes any free one.")
@click.option("--behaviour", "behaviours", multiple=True, metavar="NAME", help="Answer otherwise so; repeatable.")
@click.option("--list", "listing", is_flag=True, help="List the behaviours that --behaviour takes, and start nothing.")
def serve(**options: Any) -> None:
    """Start the reference server: it plays every scenario in every dialect to whoever asks, on loopback.

    A behaviour changes one thing in its answers, to see what a client or `conformance diff` makes of it.
    """
    from conformance.commands.serve import run

    sys.exit(run(**options))


def main() -> None:
    """The console script."""
    app(prog_name="conformance")
