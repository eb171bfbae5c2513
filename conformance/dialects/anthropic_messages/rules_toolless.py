"""Requests with tool blocks in the history but without tools, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import ToolCall, ToolResult


@rule(
    "messages-history-tools-missing",
    scope="request",
    needs_complete=True,
    cites="ANT-Q-017",
)
def history_tools_missing(view: View) -> Iterator[Hit]:
    """A request with calls or results in its history must declare tools.

    Bedrock refuses tool blocks without a tool configuration; elsewhere the model cannot call again. It happens when
    a client removes the tools for the last step, or summarises a history with a plain request.
    """
    if view.ask.tools:
        return
    for turn in view.history:
        for part in turn.parts:
            if isinstance(part, (ToolCall, ToolResult)) and part.kind != "server":
                yield Hit(part.pointer, "the history has tool blocks, but the request declares no tools", "tools")
                return
