"""Tools have a field of their own in the request; the system's words are no place to declare them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_TOLD = (
    "You may use these tools:\n1. Name: get_weather\n   Description: Current weather at a place.\n"
    "   Parameters: {'type': 'object', 'properties': {'latitude': {'type': 'number'}}}"
)
_MENTIONED = "Call get_weather before you speak about the weather."


@rule(
    "tool-declaration-misplaced",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    needs_complete=True,
    dialects=("anthropic-messages", "gemini", "openai-chat", "openai-responses"),
    cites=["LCB-Q-001 requests of langchain-openai 1.7.3, langchain-anthropic 1.7.7, langchain-google-genai 4.4.2"],
    conforming=[
        example("openai-chat/call", insert("/0/request/body/messages/0", {"role": "system", "content": _MENTIONED})),
        example("anthropic-messages/call", put("/0/request/body/system", _MENTIONED)),
        example("openai-chat/call", drop("/0/request/body/tools")),
    ],
    violating=[
        example(
            "openai-chat/call",
            drop("/0/request/body/tools"),
            insert("/0/request/body/messages/0", {"role": "system", "content": _TOLD}),
            at="0 request /messages/0",
        ),
        example(
            "anthropic-messages/call",
            drop("/0/request/body/tools"),
            put("/0/request/body/system", _TOLD),
            at="0 request /system",
        ),
        example(
            "gemini/call",
            drop("/0/request/body/tools"),
            put("/0/request/body/systemInstruction", {"parts": [{"text": _TOLD}]}),
            at="0 request /systemInstruction",
        ),
        example(
            "openai-responses/call",
            drop("/0/request/body/tools"),
            put("/0/request/body/instructions", _TOLD),
            at="0 request /instructions",
        ),
    ],
)
def tool_declaration_misplaced(view: View) -> Iterator[Hit]:
    """A tool that the model calls natively is declared natively, and not told to it in the system's words.

    What stands in prose has no schema that anybody checks, and most servers make no native call of it: the call comes
    back as text, or not at all. No provider package of LangChain writes its bound tools into the system text.
    """
    told = [(turn.text, turn.pointer) for turn in view.ask.history if turn.role == "system"]
    instructions = view.ask.extra.get("instructions")
    if isinstance(instructions, str):
        told.append((instructions, "/instructions"))
    seen: set[str] = set()
    for call in (call for turn in view.replies for call in turn.calls):
        if not call.name or call.name in seen or call.kind != "function" or view.ask.tool(call.name) is not None:
            continue
        seen.add(call.name)
        name = re.compile(rf"(?<![\w-]){re.escape(call.name)}(?![\w-])")
        pointer = next((pointer for text, pointer in told if name.search(text)), None)
        if pointer is not None:
            message = f"{call.name} is told to the model in the system text, and is not among the declared tools"
            yield Hit(pointer, message, "a declaration in the tools of the request", "prose", side="request")
