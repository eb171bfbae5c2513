"""Statements and examples of the contract's rules about the events of a stream."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL, _ANSWER = "anthropic-messages/stream-call", "anthropic-messages/stream-answer"
_ERROR, _VERTEX = "anthropic-messages/stream-failure", "anthropic-messages/vertex"
_EVENTS = "/0/response/events"

STATEMENTS: Mapping[str, Statement] = {
    "messages-stream-start-content-unexpected": Statement(
        "The message in `message_start` must not have content or a stop reason yet.",
        "The content is sent again as blocks, and a client that accumulates them has it twice.",
        cites=("ANT-S-003 recorded traffic 117/117",),
        basis="observed",
        violating=(
            example(_ANSWER, put(f"{_EVENTS}/0/data/message/content", [{"type": "text", "text": "14.2"}])),
            example(_ANSWER, put(f"{_EVENTS}/0/data/message/stop_reason", "end_turn")),
            example(_ANSWER, put(f"{_EVENTS}/0/data/message", None)),
            example(_ANSWER, drop(f"{_EVENTS}/0/data/message")),
        ),
        conforming=(example(_CALL),),
    ),
    "messages-event-unknown": Statement(
        "Every event should have a type that this suite knows.",
        "Clients skip new types, so this is not a fault; but the suite does not judge such an event further.",
        cites=("ANT-S-012 anthropic 2.11 _streaming.py", "ANT-S-012 platform.claude.com/docs/en/api/versioning"),
        basis="sdk-type",
        violating=(
            example(
                _CALL,
                insert(f"{_EVENTS}/1", {"event": "message_note", "data": {"type": "message_note"}}),
                at="0 response event/1/type",
            ),
        ),
        conforming=(example(_CALL), example(_VERTEX)),
    ),
}
