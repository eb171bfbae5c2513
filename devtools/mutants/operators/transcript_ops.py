"""Faults in the calls that a model writes as text: their JSON broken, their members wrong, their names unknown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from devtools.mutants.embedded_text import Span, Spot, dumped, spots
from devtools.mutants.operator import Fault, operator
from devtools.mutants.operators.members import other_type
from devtools.mutants.operators.tokens import fault
from devtools.mutants.subject import Subject

_TWINS = {"arguments": "parameters", "parameters": "arguments"}
_NAMED = re.compile(
    r"(?<=<function=)[^<>]+(?=>)|(?<=^Action: )[^\n]+|(?<=#E\d = )\w+(?=\[)|\w+(?=\.call\()", re.MULTILINE
)
_PYTHON = re.compile(r"\.call\(query=(\".*?\")\)", re.DOTALL)


def _calls(subject: Subject) -> Iterator[tuple[Spot, Span, Any]]:
    """The JSON of the calls in the model's reply and in its earlier turns."""
    for spot in spots(subject):
        if spot.said and not any(turn.calls for turn in subject.inner.replies):
            continue
        for span, value in spot.values():
            speaker = span.label.startswith(("reply", "assistant", "Action"))
            if speaker and isinstance(value, dict):
                yield spot, span, value


def _each(subject: Subject, change: Callable[[Any], Iterator[tuple[str, str]]]) -> Iterator[Fault]:
    for spot, span, value in _calls(subject):
        for label, text in change(value):
            yield fault(spot, Span(span.start, span.end, f"{span.label}{label}"), text)


def _callish(value: Any) -> Any:
    """The object that names the tool: the value itself, or the one inside it."""
    inner = value.get("function_call")
    return inner if isinstance(inner, dict) else value


def _around(value: Any, call: dict[str, Any]) -> str:
    return dumped({**value, "function_call": call} if _callish(value) is not value else call)


@operator("broken-call", inner=True)
def broken_call(subject: Subject) -> Iterator[Fault]:
    """The JSON of a call is broken: a bracket missing, a comma too many, the quotes of Python."""

    def change(value: Any) -> Iterator[tuple[str, str]]:
        text = dumped(value)
        yield "/bracket", text[:-1]
        yield "/comma", f"{text[:-1]},}}"
        yield "/quotes", text.replace('"', "'")
        yield "/array", f"[{text}]"
        yield "/text", dumped(text)

    yield from _each(subject, change)


@operator("drop-member", inner=True)
def drop_member(subject: Subject) -> Iterator[Fault]:
    """A call lacks its name or its arguments."""

    def change(value: Any) -> Iterator[tuple[str, str]]:
        call = _callish(value)
        for key in call if "name" in call else ():
            yield f"/{key}", _around(value, {each: call[each] for each in call if each != key})

    yield from _each(subject, change)


@operator("rename-member", inner=True)
def rename_member(subject: Subject) -> Iterator[Fault]:
    """A member of a call has another name: `parameters` for `arguments`."""

    def change(value: Any) -> Iterator[tuple[str, str]]:
        call = _callish(value)
        for key in call if "name" in call else ():
            other = _TWINS.get(key, f"{key}_")
            yield f"/{key}", _around(value, {other if each == key else each: call[each] for each in call})

    yield from _each(subject, change)


@operator("retype-member", inner=True)
def retype_member(subject: Subject) -> Iterator[Fault]:
    """The name or the arguments of a call are of another type, null, or JSON text."""

    def change(value: Any) -> Iterator[tuple[str, str]]:
        call = _callish(value)
        for key, member in call.items() if "name" in call else ():
            for other in (None, other_type(member), dumped(member)) if isinstance(member, dict) else (None, 7, ""):
                yield f"/{key}", _around(value, {**call, key: other})

    yield from _each(subject, change)


@operator("unknown-name", inner=True)
def unknown_name(subject: Subject) -> Iterator[Fault]:
    """The call names an undeclared tool."""

    def change(value: Any) -> Iterator[tuple[str, str]]:
        call = _callish(value)
        if isinstance(call.get("name"), str):
            yield "/name", _around(value, {**call, "name": f"{call['name']}_other"})

    yield from _each(subject, change)
    for spot, span in _names(subject):
        yield fault(spot, span, f"{spot.text[span.start : span.end]}_other")


@operator("empty-name", inner=True)
def empty_name(subject: Subject) -> Iterator[Fault]:
    """A call whose name is outside its JSON has no name."""
    for spot, span in _names(subject):
        yield fault(spot, span, "")


def _names(subject: Subject) -> Iterator[tuple[Spot, Span]]:
    for spot in spots(subject):
        if spot.said:
            for match in _NAMED.finditer(spot.text):
                yield spot, Span(match.start(), match.end(), "reply/name")


@operator("spoken-argument", inner=True)
def spoken_argument(subject: Subject) -> Iterator[Fault]:
    """An argument that the tool requires is missing, renamed, or of another type."""
    if not any(turn.calls for turn in subject.inner.replies):
        return
    required = {
        name
        for tool in subject.inner.ask.tools or ()
        if isinstance(tool.parameters, dict)
        for name in tool.parameters.get("required") or ()
    }
    for spot in spots(subject):
        for span, value in spot.values() if spot.said else ():
            call = _callish(value) if isinstance(value, dict) else {}
            holder = next((key for key in ("arguments", "parameters") if isinstance(call.get(key), dict)), None)
            arguments = call[holder] if holder and "name" in call else call
            for name in sorted(required.intersection(arguments)):
                for label, changed in _wrong(arguments, name):
                    text = _around(value, {**call, holder: changed}) if holder and "name" in call else dumped(changed)
                    yield fault(spot, Span(span.start, span.end, f"reply/argument/{label}"), text)


def _wrong(arguments: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "missing", {key: arguments[key] for key in arguments if key != name}
    yield "renamed", {f"{key}_" if key == name else key: arguments[key] for key in arguments}
    yield "type", {**arguments, name: other_type(arguments[name])}


@operator("python-call", inner=True)
def python_call(subject: Subject) -> Iterator[Fault]:
    """A call in Python syntax does not match the grammar."""
    for spot in spots(subject):
        for match in _PYTHON.finditer(spot.text) if spot.said else ():
            span = Span(match.start(), match.end(), "reply/python")
            for new in (
                f".run(query={match[1]})",
                f".call(q={match[1]})",
                f".call({match[1]})",
                ".call()",
                f".call(query={match[1]}",
                f".call(query={match[1][:-1]})",
                f".call(query='{match[1][1:-1]}')",
            ):
                yield fault(spot, span, new)


@operator("cut-reply", inner=True)
def cut_reply(subject: Subject) -> Iterator[Fault]:
    """The model's text ends within its call, but the stop reason is not truncation."""
    for spot in spots(subject):
        if spot.said and any(turn.calls and turn.stop == "tool-calls" for turn in subject.inner.replies):
            half = len(spot.text) - len(spot.text) // 4
            yield fault(spot, Span(half, len(spot.text), "reply/half"), "")
