"""`conformance tools`: which providers accept tool definitions, and what is lost there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.commands.baseline import write_baseline
from conformance.commands.output import Display, destination, exit_code, selected
from conformance.errors import ConformanceError
from conformance.judge.selection import Selection
from conformance.report.json_report import JsonReport
from conformance.tools.causes import Cause
from conformance.tools.given import GivenTool
from conformance.tools.inputs import TIMEOUT_SECONDS, read_command, read_tools
from conformance.tools.result import ToolsResult, result_of


def run(
    *,
    inputs: Sequence[str],
    command: Sequence[str],
    from_: str | None,
    sdk: str | None,
    profiles: Sequence[str],
    decisive: Sequence[str],
    headers: Sequence[str],
    timeout: float = TIMEOUT_SECONDS,
    rewrite: str | None = None,
    portable: bool = False,
    format_: str,
    output: str | None,
    verbose: bool,
    quiet: bool,
    cause: int | None,
    **choice: Any,
) -> int:
    """Judges the tools of all inputs as one list, and reports what becomes of them at each profile.

    With `rewrite` or `portable`, it writes the nearest definitions that are accepted instead.
    """
    display = Display(format_, verbose, quiet, cause)
    selection = selected(**choice)
    tools = _read(inputs, command, from_=from_, sdk=sdk, headers=_headers(headers), timeout=timeout)
    if rewrite is not None or portable:
        if rewrite is not None and portable:
            raise ConformanceError("--rewrite and --portable exclude each other", "pass one of them")
        from conformance.commands.tools_rewrite import run as write

        named = list(dict.fromkeys([*profiles, *decisive]))
        return write(
            tools,
            profile=rewrite,
            named=named,
            format_=format_,
            output=output,
            inputs=inputs,
            verbose=verbose,
            quiet=quiet,
        )
    result = result_of(tools, profiles, decisive)
    with destination(output, inputs) as stream:
        return _report(result, display, selection, stream)


def _read(
    inputs: Sequence[str],
    command: Sequence[str],
    *,
    from_: str | None,
    sdk: str | None,
    headers: Mapping[str, str],
    timeout: float,
) -> list[GivenTool]:
    if not inputs and not command:
        raise ConformanceError("no input", "pass a file, a URL, module:function, or -- and a command")
    tools = [
        tool
        for each in inputs
        for tool in read_tools(each, form=from_, sdk=sdk, timeout=timeout, headers=headers or None)
    ]
    return [*tools, *(read_command(command, timeout=timeout) if command else ())]


def _headers(given: Sequence[str]) -> dict[str, str]:
    found = {}
    for each in given:
        name, colon, value = each.partition(":")
        if not colon or not name.strip():
            raise ConformanceError("--header is not NAME:VALUE", "write --header 'Authorization: Bearer …'")
        found[name.strip()] = value.strip()
    return found


def _report(result: ToolsResult, display: Display, selection: Selection, stream: Any) -> int:
    summary = result.summary()
    report = display.opened(stream)
    if isinstance(report.inner, JsonReport):
        report.inner.more = {"tools": result.as_json()}
    found = list(result.findings())
    told = [finding for finding in found if selection.keeps(finding)]
    dropped = {finding.message for finding in found} - {finding.message for finding in told}
    write_baseline(selection)
    told += selection.stale()
    for finding in told:
        summary.count(finding)
    if display.format == "text":
        _text(result, display, stream, dropped)
        return exit_code(summary, strict=selection.strict)
    try:
        for source in dict.fromkeys(tool.source for tool in result.tools):
            report.judged(source)
            for finding in told:
                if finding.source == source:
                    report.finding(finding)
    finally:
        report.close(summary)
    return exit_code(summary, strict=selection.strict)


def _text(result: ToolsResult, display: Display, stream: Any, dropped: set[str]) -> None:
    """The table and the causes, without secrets. `dropped` are the messages of findings that do not count."""
    from conformance.cassette.redact import shown
    from conformance.model.printable import encodable
    from conformance.report.console import wants_color
    from conformance.tools.text import lines_of, sums_of

    def keeps(cause: Cause) -> bool:
        return result.finding_of(cause).message not in dropped

    color = wants_color(stream)
    lines = lines_of(result.tools, result.judged, keeps=keeps, color=color, verbose=display.verbose)
    for line in (sums_of(result.tools, result.judged),) if display.quiet else lines:
        stream.write(encodable(shown(line), getattr(stream, "encoding", None)) + "\n")
