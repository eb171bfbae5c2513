"""Calls of tools and their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.mcp.messages import answered
from conformance.dialects.mcp.revision import at_least
from conformance.dialects.mcp.session import session_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits


def _misfit(arguments: Any, tool: Mapping[str, Any] | None, allowance: Allowance) -> tuple[str, str] | None:
    schema = tool.get("inputSchema") if tool is not None else None
    if not isinstance(schema, dict) or not isinstance(arguments, dict):
        return None
    return next(misfits(arguments, schema, allowance), None)


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
        tool = session.listing.entry(request.params.get("name"))
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
