"""`conformance show --markup`: the tool calls in the text of a model, as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.common.options import given
from conformance.commands.common.output import destination
from conformance.commands.show import Options
from conformance.dialects.text.markup import Call, Event, Fault, Markup, names, opened_before
from conformance.errors import ConformanceError
from conformance.inputs import opening
from conformance.model.printable import visible
from conformance.model.transcript import Reasoning, Text
from conformance.report.console import put

_OTHERS = {"cause": "--cause", "wire": "--wire", "events": "--events", "format": "--format", "input_format": "--from"}


def show_markup(options: Options) -> int:
    """Prints the calls of a text, what else it holds, and what is broken in it: then, the exit code is 1.

    Raises:
        ConformanceError: the options contradict each other, or the text or the definitions cannot be read.
    """
    if options.markup is None:
        raise ConformanceError("--tools needs --markup", f"name the markup of the text: {', '.join(names())}")
    for name, option in _OTHERS.items():
        if given(name):
            raise ConformanceError(f"--markup and {option} exclude each other", "pass one of them")
    Markup(options.markup)  # an unknown name is reported before anything is read
    tools, text = _tools(options.tools), _text(options.path)
    reader = Markup(options.markup, tools=tools, thinking=opened_before(options.markup, text))
    found = document(options.markup, [*reader.feed(text), *reader.finish()])
    with destination(options.output, [each for each in (options.path, options.tools) if each]) as stream:
        shown = Redactor(known_secrets()).text(json.dumps(found, ensure_ascii=False, indent=2))
        for line in shown.replace("\x7f", "\\u007f").split("\n"):
            put(stream, f"{visible(line)}\n")
    return 1 if found["faults"] else 0


def document(markup: str, events: Iterable[Event]) -> dict[str, Any]:
    """What the events say, as one JSON document."""
    all_events = list(events)

    def joined(kind: type[Text | Reasoning]) -> str:
        return "".join(each.text or "" for each in all_events if isinstance(each, kind)).strip()

    return {
        "markup": markup,
        "calls": [_call(each) for each in all_events if isinstance(each, Call)],
        "text": joined(Text),
        "reasoning": joined(Reasoning),
        "faults": [_fault(each) for each in all_events if isinstance(each, Fault)],
    }


def _call(call: Call) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": call.name, "arguments": call.arguments}
    if call.id is not None:
        shown["id"] = call.id
    shown |= {"line": call.line, "column": call.column}
    return {**shown, "read_as": call.read_as} if call.read_as else shown


def _fault(fault: Fault) -> dict[str, Any]:
    shown = {"message": fault.message, "line": fault.line, "column": fault.column, "cut": fault.cut}
    return {**shown, "call": fault.name} if fault.name is not None else shown


def _text(path: str) -> str:
    if path == "-":
        stream = sys.stdin.buffer if sys.stdin else None
        data = stream.read() if stream else b""
    else:
        with opening.opened(path) as file:
            data = opening.whole(file, path)
    name = "standard input" if path == "-" else path
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConformanceError(f"{name}: is not UTF-8 at byte {error.start}", "pass the text of a model") from None
    if not text.strip():
        raise ConformanceError(f"{name}: is empty", "pass the text of a model")
    return text


def _tools(path: str | None) -> Mapping[str, Any]:
    """The schemas of the parameters of each tool."""
    if path is None:
        return {}
    from conformance.tool_definitions.inputs import read_tools

    return {each.definition.name: each.definition.parameters for each in read_tools(path) if each.definition.name}
