"""`conformance tools --rewrite` and `--portable`: the nearest definitions that providers accept."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from conformance.commands.output import destination
from conformance.errors import ConformanceError
from conformance.judge.tool_variants import Variant, variants_called
from conformance.tools.given import GivenTool
from conformance.tools.result import chosen
from conformance.tools.rewriting import Rewritten, portable, rewrite
from conformance.tools.rewriting.show import as_json, is_refused, lines_of


def run(
    tools: Sequence[GivenTool],
    *,
    profile: str | None,
    named: Sequence[str],
    format_: str,
    output: str | None,
    inputs: Sequence[str],
    verbose: bool,
    quiet: bool,
) -> int:
    """Writes the definitions to standard output or a file, and what was lost to standard error.

    With `profile`, they are in its form; without, in one form for all `named` profiles.
    """
    if format_ not in ("text", "json"):
        raise ConformanceError(f"--format {format_} does not work with --rewrite and --portable", "use text or json")
    result = _portable(tools, named) if profile is None else rewrite(tools, _variant(profile, named))
    with destination(output, inputs) as stream:
        written = as_json(result) if format_ == "json" else list(result.definitions)
        stream.write(json.dumps(written, indent=2) + "\n")
    if not quiet and format_ == "text":
        _tell(result, verbose=verbose)
    return 1 if is_refused(result) else 0


def _tell(result: Rewritten, *, verbose: bool) -> None:
    from conformance.cassette.redact import shown

    for line in lines_of(result, verbose=verbose):
        click.echo(shown(line), err=True)


def _portable(tools: Sequence[GivenTool], named: Sequence[str]) -> Rewritten:
    if not named:
        raise ConformanceError("--portable needs the profiles", "name each with --profile or --for")
    return portable(tools, chosen(named))


def _variant(profile: str, named: Sequence[str]) -> Variant:
    """The one variant that a profile's name means.

    Raises:
        ConformanceError: it means several, or there is no such profile.
    """
    if named:
        raise ConformanceError("--rewrite names its profile itself", "remove --profile and --for")
    found = variants_called(profile)
    if len(found) > 1:
        names = ", ".join(each.full_name for each in found)
        raise ConformanceError(f"{profile} takes tools in several ways", f"choose one of {names}")
    return found[0]
