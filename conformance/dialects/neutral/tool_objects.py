"""Tools without arguments, as MCP servers declare them, in dialects that require the empty object in full."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "tool-object-properties-missing",
    scope="request",
    cites="ANY-175",
    opt_in=True,
    part="settings",
    about="tools",
)
def tool_object_properties_missing(view: View) -> Iterator[Hit]:
    """A tool's object schema must have the key `properties`, empty if the tool takes no arguments.

    MCP allows a bare `{"type": "object"}`; if it is passed on unchanged, the provider rejects the request:
    "object schema missing properties".
    """
    for tool in view.ask.tools or ():
        schema = tool.parameters
        if isinstance(schema, dict) and schema.get("type") == "object" and "properties" not in schema:
            yield Hit(tool.pointer, f"the schema of {tool.name} has no properties", '"properties": {}', "no such key")
