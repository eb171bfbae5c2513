"""Empty schemas as a tool's parameters, in the dialects whose servers require type object."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "tool-schema-empty",
    scope="request",
    cites="ANY-174",
    opt_in=True,
    part="settings",
    about="tools",
)
def tool_schema_empty(view: View) -> Iterator[Hit]:
    """The parameters of a tool, if present, must not be an empty schema.

    An empty schema has no type object, which servers require; a tool without arguments can omit its parameters.
    """
    for tool in view.ask.tools or ():
        if tool.parameters == {} and tool.kind == "function":
            yield Hit(tool.pointer, f"the schema of {tool.name} is empty", "no parameters, or type object", "{}")
