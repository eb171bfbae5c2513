"""Compares the tool definitions of a request on both legs, and their schemas keyword by keyword."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from conformance.gateway.loss import Difference, Differences, Places, Way
from conformance.model.jsontext import canonical
from conformance.model.pointer import get, join
from conformance.model.transcript import ToolDefinition

Change = tuple[Literal["dropped", "changed", "unexpected"], str, Any, Any]
"""What happened to the keyword at a pointer: its value before, and its value after."""

_UNORDERED = ("required", "enum", "type")
_ABSENT = object()
_USUAL = ("type", "properties", "required", "$schema", "$defs")
"""Keywords that mean nothing new if they are added with their empty value, or name the language."""
_CONSTRAINTS = frozenset({"type", "properties", "required", "enum", "items"})
"""Keywords that every dialect accepts, and that decide which arguments are valid."""
_DEFINITIONS = ("$defs", "definitions")
_DEEPEST = 8
_CHANGES = {"dropped": "is lost", "changed": "is changed", "unexpected": "is new"}


def tool_differences(way: Way, one: Sequence[ToolDefinition], other: Sequence[ToolDefinition]) -> Differences:
    """Tools that are lost, renamed or added, and what is lost of the others."""
    ours, theirs = ([tool for tool in tools if tool.kind == "function"] for tools in (one, other))
    by_name = {tool.name: tool for tool in theirs}
    new = [tool for tool in theirs if tool.name not in {tool.name for tool in ours}]
    for number, tool in enumerate(ours):
        found = by_name.get(tool.name)
        if found is None:
            at_its_place = theirs[number] if len(theirs) == len(ours) else None
            found = _renamed(tool, new, at_its_place)
            if found is None:
                what = f"the tool '{tool.name}' is lost"
                yield Difference("tool-dropped", what, (tool.pointer, "/tools"), tool.name)
                continue
            new.remove(found)
            what, at = f"the tool '{tool.name}' has another name", (tool.pointer, found.pointer)
            yield Difference("tool-name-changed", what, at, tool.name, found.name)
        yield from _changes(way, tool, found)
    for tool in new:
        yield Difference("tool-unexpected", f"the tool '{tool.name}' is new", (None, tool.pointer), None, tool.name)


def _renamed(
    tool: ToolDefinition, new: Sequence[ToolDefinition], at_its_place: ToolDefinition | None
) -> ToolDefinition | None:
    """The new tool that this one has become: with its description, or else at its place."""
    alike = (each for each in new if each.description and each.description == tool.description)
    return next(alike, next((each for each in new if each is at_its_place), None))


def _changes(way: Way, tool: ToolDefinition, found: ToolDefinition) -> Differences:
    at = tool.pointer, found.pointer
    if tool.description and not found.description:
        yield Difference("tool-description-dropped", f"the description of '{tool.name}' is lost", at, tool.description)
    elif tool.description and found.description and tool.description.strip() != found.description.strip():
        what = f"the description of '{tool.name}' is changed"
        yield Difference("tool-description-changed", what, at, tool.description, found.description)
    if tool.strict and not found.strict:
        what, lacking = f"the tool '{tool.name}' is not strict any more", way.target.lacking("strict")
        yield Difference("strict-dropped", what, at, tool.strict, found.strict, lacking)
    if _has_parameters(tool.parameters) and not _has_parameters(found.parameters):
        what = f"the parameters of '{tool.name}' are lost"
        yield Difference("schema-dropped", what, at, tool.parameters, found.parameters)
        return
    before, after = ({"type": "object"} if each.parameters is None else each.parameters for each in (tool, found))
    yield from schema_differences(before, after, f"the parameters of '{tool.name}'", at)


def schema_differences(before: Any, after: Any, what: str, at: Places = (None, None)) -> Differences:
    """The keywords that one schema lacks, has new, or has with another value. `what` is the schema, in words."""
    for kind, pointer, old, new in _schema_changes(_inlined(before, before), _inlined(after, after)):
        above, _, keyword = pointer.rpartition("/")
        part = "constraint" if kind == "dropped" and _is_constraint(keyword, above) else "keyword"
        changed = f"{keyword or 'the schema'} ('{pointer}') in {what} {_CHANGES[kind]}"
        yield Difference(f"schema-{part}-{kind}", changed, at, old, new)


def _is_constraint(keyword: str, above: str) -> bool:
    """Whether a keyword is a constraint; a property, whatever its name, is one, too."""
    return keyword in _CONSTRAINTS or above.rpartition("/")[2] == "properties"


def _inlined(schema: Any, root: Any, within: tuple[str, ...] = ()) -> Any:
    """The schema with what its references name in their place: a gateway may write it so.

    Cycles are left, and what is nested so deeply that the schema could grow without bound.
    """
    if isinstance(schema, list):
        return [_inlined(each, root, within) for each in schema]
    if not isinstance(schema, Mapping):
        return schema
    name = schema.get("$ref")
    if isinstance(name, str) and name.startswith("#/") and name not in within and len(within) < _DEEPEST:
        named = get(root, name[1:])
        if isinstance(named, Mapping):
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            return _inlined({**named, **beside}, root, (*within, name))
    return {key: _inlined(each, root, within) for key, each in schema.items() if key not in _DEFINITIONS}


def _has_parameters(schema: Any) -> bool:
    """Whether the schema declares any parameter."""
    return isinstance(schema, Mapping) and bool(schema.get("properties") or set(schema) & {"anyOf", "oneOf", "$ref"})


def _schema_changes(one: Any, other: Any, pointer: str = "") -> Iterator[Change]:
    """What differs between two schemas. Spellings of the same thing do not: `nullable`, upper-case types, order."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        yield from _object_changes(_plain(one), _plain(other), pointer)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (before, after) in enumerate(zip(one, other, strict=True)):
            yield from _schema_changes(before, after, join(pointer, number))
    else:
        yield from _value_changes(one, other, pointer)


def _object_changes(one: Mapping[str, Any], other: Mapping[str, Any], pointer: str) -> Iterator[Change]:
    for key, before in one.items():
        after = other.get(key, _ABSENT)
        at = join(pointer, key)
        if after is _ABSENT:
            if not _is_empty(key, before):
                yield "dropped", at, before, None
        elif key in _UNORDERED:
            yield from _value_changes(before, after, at)
        else:
            yield from _schema_changes(before, after, at)
    for key, after in other.items():
        if key not in one and not _is_empty(key, after) and not (key == "type" and after == "object"):
            yield "unexpected", join(pointer, key), None, after


def _is_empty(key: str, value: Any) -> bool:
    return key == "$schema" or (key in _USUAL and value in ({}, [], None))


def _value_changes(one: Any, other: Any, pointer: str) -> Iterator[Change]:
    if _comparable(one) != _comparable(other):
        yield "changed", pointer, one, other


def _comparable(value: Any) -> str:
    """A text that is equal for the same values; lists that reach this have no order, or not the same length."""
    return canonical(sorted(value, key=str) if isinstance(value, list) else value)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with types in lower case, and `nullable` as a type."""
    found = dict(schema)
    kind = found.get("type")
    if isinstance(kind, str):
        found["type"] = kind.lower()
    if found.get("nullable") is True and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
        del found["nullable"]
    if isinstance(found.get("type"), list):
        kinds = [each.lower() if isinstance(each, str) else each for each in found["type"]]
        found["type"] = kinds[0] if len(kinds) == 1 else kinds
    return found
