"""The blocks of Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, insert, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Reasoning, Text

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
    """Calls must be the last blocks of a reply.

    If a client sends such a reply back unchanged, the server refuses it, because text follows a call.
    """
    for turn in view.replies:
        calling = False
        for part in turn.parts:
            calling = calling or part in turn.calls
            if calling and isinstance(part, (Text, Reasoning)):
                yield Hit(part.pointer, "text or thinking follows a call", "calls last")
