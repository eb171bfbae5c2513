"""Statements and examples of the contract's rules about the chunks of a Chat stream."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "openai-chat/stream-call", "openai-chat/stream-answer"
_EVENTS = "/0/response/events"
_DELTA = f"{_EVENTS}/1/data/choices/0/delta"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_CHUNK = f"{_SCHEMAS}/CreateChatCompletionStreamResponse"
_TOOL_CHUNK = f"{_SCHEMAS}/ChatCompletionMessageToolCallChunk"
_FAILED = {"error": {"message": "The server is overloaded.", "type": "server_error", "param": None, "code": None}}


def _fragment(event: int) -> str:
    return f"{_EVENTS}/{event}/data/choices/0/delta/tool_calls/0"


STATEMENTS: Mapping[str, Statement] = {
    "chat-chunk-field-missing": Statement(
        "Every chunk must have id, object, created, model and choices; every choice index, delta and finish_reason.",
        "Typed clients refuse the chunk; others read the missing value as null and lose the end of the reply.",
        cites=(f"OAC-S-005 {_CHUNK}", f"OAC-S-003 {_CHUNK}"),
        bugs=("vllm-project/vllm#19650", "vllm-project/vllm#19662", "ATOM#1711", "apfel#100", "Portkey#1629"),
        violating=(
            example(_ANSWER, drop(f"{_EVENTS}/1/data/choices/0/finish_reason")),
            example(_ANSWER, drop(f"{_EVENTS}/1/data/choices/0/delta")),
            example(_ANSWER, drop(f"{_EVENTS}/4/data/choices")),
            example(_ANSWER, drop(f"{_EVENTS}/1/data/created")),
        ),
        conforming=(example(_CALL), example(_ANSWER)),
    ),
    "chat-chunk-field-wrong-type": Statement(
        "Every field of a chunk must have the JSON type of the contract.",
        "Clients concatenate the pieces of a reply as strings; any other type raises in the middle of the stream.",
        cites=(f"OAC-S-003 {_CHUNK}", f"OAC-S-005 {_CHUNK}"),
        bugs=("BerriAI/litellm#33678", "BerriAI/litellm#37792"),
        violating=(
            example(_CALL, put(f"{_EVENTS}/2/data/choices/0/delta/tool_calls/0/function/arguments", {"latitude": 1})),
            example(_ANSWER, put(f"{_EVENTS}/1/data/choices/0/index", "0")),
            example(_ANSWER, put(f"{_EVENTS}/4/data/choices", None)),
            example(_ANSWER, put(f"{_EVENTS}/4/data", [])),
        ),
    ),
    "chat-chunk-object-wrong": Statement(
        "The `object` of every chunk must be `chat.completion.chunk`.",
        "Clients that read several kinds of bodies choose the parser by this field.",
        cites=(f"OAC-S-003 {_CHUNK}",),
        violating=(example(_ANSWER, put(f"{_EVENTS}/1/data/object", "chat.completion")),),
        conforming=(example(_CALL),),
    ),
    "chat-delta-tool-calls-empty": Statement(
        "A delta without a fragment of a call must not have the key `tool_calls`.",
        "A client that accumulates deltas ends with an empty array, for which the server refuses its next request; "
        "a client that tests for the key takes the text for the end of a call. Reported once for each stream.",
        cites=("OAC-R-008 recorded traffic 484/484", "OAC-S-016 recorded traffic 213/213"),
        basis="observed",
        violating=(
            example(_ANSWER, put(f"{_DELTA}/tool_calls", [])),
            example("openai-chat/stream-call", put("/0/response/events/7/data/choices/0/delta/tool_calls", [])),
        ),
    ),
    "chat-role-wrong": Statement(
        "The role of a streamed reply must be `assistant`.",
        "The client sends the message back in the history, where the server refuses a model's turn with another role.",
        cites=(f"OAC-S-004 {_CHUNK}",),
        violating=(example(_ANSWER, put(f"{_EVENTS}/0/data/choices/0/delta/role", "model")),),
        conforming=(example(_CALL),),
    ),
    "chat-stream-error-malformed": Statement(
        "An error in a stream must have the fields of a failure's body: message, type, param and code.",
        "The SDK shows the message; without it, the program learns only that something failed.",
        cites=(f"OAC-S-015 {_SCHEMAS}/ErrorResponse", "OAC-S-015 openai 2.54 _streaming.py"),
        violating=(
            example(_ANSWER, put(f"{_EVENTS}/2/data", {"error": "overloaded"}), at="0 response event/2/error"),
            example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), drop(f"{_EVENTS}/2/data/error/message")),
            example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), put(f"{_EVENTS}/2/data/error/type", 500)),
        ),
        conforming=(
            example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), *[drop(f"{_EVENTS}/3")] * 3),
            example("openai-chat/stream-run"),
        ),
    ),
    "chat-tool-call-index-missing": Statement(
        "Every tool call fragment must name its call by an integer `index`.",
        "Clients assemble calls by index; without it, the fragments of parallel calls are mixed.",
        cites=(f"OAC-S-008 {_TOOL_CHUNK}",),
        bugs=(
            "ollama/ollama#7881",
            "synergyai-nl/svelte-langgraph#264",
            "SamSaffron/term-llm#314",
            "langchain-ai/langchain#38673",
        ),
        violating=(example(_CALL, drop(f"{_fragment(2)}/index")), example(_CALL, put(f"{_fragment(1)}/index", "0"))),
    ),
}
