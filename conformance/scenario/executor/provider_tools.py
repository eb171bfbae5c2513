"""Tools of an MCP server as tools of a provider: with names and schemas that it accepts, and nothing else.

Members that a provider does not have are left out and recorded: annotations are hints of a server that may not be
trusted, and providers refuse unknown members.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.model import pointer as pointers
from conformance.model.registry import all_dialects
from conformance.model.tool_limits import ToolLimits
from conformance.model.transcript import ToolDefinition

_MARK = 8
"""The number of characters of a hash that distinguish two names."""

_COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else", "$ref")
_PLAIN = frozenset({"type", "properties", "additionalProperties", "required", "title", "description"})
_ANNOTATIONS = ("$schema", "$id", "$comment", "$vocabulary")
_NO_PLACE = ("outputSchema", "annotations", "icons", "execution", "_meta")
_LONGEST_DESCRIPTION = 1024


@dataclass(frozen=True, slots=True)
class Note:
    """What was left out or changed for the provider. `tool` is the server's name of the tool."""

    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """`names` leads from a provider's name back to the server's: every name is there, changed or not."""

    definitions: tuple[ToolDefinition, ...]
    names: Mapping[str, str]
    notes: tuple[Note, ...]


def map_tools(tools: Sequence[Mapping[str, Any]], dialect: str) -> Mapped:
    """The tools of `tools/list`, in their wire form, for a dialect.

    Of two tools with one name, the first is kept: a call could not identify the other.
    """
    limits = all_dialects()[dialect].tool_limits
    notes: list[Note] = []
    unique: dict[str, Mapping[str, Any]] = {}
    for tool in tools:
        name = str(tool.get("name", ""))
        if name in unique:
            notes.append(Note(name, "dropped: another tool of the list has the same name"))
        else:
            unique[name] = tool
    given = provider_names(list(unique), limits)
    definitions = []
    for name, tool in unique.items():
        if given[name] != name:
            notes.append(Note(name, f"renamed to {given[name]}, because {dialect} does not allow its name"))
        definitions.append(_definition(name, given[name], tool, limits, notes))
    return Mapped(tuple(definitions), {provider: name for name, provider in given.items()}, tuple(notes))


def provider_names(names: Sequence[str], limits: ToolLimits) -> dict[str, str]:
    """A provider's name for each of the server's, no two alike; a name that fits is never changed."""
    given = {name: name for name in names if limits.accepts(name)}
    taken = set(given)
    for name in names:
        if name in given:
            continue
        wanted = limits.spelled(name)
        for attempt in range(len(names) + 1):
            if limits.accepts(wanted) and wanted not in taken:
                break
            mark = hashlib.sha256(f"{attempt or ''}{name}".encode()).hexdigest()[:_MARK]
            wanted = f"{limits.spelled(name)[: limits.length - _MARK - 1]}_{mark}"
        given[name] = wanted
        taken.add(wanted)
    return given


def _definition(
    name: str, given: str, tool: Mapping[str, Any], limits: ToolLimits, notes: list[Note]
) -> ToolDefinition:
    left_out = [key for key in _NO_PLACE if key in tool]
    if left_out:
        notes.append(Note(name, f"{', '.join(left_out)} dropped: providers have no field for it"))
    description = next(_descriptions(tool), None)
    if description is None:
        notes.append(Note(name, "no description: the model sees only the tool's name"))
    elif len(description) > _LONGEST_DESCRIPTION:
        notes.append(Note(name, f"the description has {len(description)} characters: some deployments reject it"))
    return ToolDefinition(given, description, _parameters(name, tool.get("inputSchema"), limits, notes))


def _descriptions(tool: Mapping[str, Any]) -> Iterator[str]:
    """The server's descriptions of the tool, the best first."""
    annotations = tool.get("annotations")
    title = annotations.get("title") if isinstance(annotations, Mapping) else None
    for text in (tool.get("description"), tool.get("title"), title):
        if isinstance(text, str) and text.strip():
            yield text


def _parameters(name: str, schema: Any, limits: ToolLimits, notes: list[Note]) -> dict[str, Any] | None:
    """The input schema as parameters; None for a tool without any, which each driver writes in its own way."""
    if not isinstance(schema, Mapping):
        notes.append(Note(name, "the input schema is not an object: the tool is declared without parameters"))
        return None
    dropped: set[str] = set()
    adapted: dict[str, Any] = _without_extensions(_inlined(schema), dropped)
    for key in (*_ANNOTATIONS, *_COMBINATORS):
        if key in adapted:
            del adapted[key]
            dropped.add(key)
    if adapted.get("type") != "object":
        notes.append(Note(name, "the input schema is not of type object: `type` was set to `object`"))
        adapted["type"] = "object"
    for key in sorted(dropped):
        loss = (
            "the provider validates arguments less strictly"
            if key in _COMBINATORS
            else "it does not constrain arguments"
        )
        notes.append(Note(name, f"`{key}` dropped from the schema: {loss}"))
    if not adapted.get("properties") and not adapted.get("additionalProperties") and not adapted.keys() - _PLAIN:
        return None
    if limits.wants_properties:
        adapted.setdefault("properties", {})
    return adapted


def _inlined(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with the reference of its root resolved, because providers require the object itself."""
    reference = schema.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return schema
    target = pointers.get(schema, reference[1:])
    if not isinstance(target, Mapping) or "$ref" in target:
        return schema
    return {**target, **{key: value for key, value in schema.items() if key != "$ref"}}


def _without_extensions(value: Any, dropped: set[str], *, named: bool = False) -> Any:
    """The schema without the `x-` keywords of its server; the members of `properties` are names, not keywords."""
    if isinstance(value, Mapping):
        kept: dict[str, Any] = {}
        for key, inner in value.items():
            if not named and str(key).startswith("x-"):
                dropped.add(str(key))
            elif not named and key in ("default", "const", "enum", "examples"):
                kept[key] = inner
            else:
                names = not named and key in ("properties", "patternProperties", "$defs", "definitions")
                kept[key] = _without_extensions(inner, dropped, named=names)
        return kept
    if isinstance(value, list):
        return [_without_extensions(each, dropped) for each in value]
    return value
