"""What the rules of every dialect are about, and so are silent without."""

from __future__ import annotations

from conformance.judge.plain import Passable, Without
from conformance.judge.view import View
from conformance.model.transcript import ToolCall, ToolResult


def _server_parts(view: View) -> bool:
    """Whether a tool of the provider's own shows anywhere."""
    return any(
        isinstance(part, (ToolCall, ToolResult)) and part.kind == "server"
        for turn in (*view.history, *view.replies)
        for part in turn.parts
    )


PLAIN: dict[Passable, tuple[str, ...]] = {
    Without(lambda view: any(turn.calls for turn in view.replies)): (
        "arguments-not-object",
        "arguments-schema-mismatch",
        "duplicate-argument-key",
        "duplicate-tool-call-id",
        "malformed-arguments",
        "parallel-calls-forbidden",
        "stop-hides-tool-call",
        "tool-call-id-counter",
        "tool-call-name-illegal",
        "tool-call-without-name",
        "tool-told-in-system-text",
        "undeclared-tool-call",
    ),
    Without(lambda view: any(turn.calls or turn.results for turn in view.history)): (
        "bridged-arguments-changed",
        "history-arguments-malformed",
        "history-call-without-name",
        "orphan-tool-result",
        "reused-tool-call-id",
        "tool-call-answered-twice",
        "tool-call-id-refused-by-provider",
        "tool-result-name-mismatch",
        "tool-result-order",
        "unanswered-tool-call",
    ),
    Without(lambda view: view.ask.tools): (
        "call-markup-in-text",
        "duplicate-tool-name",
        "tool-description-missing",
        "tool-has-mcp-field",
        "tool-object-without-properties",
        "tool-requires-undeclared-property",
        "tool-root-not-object",
        "tool-schema-empty",
        "tool-schema-invalid",
    ),
    Without(lambda view: view.continues is not None): (
        "bridged-failure-hidden",
        "earlier-call-changed",
        "echoed-call-changed",
        "echoed-calls-differ",
        "echoed-signature-changed",
        "tool-definition-changed",
        "tools-dropped",
    ),
    Without(_server_parts): (
        "server-call-changed",
        "server-call-unanswered",
        "server-call-without-result",
        "server-result-stray",
        "server-result-without-call",
    ),
    Without(lambda view: view.other_dialects): ("bridged-schema-changed",),
}
