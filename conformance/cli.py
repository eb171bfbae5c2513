"""The command line: arguments only. What a verb does lies in `conformance.commands`, imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from conformance import __version__
from conformance.errors import ConformanceError
from conformance.report import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])


class _Group(click.Group):
    """Shows our own errors as one line, with their exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ConformanceError as error:
            click.echo(f"conformance: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            # Whoever read our output has enough (`| head`); nothing is wrong, and nothing more can be said.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            click.echo(
                f"conformance: {error.strerror or error}; make room, or check what is read and written", err=True
            )
            ctx.exit(2)
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:  # noqa: BLE001 - our own fault: told as such, in one line
            click.echo(f"conformance: internal error: {type(error).__name__}: {error}; please report it", err=True)
            ctx.exit(3)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="conformance %(version)s")
def app() -> None:
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
def replay(**options: Any) -> None:
    """Replay cassettes offline: the SDKs act, the cassettes answer, everything is judged."""
    from conformance.commands.replay import run

    sys.exit(run(**options))


@app.command(
    short_help="Record cassettes from the reference server.",
    epilog="Example: conformance record --scenario weather --driver openai --cassettes cassettes",
)
@_filters
@_reports
@click.option("--cassettes", required=True, metavar="DIR", help="The folder to write cassettes to.")
def record(**options: Any) -> None:
    """Record cassettes from the reference server, which is started for it."""
    from conformance.commands.record import run

    sys.exit(run(**options))


@app.command(
    short_help="Judge recordings that exist already.",
    epilog="Example: conformance check recordings/ traffic.jsonl.gz --format json --output report.json",
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--dialect", default="auto", show_default=True, metavar="auto|NAME", help="Judge all as this dialect.")
@_reports
def check(**options: Any) -> None:
    """Judge recordings that exist: cassettes, HAR files, exchange JSONL; files or folders; - for standard input."""
    from conformance.commands.check import run

    sys.exit(run(**options))


@app.command(
    "list", short_help="List scenarios, cells and rules.", epilog="Example: conformance list --rules --dialect gemini"
)
@_filters
@click.option("--rules", is_flag=True, help="List the rules instead of the matrix.")
def list_(**options: Any) -> None:
    """List what there is: scenarios, dialects, drivers and the matrix of cells, or the rules."""
    from conformance.commands.listing import run

    sys.exit(run(**options))


@app.command(short_help="Explain a rule.", epilog="Example: conformance explain unanswered-tool-call")
@click.argument("rule")
def explain(rule: str) -> None:
    """Explain a rule: what holds, why it matters, the evidence, and an example that breaks it.

    RULE is a rule's id, or the number of a requirement (OAC-C-001).
    """
    from conformance.commands.explain import run

    sys.exit(run(rule))


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
def serve(port: int) -> None:
    """Start the reference server: it plays every scenario in every dialect to whoever asks, on loopback."""
    from conformance.commands.serve import run

    sys.exit(run(port))


def main() -> None:
    """The console script."""
    app(prog_name="conformance")
