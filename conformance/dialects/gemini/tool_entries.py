"""Gemini: function declarations (with a `Schema` or a JSON Schema), alone or in tools; camelCase or snake_case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.gemini.request import read_tools
from conformance.dialects.gemini.schema import TYPES
from conformance.dialects.gemini.wire import camel, get
from conformance.model.pointer import MISSING
from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition

_TOOL = frozenset(
    {
        "codeExecution",
        "computerUse",
        "enterpriseWebSearch",
        "exaAiSearch",
        "fileSearch",
        "functionDeclarations",
        "googleMaps",
        "googleSearch",
        "googleSearchRetrieval",
        "mcpServers",
        "parallelAiSearch",
        "retrieval",
        "urlContext",
    }
)
"""The members of a `Tool`."""
_DECLARATION = frozenset(
    {"name", "description", "parameters", "parametersJsonSchema", "response", "responseJsonSchema", "behavior"}
)
_OWN = frozenset({"parametersJsonSchema", "response", "responseJsonSchema", "behavior"})
"""Members of a declaration that no other form has."""


def _claims(entry: Entry) -> bool:
    keys = {camel(str(key)) for key in entry}
    return bool(keys) and (keys <= _TOOL or _is_declaration(entry, keys))


def _is_declaration(entry: Entry, keys: set[str]) -> bool:
    return isinstance(entry.get("name"), str) and keys <= _DECLARATION and (bool(keys & _OWN) or _upper_case(entry))


def _upper_case(entry: Entry) -> bool:
    """Whether the parameters are a `Schema`, by its types, which are in upper case."""
    parameters: Any = entry.get("parameters")
    return isinstance(parameters, dict) and parameters.get("type") in TYPES


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    alone = get(entry, "functionDeclarations") is MISSING and "name" in entry
    body = {"tools": [{"functionDeclarations": [entry]} if alone else entry]}
    start = "/tools/0/functionDeclarations/0" if alone else "/tools/0"
    for tool in read_tools(body) or ():
        kind = camel(tool.name or "") if tool.kind == "server" else tool.kind
        yield replace(tool, kind=kind, pointer=pointer + tool.pointer.removeprefix(start))


FORM = Form(name="gemini", title="Gemini generateContent", claims=_claims, read=_read)
