"""Statements and examples of the contract's rules about the blocks of a stream and their deltas."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "anthropic-messages/stream-call", "anthropic-messages/stream-answer"
_NONE, _SERVER = "anthropic-messages/stream-no-arguments", "anthropic-messages/stream-server-tool"
_THINKING = "anthropic-messages/stream-thinking-run"
_EVENTS = "/0/response/events"

STATEMENTS: Mapping[str, Statement] = {
    "messages-block-start-content-unexpected": Statement(
        "A block must start empty: text and thinking as empty strings, the input of a call as an empty object.",
        "Clients append the deltas to the start: its content appears twice, or they ignore the deltas.",
        cites=("ANT-S-006 recorded traffic 21/21",),
        basis="observed",
        bugs=("BerriAI/litellm#25836", "BerriAI/litellm#25390", "BerriAI/litellm#25561"),
        violating=(
            example(_CALL, put(f"{_EVENTS}/6/data/content_block/input", {"latitude": 37.57, "longitude": 126.98})),
            example(_CALL, put(f"{_EVENTS}/6/data/content_block/input", "")),
            example(_CALL, drop(f"{_EVENTS}/6/data/content_block/input")),
            example(_ANSWER, put(f"{_EVENTS}/1/data/content_block/text", "14")),
        ),
        conforming=(example(_CALL), example(_THINKING), example(_SERVER), example(_NONE)),
    ),
}
