"""A bare JSON Schema of the arguments, whose `name` or `title` is the tool's name."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition
from conformance.model.values import text_of

_MARKS = frozenset({"properties", "$schema", "$ref", "anyOf", "oneOf", "allOf"})


def _claims(entry: Entry) -> bool:
    named = any(isinstance(entry.get(key), str) for key in ("name", "title"))
    return named and (entry.get("type") == "object" or bool(entry.keys() & _MARKS))


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    schema = {key: value for key, value in entry.items() if key != "name"} if "name" in entry else entry
    yield ToolDefinition(
        name=text_of(entry.get("name")) or text_of(entry.get("title")),
        description=text_of(entry.get("description")),
        parameters=schema,
        pointer=pointer,
    )


FORM = Form(name="json-schema", title="JSON Schema with a name or title", claims=_claims, read=_read, fallback=True)
