"""The descriptions of the tools in a request."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "tool-description-missing",
    scope="request",
    cites="MAP-013",
    opt_in=True,
    part="settings",
    about="tools",
)
def tool_description_missing(view: View) -> Iterator[Hit]:
    """Every function in a request should have a description.

    The model chooses a tool by its description; without one it has only the name. MCP does not require descriptions,
    so a client that passes MCP tools on must add them.
    """
    for tool in view.ask.tools or ():
        if tool.kind == "function" and not (tool.description or "").strip():
            yield Hit(tool.pointer, f"the tool {brief(tool.name)} has no description", "what the function is for", None)
