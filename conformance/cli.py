"""The command line: options only. Each command lives in `conformance.commands` and is imported when it is called."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from conformance.cassette.stdout_guard import guarded_output
from conformance.errors import ConformanceError
from conformance.model import limits
from conformance.model.printable import visible
from conformance.model.version import VERSION
from conformance.report import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_DAY = 86_400
_HELP = ("-h", "--help")


def _shown(error: Exception) -> str:
    """The message of an error, with secrets redacted and what a terminal or a CI log would obey made visible."""
    from conformance.cassette.redact import shown

    return visible(shown(error.message if isinstance(error, click.ClickException) else str(error)))


def _place(error: OSError) -> str:
    """The file that an error is about, if it names one."""
    return f"{_shown(OSError(str(error.filename)))}: " if error.filename else ""


def _trace(ctx: click.Context) -> None:
    """With `--traceback`, prints the traceback of the error that is being handled, with its secrets redacted."""
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
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


class _Group(click.Group):
    """Shows our own errors as one line, below their traceback if `--traceback` is given, and exits with their code."""

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
            # The reader of our output stopped (`| head`): not an error, and there is nowhere to write to.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            _trace(ctx)
            click.echo(
                f"conformance: {_place(error)}{error.strerror or error}; check the path, permissions and free space",
                err=True,
            )
            ctx.exit(2)
        except click.ClickException as error:
            error.message = _shown(error)  # type: ignore[misc]
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except ModuleNotFoundError as error:
            _trace(ctx)
            click.echo(f"conformance: {_missing(ctx, error)}", err=True)
            ctx.exit(2)
        except RecursionError:
            # Readers and the judge expect it; what is left is a deep value in a report or a comparison.
            hint = "remove the exchange that has it"
            click.echo(f"conformance: a value in the input is nested too deeply to be shown; {hint}", err=True)
            ctx.exit(2)
        except Exception as error:  # noqa: BLE001 - our own fault: told as such, in one line
            _trace(ctx)
            if isinstance(error, ValueError) and "embedded null" in str(error):
                click.echo("conformance: a path contains a NUL character; remove it", err=True)
                ctx.exit(2)
            hint = "please report it, with the output of `conformance --traceback`"
            click.echo(f"conformance: internal error: {type(error).__name__}: {_shown(error)}; {hint}", err=True)
            ctx.exit(3)


def _missing(ctx: click.Context, error: ModuleNotFoundError) -> str:
    """A module that an extra installs.

    Raises:
        ModuleNotFoundError: it is another one.
    """
    from conformance.drivers.extras import EXTRAS, install_hint

    name = (error.name or "").partition(".")[0]
    if name not in EXTRAS:
        raise error
    return f"{ctx.invoked_subcommand or 'this command'} needs {name}, which is not installed; {install_hint(name)}"


@click.group(cls=_Group, context_settings={"help_option_names": list(_HELP), "max_content_width": 100})
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


class _Check(click.Command):
    """A command whose help lists the formats of recordings."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from conformance.inputs.formats import all_formats

        super().format_options(ctx, formatter)
        with formatter.section("Formats (docs/logs.md)"):
            formatter.write_dl([(each.name, each.title) for each in all_formats().values()])


def _scenarios(command: Command) -> Command:
    return click.option(
        "--scenarios",
        "scenario_folders",
        multiple=True,
        metavar="DIR",
        help="Folder of your own scenarios, in addition to the shipped ones; repeatable.",
    )(command)


def _filters(command: Command) -> Command:
    for option in (
        _scenarios,
        click.option("--stream/--no-stream", default=None, help="Only cells with, or only cells without, streaming."),
        click.option("--driver", "drivers", multiple=True, metavar="NAME", help="Run only this driver; repeatable."),
        click.option("--dialect", "dialects", multiple=True, metavar="NAME", help="Run only this dialect; repeatable."),
        click.option(
            "--scenario", "scenarios", multiple=True, metavar="ID", help="Run only this scenario; repeatable."
        ),
    ):
        command = option(command)
    return command


