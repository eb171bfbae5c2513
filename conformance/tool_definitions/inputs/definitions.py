"""Finds the tool definitions of a document: a single one, a list, or the `tools` of a request or a result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance.errors import ConformanceError
from conformance.model import pointer as pointers
from conformance.model.pointer import join
from conformance.model.tool_entry import Form
from conformance.model.transcript import ToolDefinition
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.forms import form_of

_LISTS = ("tools", "functions", "functionDeclarations", "function_declarations")
"""The members of a document that have tool definitions."""
_HOLDERS = ("toolConfig", "tool_config", "result", "params", "request", "body", "config")
"""The members that may hold one of those: Bedrock's configuration, a JSON-RPC result, a request of a log."""
_DEEPEST = 4
_FORMS = "`conformance tools --help` lists the forms"


@dataclass(frozen=True, slots=True)
class _Place:
    """A value where a tool definition is expected. `declared`: whether it stands in a list of tools."""

    value: Any
    pointer: str
    declared: bool


def has_definitions(document: Any) -> bool:
    """Whether a document looks like tool definitions: its first entry is one, or it has a list of tools."""
    first = next(_places(document, "", declared=False, depth=0), None)
    return first is not None and (
        first.declared or (isinstance(first.value, dict) and form_of(first.value) is not None)
    )


def definitions(document: Any, source: str, *, form: Form | None = None, tolerant: bool = False) -> list[GivenTool]:
    """The tools of a document, in order. With `form`, each entry must have this form.

    With `tolerant`, an entry that is no tool definition becomes a tool of kind `unknown`.

    Raises:
        ConformanceError: an entry is no tool definition; the text has its JSON pointer.
    """
    found: list[GivenTool] = []
    for place in _places(document, "", declared=False, depth=0):
        try:
            found += _given(place, document, source, form)
        except ConformanceError:
            if not tolerant:
                raise
            unknown = ToolDefinition(None, kind="unknown", pointer=place.pointer)
            found.append(GivenTool(unknown, "unknown", source, place.value))
    return found


def _given(place: _Place, document: Any, source: str, wanted: Form | None) -> Iterator[GivenTool]:
    entry = place.value
    where = f"{source}: {place.pointer or 'the document'}"
    if not isinstance(entry, dict):
        raise ConformanceError(f"{where} is not a tool definition but {_brief(entry)}", _FORMS)
    form = wanted or form_of(entry)
    if form is None and place.declared and _is_hosted(entry):
        kind = entry["type"]
        yield GivenTool(ToolDefinition(kind, kind=kind, pointer=place.pointer), "unknown", source, entry)
        return
    if form is None:
        raise ConformanceError(f"{where} is not a tool definition in a known form: {_brief(entry)}", _hint(entry))
    if wanted is not None and not wanted.claims(entry):
        other = form_of(entry)
        hint = f"pass --from {other.name}, or leave --from out" if other else _FORMS
        raise ConformanceError(f"{where} is not a tool definition of the form {wanted.name}: {_brief(entry)}", hint)
    for tool in form.read(entry, place.pointer):
        yield GivenTool(tool, form.name, source, pointers.get(document, tool.pointer))


def _is_hosted(entry: dict[str, Any]) -> bool:
    """Whether an entry of a list of tools is a hosted tool of a type that is not known yet."""
    kind = entry.get("type")
    return (
        isinstance(kind, str)
        and kind not in ("function", "custom", "object")
        and not entry.keys()
        & {
            "function",
            "parameters",
            "input_schema",
            "inputSchema",
        }
    )


def _places(value: Any, pointer: str, *, declared: bool, depth: int) -> Iterator[_Place]:
    """The places of a document where tool definitions are expected."""
    if isinstance(value, list) and depth < _DEEPEST:
        for number, each in enumerate(value):
            yield from _places(each, join(pointer, number), declared=declared, depth=depth + 1)
    elif isinstance(value, dict) and depth < _DEEPEST and (form_of(value) is None):
        lists = [key for key in _LISTS if isinstance(value.get(key), (list, dict))]
        for key in lists:
            inner = value[key]
            for number, each in enumerate(inner if isinstance(inner, list) else [inner]):
                at = join(pointer, key, number) if isinstance(inner, list) else join(pointer, key)
                yield from _declared(each, at, depth + 1)
        yield from _loaded(value, pointer, depth)
        holders = [key for key in _HOLDERS if isinstance(value.get(key), dict) and _holds(value[key])]
        for key in holders:
            yield from _places(value[key], join(pointer, key), declared=False, depth=depth + 1)
        if not lists and not holders:
            yield _Place(value, pointer, declared)
    else:
        yield _Place(value, pointer, declared)


def _declared(each: Any, pointer: str, depth: int) -> Iterator[_Place]:
    """The places of an entry of a list of tools, which may be a list of tools again."""
    if isinstance(each, dict) and form_of(each) is None and "name" not in each and _holds(each):
        yield from _places(each, pointer, declared=True, depth=depth)
    else:
        yield _Place(each, pointer, declared=True)


def _loaded(value: dict[str, Any], pointer: str, depth: int) -> Iterator[_Place]:
    """The tools that items of a Responses request add to it."""
    items = value.get("input")
    for number, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict) and item.get("type") in ("additional_tools", "tool_search_output"):
            yield from _places(item, join(pointer, "input", number), declared=True, depth=depth + 1)


def _holds(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(key), (list, dict)) for key in (*_LISTS, *_HOLDERS))


def _hint(entry: dict[str, Any]) -> str:
    if isinstance(entry.get("function"), dict):
        return '`type` must be "function"'
    if entry.get("type") == "object" or "properties" in entry:
        return "a JSON Schema needs a `title` or a `name` to be a tool"
    if entry.keys() & {"parameters", "input_schema", "inputSchema"} and "name" not in entry:
        return "add `name`"
    return _FORMS


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:79]}…"
