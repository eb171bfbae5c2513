"""The root of a tool's parameters, in the dialects whose contract does not check it with the rest of the tool."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "tool-root-wrong-type",
    scope="request",
    cites="MAP-003",
    opt_in=True,
    part="settings",
    about="tools",
)
def tool_root_wrong_type(view: View) -> Iterator[Hit]:
    """The parameters of a tool must be a schema of type object.

    A call has named arguments: the server rejects a schema whose root is an array or a plain value with a 400.
    """
    for tool in view.ask.tools or ():
        root = tool.parameters.get("type") if isinstance(tool.parameters, dict) else None
        if root is not None and root != "object":
            yield Hit(
                tool.pointer,
                f"the parameters of {tool.name} are not a schema of type object",
                "type object",
                brief(root),
            )
