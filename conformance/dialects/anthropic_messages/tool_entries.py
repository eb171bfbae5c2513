"""Anthropic Messages: tools with `input_schema`, and Anthropic's own by a type with a date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from conformance.dialects.anthropic_messages.request import read_tools
from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition
from conformance.model.values import text_of

_OWN = re.compile(r"[a-z][a-z0-9_]*_\d{8}|mcp_toolset")


def _claims(entry: Entry) -> bool:
    kind = entry.get("type")
    if "input_schema" in entry:
        return kind is None or isinstance(kind, str)
    return isinstance(kind, str) and _OWN.fullmatch(kind) is not None


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    kind = text_of(entry.get("type")) or "custom"
    for tool in read_tools([entry]) or ():
        own = kind != "custom"  # its schema is Anthropic's, also where the client runs it
        yield replace(
            tool, pointer=pointer, kind=kind if own else "function", name=tool.name or (kind if own else None)
        )


FORM = Form(name="anthropic-messages", title="Anthropic Messages", claims=_claims, read=_read)
