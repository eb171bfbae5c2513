"""Chat streams, WIRE section 1.i, OAC-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat.stream import call_fragments, choice_entries
from conformance.example import drop, example, put
from conformance.finding import Hit, Severity
from conformance.jsontext import brief
from conformance.pointer import join
from conformance.rule import rule
from conformance.view import View

_HERE = ("openai-chat",)
_CALL, _ANSWER = "openai-chat/stream-call", "openai-chat/stream-answer"


@rule(
    "chat-tool-call-index-missing",
    severity=Severity.ERROR,
    scope="stream",
    basis="schema",
    dialects=_HERE,
    cites=["OAC-S-008 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionMessageToolCallChunk"],
    bugs=["ollama/ollama#7881", "vllm-project/vllm#16340"],
    conforming=[example(_CALL)],
    violating=[
        example(
            _CALL,
            drop("/0/response/events/2/data/choices/0/delta/tool_calls/0/index"),
            at="0 response event/2/choices/0/delta/tool_calls/0",
        ),
        example(
            _CALL,
            put("/0/response/events/1/data/choices/0/delta/tool_calls/0/index", "0"),
            at="0 response event/1/choices/0/delta/tool_calls/0/index",
        ),
    ],
)
def tool_call_index_missing(view: View) -> Iterator[Hit]:
    """Every tool call fragment says by an integer `index` which call it belongs to.

    Clients put a call together by its index; without it, parallel calls run into each other.
    """
    for event in view.events or ():
        for entry, at in choice_entries(event):
            delta = entry.get("delta")
            for fragment, pointer in call_fragments(delta if isinstance(delta, dict) else {}, join(at, "delta")):
                index = fragment.get("index")
                if "index" not in fragment:
                    yield Hit(pointer, "tool call fragment has no index", "an integer index", "no index")
                elif isinstance(index, bool) or not isinstance(index, int) or index < 0:
                    yield Hit(join(pointer, "index"), "index is not a whole number", "an integer index", brief(index))
