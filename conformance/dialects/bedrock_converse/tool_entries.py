"""Amazon Bedrock Converse: `toolSpec` with the schema in `inputSchema.json`; botocore's spelling is the wire's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from conformance.dialects.bedrock_converse.request import read_tools
from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition

_MEMBERS = frozenset({"toolSpec", "systemTool", "cachePoint"})


def _claims(entry: Entry) -> bool:
    return bool(entry) and entry.keys() <= _MEMBERS and all(isinstance(each, dict) for each in entry.values())


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    """The tool of the entry; a cache point is not a tool."""
    for tool in read_tools([entry]):
        yield replace(tool, kind="systemTool" if tool.kind == "server" else tool.kind, pointer=pointer)


FORM = Form(name="bedrock-converse", title="Amazon Bedrock Converse", claims=_claims, read=_read)
