"""Calls of tools and their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.mcp.messages import answered, sent
from conformance.dialects.mcp.revision import at_least
from conformance.dialects.mcp.session import session_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, NotExercised
from conformance.model.jsontext import brief
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits


@rule(
    "mcp-called-tool-undeclared",
    scope="conversation",
    cites=["MCP-A-022", "MAP-002"],
)
def mcp_called_tool_undeclared(view: View) -> Iterator[Hit]:
    """A call must have the exact name of a tool that the server lists.

    Clients change names for providers that allow fewer characters, and must change them back.
    """
    session = session_of(view)
    for message in sent(view):
        name = message.params.get("name")
        if message.method == "tools/call" and session.lacks(name):
            listed = brief(sorted(session.listing.tools))
            yield message.hit(
                "the server does not list this tool", "params", "name", expected=f"one of {listed}", actual=brief(name)
            )


@rule(
    "mcp-arguments-schema-mismatch",
    scope="conversation",
    cites="MCP-A-023",
)
def mcp_arguments_schema_mismatch(view: View) -> Iterator[Hit]:
    """The arguments of a call must be valid under the `inputSchema` of its tool.

    The model made a mistake, or a bridge between provider and server lost or converted a value.
    """
    session = session_of(view)
    allowance = Allowance()
    for message in sent(view):
        tool = session.tool(message.params.get("name")) if message.method == "tools/call" else None
        try:
            found = _misfit(message.params.get("arguments", {}), tool, allowance)
        except NotExercisedError as reason:
            yield NotExercised(None, str(reason))
            continue
        if found is not None:
            where, what = found
            tokens = ["params", *(["arguments"] if "arguments" in message.params else [])]
            text = f"the arguments are invalid under the schema at {where or 'the root'}: {what}"
            actual = brief(message.params.get("arguments"))
            yield message.hit(text, *tokens, expected="arguments that are valid under the schema", actual=actual)


def _misfit(arguments: Any, tool: Mapping[str, Any] | None, allowance: Allowance) -> tuple[str, str] | None:
    schema = tool.get("inputSchema") if tool is not None else None
    if not isinstance(schema, dict) or not isinstance(arguments, dict):
        return None
    return next(misfits(arguments, schema, allowance), None)


@rule(
    "mcp-unknown-tool-error-missing",
    scope="exchange",
    side="response",
    cites="MCP-A-027",
)
def mcp_unknown_tool_error_missing(view: View) -> Iterator[Hit]:
    """The response to a call of an unknown tool must be JSON-RPC error -32602, not a result.

    A result looks as if the tool had run and failed, so the model tries it again.
    """
    session = session_of(view)
    for request, response in answered(view, "tools/call"):
        if response is None or not session.lacks(request.params.get("name")):
            continue
        if response.result is not None:
            yield response.hit("an unknown tool has a result", "result", expected="error -32602", actual="a result")
        elif response.error is not None and response.error.get("code") != -32602:
            yield response.hit(
                "the error code is not that of an unknown tool",
                *("error", "code"),
                expected="-32602",
                actual=brief(response.error.get("code")),
            )


@rule(
    "mcp-argument-error-misplaced",
    scope="exchange",
    side="response",
    cites="MCP-A-028",
)
def mcp_argument_error_misplaced(view: View) -> Iterator[Hit]:
    """From 2025-11-25 on, the response to invalid arguments must be a result with `isError: true`.

    A result reaches the model, which can then correct its call; an error of the protocol often ends the run.
    """
    if not at_least(view, "2025-11-25"):
        return
    session = session_of(view)
    allowance = Allowance()
    for request, response in answered(view, "tools/call"):
        tool = session.tool(request.params.get("name"))
        if response is None or response.error is None or response.error.get("code") != -32602:
            continue
        try:
            found = _misfit(request.params.get("arguments", {}), tool, allowance)
        except NotExercisedError:  # the rule of the arguments reports it
            continue
        if found is not None:
            yield response.hit(
                "invalid arguments got a protocol error", "error", expected="isError: true", actual="error"
            )
