"""Commands that only show something: `list`, `explain`, `show`, `doctor`, `config`."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.core import ParameterSource

from conformance.cli import options
from conformance.errors import ConformanceError


@click.command(
    "list",
    short_help="List scenarios, cells, rules, profiles and cassettes.",
    epilog="Example: conformance list --cassettes recordings --max-age 90d",
)
@options.filters
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
def list_(ctx: click.Context, /, **given: Any) -> None:
    """List scenarios, dialects, drivers and the matrix of cells; or the rules; or the cassettes."""
    from conformance.commands.listing import run

    if ctx.get_parameter_source("as_of") is ParameterSource.COMMANDLINE and not (
        given["cassettes"] is not None or given["max_age"]
    ):
        raise ConformanceError("--as-of works only with --cassettes or --max-age", "add --cassettes")
    sys.exit(run(**given))


@click.command(
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


@click.command(
    short_help="Show a cassette as a conversation.",
    epilog="Example: conformance show cassettes/gemini/weather/reference--google-genai.yaml --wire",
)
@click.argument("cassette", type=click.Path())
@click.option("--wire", is_flag=True, help="Also show requests and responses as sent on the wire.")
@click.option("--events", is_flag=True, help="Show each stream event and what it adds: text, tool calls.")
def show(**given: Any) -> None:
    """Show a cassette as a readable conversation."""
    from conformance.commands.show import run

    sys.exit(run(**given))


@click.command(
    short_help="Show what is installed, what can be driven, and what is set up.",
    epilog="Example: conformance doctor",
)
@click.option(
    "--scenarios", "scenario_folders", multiple=True, metavar="DIR", help="Also load these scenarios; repeatable."
)
@click.option("--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable.")
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
def doctor(**given: Any) -> None:
    """Show versions, the clients that can be driven, configuration, folders, and which keys are set.

    It sends nothing, and shows no key. The exit code is 1 if there is a problem.
    """
    from conformance.commands.doctor import run

    sys.exit(run(**given))


@click.command(
    short_help="Show the settings in force, and where each comes from.",
    epilog="Example: conformance config --format json",
)
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", show_default=True)
def config(**given: Any) -> None:
    """Show the settings in force: of [tool.conformance] in pyproject.toml, or of conformance.toml, or the defaults."""
    from conformance.commands.config import run

    sys.exit(run(**given))