def _profiled(command: Command) -> Command:
    return click.option(
        "--profile",
        metavar="NAME|FILE",
        help="Judge as this provider, with a model generation if need be (google/up-to-2.5), or by a profile of your "
        "own; default: the provider that answers at the host.",
    )(command)


def _limited(command: Command) -> Command:
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


def _reports(command: Command) -> Command:
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


@app.command(
    short_help="Replay cassettes offline and check both sides.",
    epilog="Example: conformance replay --scenario weather --dialect gemini --stream",
)
@_filters
@_reports
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
def replay(**options: Any) -> None:
    """Replay cassettes offline: the SDKs send their requests, the cassettes answer, and both sides are checked."""
    versions, version_range = options.pop("versions"), options.pop("version_range")
    if versions or version_range:
        from conformance.commands.versions import run as compare

        sys.exit(compare(versions=versions, version_range=version_range, **options))
    from conformance.commands.replay import run

    sys.exit(run(**options))


def _targeted(command: Command) -> Command:
    for option in (
        click.option("--resume", is_flag=True, help="Continue an interrupted run."),
        click.option(
            "--max-wait",
            type=_Seconds(),
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
            type=_Seconds(min_open=True),
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


@app.command(
    short_help="Record cassettes from the reference server or from a target.",
    epilog="Example: conformance record --target groq --scenario weather --cassettes recordings",
)
@_filters
@_reports
@_targeted
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
def record(**options: Any) -> None:
    """Record cassettes from a target; without --target, from the reference server, which is started for the run.

    A recording that does not do what its scenario exercises is rejected, and the old cassette is kept.
    """
    from conformance.commands.record import run

    sys.exit(run(**options))


@app.command(
    "run",
    short_help="Run the scenarios against an endpoint and check it.",
    epilog="Example: conformance run --base-url http://127.0.0.1:8000 --dialect openai-chat --model NAME --samples 10",
)
@_filters
@_profiled
@_reports
@_targeted
@click.option("--target", multiple=True, metavar="NAME", help="Endpoint to test; repeat to compare several.")
@click.option("--samples", type=click.IntRange(1), metavar="N", help="Run each cell N times and report success rates.")
@click.option(
    "--fail-under",
    multiple=True,
    metavar="MEASURE=SHARE",
    help="With --samples, fail if a rate of a target is lower: success=0.9; repeatable.",
)
@click.option("--save", metavar="DIR", help="Save the recordings to this folder.")
def run_(**options: Any) -> None:
    """Run the scenarios against an endpoint and check both sides; shipped cassettes stay as they are.

    With --samples, expectations about the model become success rates with 95 % intervals. Rules still pass or fail.
    """
    from conformance.commands.run import run

    sys.exit(run(**options))


@app.command(
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
@_profiled
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of worker processes, at most one for each core.",
)
@_limited
@_reports
def check(**options: Any) -> None:
    """Check existing recordings and logs.

    PATH is a file or a folder; - reads standard input.
    """
    from conformance.commands.check import run

    sys.exit(run(**options))


class _Tools(click.Command):
    """A command whose arguments after `--` are those of a command to run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, rest = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        ctx.meta["command"] = tuple(rest)
        return super().parse_args(ctx, own)


@app.command(
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
@click.option("--timeout", type=_Seconds(min_open=True), default=60.0, show_default=True, help="Seconds for a server.")
@_reports
@click.pass_context
def tools(ctx: click.Context, /, **options: Any) -> None:
    """Say which providers accept tool definitions, and what is lost there.

    INPUT is a file with tool definitions in any provider's form, an MCP tools/list result or an OpenAPI document, the
    URL of one or of an MCP server, a Python object (module:function), a recording, or - for standard input. A command
    after -- starts an MCP server.

    Exits with 1 if a deciding profile refuses a tool.
    """
    from conformance.commands.tools import run

    sys.exit(run(**options, command=ctx.meta["command"]))


@app.command(
    short_help="Show what is installed, what can be driven, and what is set up.",
    epilog="Example: conformance doctor",
)
@click.option(
    "--scenarios", "scenario_folders", multiple=True, metavar="DIR", help="Also load these scenarios; repeatable."
)
@click.option("--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
def doctor(**options: Any) -> None:
    """Show versions, the clients that can be driven, configuration, folders, and which keys are set.

    It sends nothing, and shows no key. The exit code is 1 if there is a problem.
    """
    from conformance.commands.doctor import run

    sys.exit(run(**options))


@app.command(
    short_help="Compare two recordings and show what changed.",
    epilog="Example: conformance diff cassettes recordings --dialect openai-chat --format markdown --output drift.md",
)
@click.argument("paths", metavar="OLD [NEW]", nargs=-1, required=True, type=click.Path())
@_filters
@click.option(
    "--new",
    "new_sets",
    multiple=True,
    metavar="DIR",
    type=click.Path(),
    help="Folder of recordings of the new side; repeatable. All other paths are the old side, and sets are compared.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    metavar="SHARE",
    help="With --new: share of comparisons without a change that report none; default: 0.999.",
)
@click.option("--against-target", metavar="NAME", help="Record the new side now, from this target.")
@click.option("--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable.")
@click.option(
    "--model", multiple=True, metavar="[DIALECT=]NAME", help="Model to use instead of the target's default; repeatable."
)
@click.option(
    "--budget", metavar="AMOUNT", help="Stop recording after spending this much: 2.50 (US dollars) or 200000tokens."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for differences to review, too.")
@click.option("--output", metavar="FILE", help="Write the report to FILE instead of standard output.")
@click.option("--verbose", "-v", is_flag=True, help="Show noise in full, and the source of each grade.")
@click.option(
    "--format", "format_", type=click.Choice(("text", "json", "markdown", "html")), default="text", show_default=True
)
def diff(**options: Any) -> None:
    """Compare two recordings of the same scenarios: OLD and NEW are cassettes, or folders of cassettes.

    With --new, compare sets of recordings (`record --samples`, nights): only what shifts by more than it varies is
    reported.

    Each difference is noise (ids, times, wording), to be reviewed, or a change of behaviour, which fails. A difference
    in a request is the client's drift, one in a response the provider's.
    """
    from conformance.commands.diff import run

    sys.exit(run(**options))


@app.command(
    short_help="Show when a provider or a client changed, over many nights of recordings.",
    epilog="Example: conformance history nights --since 2026-11-01 --format html --output history.html",
)
@click.argument("folder", metavar="DIR", type=click.Path())
@_filters
@click.option("--since", metavar="DATE", help="Only changes that came or lasted after this date: 2026-11-01.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.99,
    show_default=True,
    metavar="SHARE",
    help="At least this share of the changes in a report are real.",
)
@click.option(
    "--keep",
    metavar="RULE",
    help="Delete the folders of nights that are not needed: 14d,8w,12m keeps 14 days, 8 weeks, 12 months and every "
    "night at which a change began or ended.",
)
@click.option("--dry-run", is_flag=True, help="With --keep, only say which folders would be deleted.")
@click.option("--output", metavar="FILE", help="Write the report to FILE instead of standard output.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "markdown", "html")),
    default="text",
    show_default=True,
)
def history(**options: Any) -> None:
    """Show each change in dated recordings: first and last night, between which nights, in which models and dialects.

    DIR has a folder of recordings for each night, named by its date (2026-11-22). Recordings without such a folder are
    dated by their metadata.
    """
    from conformance.commands.history import run

    sys.exit(run(**options))


@app.command(
    "list",
    short_help="List scenarios, cells, rules, profiles and cassettes.",
    epilog="Example: conformance list --cassettes recordings --max-age 90d",
)
@_filters
@click.option("--rules", is_flag=True, help="List the rules instead of the matrix.")
@click.option("--profiles", is_flag=True, help="List the profiles of providers instead of the matrix.")
@click.option(
    "--cassettes",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="List cassettes with their source and age; default DIR: the shipped ones.",
)
@click.option("--max-age", metavar="AGE", help="Exit with 1 if a cassette is older: 90d, 12w, 36h.")
@click.option(
    "--as-of",
    metavar="DATE",
    envvar="CONFORMANCE_AS_OF",
    help="Date to measure ages from; default: today, or CONFORMANCE_AS_OF.",
)
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_context
def list_(ctx: click.Context, /, **options: Any) -> None:
    """List scenarios, dialects, drivers and the matrix of cells; or the rules; or the cassettes."""
    from conformance.commands.listing import run

    if ctx.get_parameter_source("as_of") is ParameterSource.COMMANDLINE and not (
        options["cassettes"] is not None or options["max_age"]
    ):
        raise ConformanceError("--as-of works only with --cassettes or --max-age", "add --cassettes")
    sys.exit(run(**options))


@app.command(
    short_help="Explain a rule, a statement, or a refusal.",
    epilog="Example: conformance explain tool-call-unanswered",
)
@click.argument("what")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def explain(what: str, form: str) -> None:
    """Explain a rule: its statement, why it matters, an example that breaks it, and the contract with its evidence.

    WHAT is a rule's id, the number of a statement (OAC-C-001) or of a known bug (C01), a public thread
    (owner/repo#1), or the text of a provider's refusal, which finds the rules that it is about. A `-` reads
    the text from standard input.
    """
    from conformance.commands.explain import run

    sys.exit(run(what, form))


@app.command(
    short_help="Show a cassette as a conversation.",
    epilog="Example: conformance show cassettes/gemini/weather/reference--google-genai.yaml --wire",
)
@click.argument("cassette", type=click.Path())
@click.option("--wire", is_flag=True, help="Also show requests and responses as sent on the wire.")
@click.option("--events", is_flag=True, help="Show each stream event and what it adds: text, tool calls.")
def show(**options: Any) -> None:
    """Show a cassette as a readable conversation."""
    from conformance.commands.show import run

    sys.exit(run(**options))


@app.command(
    short_help="Start the reference server on loopback, and judge its clients.",
    epilog="Example: conformance serve -- node client.mjs",
)
@_scenarios
@_reports
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
    type=_Seconds(min_open=True),
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
def serve(**options: Any) -> None:
    """Start the reference server on loopback. It plays every scenario in every dialect, and judges each client.

    The report is written at the end (Ctrl-C or SIGTERM), and is live at /_conformance/. With a COMMAND, run that client
    with OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and the keys set, and exit by the verdict on it.

    A behaviour changes one thing in the responses, to show how a client or `conformance diff` reacts.
    """
    from conformance.commands.serve import run

    sys.exit(run(**options))


@app.group(
    short_help="Write a new scenario, or set up a project.", epilog="Example: conformance new scenario order-status"
)
def new() -> None:
    """Write a new scenario, or set up a project with scenarios of its own. No file is replaced."""


@new.command("scenario", epilog="Example: conformance new scenario order-status")
@click.argument("name")
@click.option("--folder", metavar="DIR", help="Folder to write to; default: the first of the settings, or scenarios.")
def new_scenario(**options: Any) -> None:
    """Write a commented scenario to start from, and its JSON Schema for editors."""
    from conformance.commands.new import scenario

    sys.exit(scenario(**options))


@new.command("project", epilog="Example: conformance new project && conformance record --scenario first-call")
def new_project() -> None:
    """Set up the current folder: a scenario, a folder of cassettes, the settings and a CI job."""
    from conformance.commands.new import project

    sys.exit(project())


@app.command(
    short_help="Show the settings in force, and where each comes from.",
    epilog="Example: conformance config --format json",
)
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
def config(**options: Any) -> None:
    """Show the settings in force: of [tool.conformance] in pyproject.toml, or of conformance.toml, or the defaults."""
    from conformance.commands.config import run

    sys.exit(run(**options))


def main() -> None:
    """The console script."""
    app(prog_name="conformance")
