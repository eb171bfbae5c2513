"""The blocks of Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Reasoning, Text


@rule(
    "messages-tool-use-misplaced",
    scope="reply",
    cites="ANT-R-005",
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
