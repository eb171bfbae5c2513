"""`conformance tools --rewrite` and `--portable`: the nearest definitions that providers accept."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from conformance.cassette.redact import shown
from conformance.commands.common.options import given
from conformance.commands.common.output import destination
from conformance.commands.tools import Options
from conformance.errors import ConformanceError
from conformance.profiles.tool_variants import Variant, variants_called
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.result import chosen
from conformance.tool_definitions.rewriting import Rewritten, portable, rewrite
from conformance.tool_definitions.rewriting.show import as_json, is_refused, lines_of


def write(tools: Sequence[GivenTool], options: Options) -> int:
    """Writes the definitions to standard output or a file, and what was lost to standard error.

    With `--rewrite`, they are in the form of its profile; with `--portable`, in one form for all named profiles.

    Raises:
        ConformanceError: options contradict each other, or there is no such profile.
    """
    if options.rewrite is not None and options.portable:
        raise ConformanceError("--rewrite and --portable exclude each other", "pass one of them")
    report = options.report
    if given("format") and report.format not in ("text", "json"):
        raise ConformanceError(
            f"--format {report.format} does not work with --rewrite and --portable", "use text or json"
        )
    named = list(dict.fromkeys([*options.profiles, *options.decisive]))
    result = _portable(tools, named) if options.rewrite is None else rewrite(tools, _variant(options.rewrite, named))
    with destination(report.output, options.inputs) as stream:
        written = as_json(result) if report.format == "json" else list(result.definitions)
        stream.write(json.dumps(written, indent=2) + "\n")
    if not report.quiet and report.format != "json":
        for line in lines_of(result, verbose=report.verbose):
            click.echo(shown(line), err=True)
    return 1 if is_refused(result) else 0


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
