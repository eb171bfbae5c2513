"""MCP: tools of a `tools/list` result."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition
from conformance.model.values import text_of


def _claims(entry: Entry) -> bool:
    return "name" in entry and "inputSchema" in entry


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    yield ToolDefinition(
        name=text_of(entry.get("name")),
        description=text_of(entry.get("description")),
        parameters=entry.get("inputSchema"),
        pointer=pointer,
    )


FORM = Form(name="mcp", title="MCP tools/list", claims=_claims, read=_read)
