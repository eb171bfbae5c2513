"""Chunks of a Chat stream: each choice once, and an error that says what a failure's body would."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.stream import choice_entries
from conformance.judge.example import example, insert
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_ANSWER = "openai-chat/stream-answer"
_EVENTS = "/0/response/events"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_FAILED = {"error": {"message": "The server is overloaded.", "type": "server_error", "param": None, "code": None}}


@rule(
    "chat-chunk-choice-repeated",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=[f"OAC-S-005 {_SCHEMAS}/CreateChatCompletionStreamResponse", "OAC-S-005 recorded traffic 213/213"],
    conforming=[example(_ANSWER), example("openai-chat/stream-run")],
    violating=[
        example(
            _ANSWER,
            insert(f"{_EVENTS}/1/data/choices/0", {"index": 0, "delta": {"content": "About "}, "finish_reason": None}),
            at="0 response event/1/choices/1",
        )
    ],
)
def chunk_choice_repeated(view: View) -> Iterator[Hit]:
    """A chunk speaks of each choice once.

    Clients look a choice up by its index, and take the first or the last entry of a chunk.
    """
    for event in view.events or ():
        seen = set()
        for entry, pointer in choice_entries(event):
            index = entry.get("index")
            if isinstance(index, int):
                if index in seen:
                    yield Hit(pointer, f"the chunk speaks of choice {index} again", "one entry", "two")
                seen.add(index)
