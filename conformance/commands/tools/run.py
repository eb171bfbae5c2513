"""`conformance tools`: which providers accept tool definitions, and what is lost there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.commands.common.baseline import write_baseline
from conformance.commands.common.output import destination, exit_code
from conformance.commands.tools import Options
from conformance.commands.tools.rewrite import write
from conformance.errors import ConformanceError
from conformance.judge.selection import Selection
from conformance.report.json_report import JsonReport
from conformance.report.verdicts import Display
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs import read_command, read_tools
from conformance.tool_definitions.problem_causes import Cause
from conformance.tool_definitions.result import ToolsResult, result_of


def run(options: Options) -> int:
    """Judges the tools of all inputs as one list, and reports what becomes of them at each profile.

    With `--rewrite` or `--portable`, it writes the nearest definitions that are accepted instead.
    """
    display = options.report.display
    selection = options.findings.selection()
    tools = _read(options)
    if options.rewrite is not None or options.portable:
        return write(tools, options)
    result = result_of(tools, options.profiles, options.decisive)
    with destination(options.report.output, options.inputs) as stream:
        return _report(result, display, selection, stream)


def _read(options: Options) -> list[GivenTool]:
    headers, timeout = _headers(options.headers), options.timeout
    if not options.inputs and not options.command:
        raise ConformanceError("no input", "pass a file, a URL, module:function, or -- and a command")
    tools = [
        tool
        for each in options.inputs
        for tool in read_tools(each, form=options.form, sdk=options.sdk, timeout=timeout, headers=headers or None)
    ]
    return [*tools, *(read_command(options.command, timeout=timeout) if options.command else ())]


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
    summary.selection = selection
    report = display.opened(stream)
    if isinstance(report.inner, JsonReport):
        report.inner.more = {"tools": result.as_json()}
    found = list(result.findings())
    kept = [finding for finding in found if selection.keeps(finding)]
    dropped = {finding.message for finding in found} - {finding.message for finding in kept}
    write_baseline(selection)
    kept += selection.stale()
    for finding in kept:
        summary.count(finding)
    if display.format == "text":
        _text(result, display, stream, dropped)
        return exit_code(summary, strict=selection.strict)
    try:
        for source in dict.fromkeys(tool.source for tool in result.tools):
            report.judged(source)
            for finding in kept:
                if finding.source == source:
                    report.finding(finding)
    finally:
        report.close(summary)
    return exit_code(summary, strict=selection.strict)


def _text(result: ToolsResult, display: Display, stream: Any, dropped: set[str]) -> None:
    """The table and the causes, without secrets. `dropped` are the messages of findings that do not count."""
    from conformance.cassette.redact import shown
    from conformance.report.console import put, wants_color
    from conformance.tool_definitions.text import lines_of, sums_of

    def keeps(cause: Cause) -> bool:
        return result.finding_of(cause).message not in dropped

    color = wants_color(stream)
    lines = lines_of(result.tools, result.judged, keeps=keeps, color=color, verbose=display.verbose)
    for line in (sums_of(result.tools, result.judged),) if display.quiet else lines:
        put(stream, f"{shown(line)}\n")
