"""What a client forwards to an MCP server, in runs with both sides: docs/contract/tool-mapping.md."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.mcp.bridge import asked_for, readable, spelled
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.pointer import MISSING, get, join


@rule(
    "mcp-bridged-arguments-changed",
    scope="conversation",
    cites="MAP-008",
    severity=Severity.WARNING,
    because="a client or a person may change values on purpose",
    about="earlier-calls",
)
def mcp_bridged_arguments_changed(view: View) -> Iterator[Hit]:
    """A call that is forwarded to an MCP server must have the arguments of the model's call.

    Otherwise the tool does something that the model did not ask for, and the model takes the result as the answer to
    its own call.
    """
    asked = [call for call in asked_for(view) if readable(call)] if view.other_dialects else []
    for call in (call for turn in view.ask.history for call in turn.calls):
        meant = [each for each in asked if spelled(each.name) == spelled(call.name)]
        if meant and not any(same(each.arguments, call.arguments) for each in meant):
            sent = get(view.request, join(call.pointer, "arguments")) is not MISSING
            place = join(call.pointer, "arguments") if sent else call.pointer
            wanted = " or ".join(brief(each.arguments) for each in meant)
            yield Hit(place, f"{call.name} is forwarded with different arguments", wanted, brief(call.arguments))
