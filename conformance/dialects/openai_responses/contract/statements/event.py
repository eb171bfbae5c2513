"""Statements and examples of the contract's rules about the events of a stream."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "openai-responses/stream-call", "openai-responses/stream-answer"
_EVENTS = "/0/response/events"

STATEMENTS: Mapping[str, Statement] = {
    "responses-added-item-incomplete": Statement(
        "An added item must be complete except for what its deltas add; a done item must be complete.",
        "An added call has its id, call_id and name: clients announce the call then.",
        cites=("OAR-S-008 recorded traffic 17/17", "OAR-R-003 recorded traffic 73/73"),
        basis="observed",
        bugs=("ggml-org/llama.cpp#24882",),
        violating=(
            example(_CALL, drop(f"{_EVENTS}/2/data/item/call_id")),
            example(_CALL, put(f"{_EVENTS}/6/data/item/name", 7)),
        ),
        conforming=(example(_CALL), example(_ANSWER), example("openai-responses/stream-reasoning")),
    ),
    "responses-event-malformed": Statement(
        "Every event must have the fields that its type requires, with the right types.",
        "Clients build the reply from these fields; a missing field or a wrong type raises or loses data.",
        cites=(
            "OAR-S-007 openai/openai-openapi openapi.json#/components/schemas/ResponseStreamEvent",
            "OAR-S-002 openai 2.54 lib/streaming/responses/_responses.py",
        ),
        basis="schema",
        violating=(
            example(_CALL, put(f"{_EVENTS}/3/data/delta", {"latitude": 1})),
            example(_CALL, drop(f"{_EVENTS}/2/data/item")),
            example(_ANSWER, put(f"{_EVENTS}/4/data/content_index", "0")),
            example(_CALL, put(f"{_EVENTS}/0/data/response/model", 5)),
            example(_CALL, drop(f"{_EVENTS}/1/data/response/id")),
        ),
    ),
}
