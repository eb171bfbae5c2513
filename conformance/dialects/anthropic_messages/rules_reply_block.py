"""The blocks of Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Reasoning, Text, ToolCall, ToolResult

_CALL = "anthropic-messages/call"
_STREAM, _THINKING = "anthropic-messages/stream-call", "anthropic-messages/thinking-run"
_BODY = "/0/response/body"
_TEXT = {"type": "text", "text": "Done."}


@rule(
    "messages-tool-use-misplaced",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["ANT-R-005 recorded traffic 108/108"],
    conforming=[example(_CALL), example(_STREAM)],
    violating=[
        example(_CALL, insert(f"{_BODY}/content/3", _TEXT)),
        example(_CALL, swap(f"{_BODY}/content/0", f"{_BODY}/content/1"), at="0 response /content/1"),
    ],
)
def tool_use_misplaced(view: View) -> Iterator[Hit]:
    """Calls are the last blocks of a reply.

    A client that sends such a reply back unchanged is refused, because text stands behind a call.
    """
    for turn in view.replies:
        calling = False
        for part in turn.parts:
            calling = calling or part in turn.calls
            if calling and isinstance(part, (Text, Reasoning)):
                yield Hit(part.pointer, "text or thinking stands behind a call", "calls last")


@rule(
    "messages-server-result-orphaned",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["ANT-R-006 recorded traffic 58/58"],
    conforming=[example("anthropic-messages/pause-run"), example("anthropic-messages/stream-server-tool")],
    violating=[
        example(
            "anthropic-messages/pause-run",
            put(f"{_BODY}/content/2/tool_use_id", "srvtoolu_01nobody"),
            at="0 response /content/2",
        )
    ],
)
def server_result_orphaned(view: View) -> Iterator[Hit]:
    """The result of a server tool answers a call that stands before it, here or in the history.

    The client shows sources for a search that nobody made, and the provider refuses the reply when it comes back.
    """
    known = {part.id for turn in (*view.history, *view.replies) for part in turn.parts if isinstance(part, ToolCall)}
    for turn in view.replies:
        for part in turn.parts:
            if isinstance(part, ToolResult) and part.call_id and part.call_id not in known:
                yield Hit(part.pointer, "a server tool's result answers no call", "the id of a call", part.call_id)
