"""Amazon Bedrock Converse: `toolSpec` with the schema in `inputSchema.json`; botocore's spelling is the wire's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.tool_entry import Entry, Form, text_of
from conformance.model.transcript import ToolDefinition

_MEMBERS = frozenset({"toolSpec", "systemTool", "cachePoint"})


def _claims(entry: Entry) -> bool:
    return bool(entry) and entry.keys() <= _MEMBERS and all(isinstance(each, dict) for each in entry.values())


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    """The tool of the entry; a cache point is not a tool."""
    for member in entry.keys() & {"toolSpec", "systemTool"}:
        inner: Any = entry[member]
        schema = inner.get("inputSchema")
        yield ToolDefinition(
            name=text_of(inner.get("name")),
            description=text_of(inner.get("description")),
            parameters=schema.get("json") if isinstance(schema, dict) else None,
            strict=inner.get("strict") is True,
            kind="function" if member == "toolSpec" else member,
            pointer=pointer,
        )


FORM = Form(name="bedrock-converse", title="Amazon Bedrock Converse", claims=_claims, read=_read)
