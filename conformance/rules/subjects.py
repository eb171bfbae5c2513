"""The subjects of the neutral rules. A rule does not run on an exchange without its subject."""

from __future__ import annotations

from collections.abc import Callable

from conformance.judge.view import View
from conformance.model.transcript import ToolCall


def _server_parts(view: View) -> bool:
    """Whether one of the provider's own tools occurs anywhere."""
    return any(turn.server_parts for turns in (view.history, view.replies) for turn in turns)


SUBJECTS: dict[Callable[[View], object], tuple[str, ...]] = {
    (lambda view: any(isinstance(part, ToolCall) for turn in view.replies for part in turn.parts)): (
        "arguments-malformed",
    ),
    (lambda view: any(turn.calls for turn in view.replies)): (
        "argument-markup-leaked",
        "arguments-wrong-type",
        "arguments-schema-mismatch",
        "argument-key-duplicate",
        "tool-call-id-duplicate",
        "parallel-calls-unexpected",
        "stop-reason-mismatch",
        "tool-call-id-ambiguous",
        "tool-call-name-invalid",
        "tool-call-name-missing",
        "new-call-id-reused",
        "tool-call-kind-mismatch",
        "tool-declaration-misplaced",
        "tool-call-undeclared",
    ),
    (lambda view: any(turn.calls or turn.results for turn in view.history)): (
        "mcp-bridged-arguments-changed",
        "history-arguments-malformed",
        "history-call-name-missing",
        "tool-result-orphaned",
        "tool-call-id-reused",
        "tool-result-duplicate",
        "tool-call-id-unsupported",
        "tool-result-name-mismatch",
        "tool-result-out-of-order",
        "tool-call-unanswered",
    ),
    (lambda view: view.ask.tools): (
        "call-arguments-leaked",
        "call-markup-leaked",
        "tool-array-items-missing",
        "tool-name-duplicate",
        "tool-description-missing",
        "tool-keyword-ignored",
        "tool-keyword-unsupported",
        "tool-mcp-field-leaked",
        "tool-object-properties-missing",
        "tool-required-property-undeclared",
        "tool-root-wrong-type",
        "tool-schema-empty",
        "tool-schema-invalid",
        "tool-size-out-of-range",
    ),
    (lambda view: view.continues is not None): (
        "cut-call-result-unexpected",
        "mcp-bridged-failure-dropped",
        "earlier-call-changed",
        "echoed-call-changed",
        "echoed-calls-mismatch",
        "echoed-signature-changed",
        "tool-definition-changed",
        "tools-dropped",
    ),
    _server_parts: (
        "server-call-changed",
        "server-call-unanswered",
        "server-call-result-missing",
        "server-result-orphaned",
        "history-server-result-orphaned",
    ),
    (lambda view: view.other_dialects): ("mcp-bridged-schema-changed",),
}
