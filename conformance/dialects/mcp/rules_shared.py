"""What a model gets of an MCP server, in runs with both sides: docs/contract/tool-mapping.md.

They judge the exchanges with the model, in every dialect; MCP is only read in runs with both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.pairing import exchanges_of
from conformance.judge.rule import EVERY_DIALECT, rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import ToolDefinition


@rule(
    "mcp-bridged-schema-changed",
    scope="request",
    dialects=EVERY_DIALECT,
    cites="MAP-004",
    severity=Severity.WARNING,
    because="a client may hide a parameter on purpose and fill it in itself",
    about="bridge",
)
def mcp_bridged_schema_changed(view: View) -> Iterator[Hit]:
    """A tool of an MCP server must be declared to the model with all its parameters, types and required keys.

    Otherwise the model leaves an argument out, or sends it as text, and the server refuses the call. A client may hide
    a parameter only if it fills it in itself.
    """
    if view.dialect.name == "mcp" or not view.ask.tools or not view.other_dialects:
        return
    from conformance.dialects.mcp.bridge import listed, spelled

    tools = listed(view)
    for tool in view.ask.tools:
        source = tools.get(spelled(tool.name))
        schema = source.get("inputSchema") if source else None
        if isinstance(schema, dict):
            for lost in _lost(schema, tool):
                yield Hit(tool.pointer, f"{tool.name}: {lost}", "the schema that the server listed", None)


def _lost(schema: dict[str, Any], tool: ToolDefinition) -> Iterator[str]:
    """What the provider's schema has lost from the server's, the first difference of each parameter."""
    given = tool.parameters if isinstance(tool.parameters, dict) else {}
    before, after = _members(schema), _members(given)
    required = given.get("required")
    for name, member in before.items():
        if name not in after:
            yield f"parameter {name} is missing"
        elif name in _names(schema.get("required")) and name not in _names(required):
            yield f"parameter {name} is no longer required"
        elif not _admits(after[name], member):
            yield f"parameter {name} has a different type"


def _members(schema: dict[str, Any]) -> dict[str, Any]:
    members = schema.get("properties")
    return members if isinstance(members, dict) else {}


def _names(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _admits(after: Any, before: Any) -> bool:
    """Whether a parameter still has its one plain type; True for schemas without one."""
    kind = before.get("type") if isinstance(before, dict) else None
    now = after.get("type") if isinstance(after, dict) else None
    if not isinstance(kind, str) or now is None:
        return True
    return kind in now if isinstance(now, list) else kind == now


@rule(
    "mcp-bridged-failure-dropped",
    scope="conversation",
    dialects=EVERY_DIALECT,
    cites=["MAP-009", "MAP-010"],
    severity=Severity.WARNING,
    because="the specification demands it with SHOULD, and a client may use its own text",
    about="continuation",
)
def mcp_bridged_failure_dropped(view: View) -> Iterator[Hit]:
    """A call that failed on an MCP server must be reported to the model as failed, by a flag or the server's text.

    Without the error, the model invents an answer; with it, the model can correct its call.
    """
    found = view.continues if view.dialect.name != "mcp" and view.other_dialects else None
    if found is None:
        return
    from conformance.dialects.mcp.bridge import has_text, passed_on, spelled

    since = view.earlier[found.earlier].number
    passed = [each for each in passed_on(view.other_dialects) if each.number > since]
    for pairing in (pairing for turn, _, pairing in exchanges_of(view.history) if turn is found.echo):
        for call, result in pairing.pairs:
            same_call = [each for each in passed if spelled(each.name) == spelled(call.name)]
            tries = [each.failure for each in same_call if same(each.arguments, call.arguments)]
            errors = [text for failure in tries for text in failure or ()]
            # If one of several attempts succeeded, the model gets its result.
            if result.is_error or None in tries or not errors or any(has_text(result.content, text) for text in errors):
                continue
            yield Hit(
                result.pointer, f"{call.name} failed, but the model gets no error", errors[0], brief(result.content)
            )
