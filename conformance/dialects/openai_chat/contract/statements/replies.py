"""Statements and examples of the contract's rules about a Chat reply and a failure."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL, _ANSWER = "openai-chat/call", "openai-chat/answer"
_BODY = "/0/response/body"
_MESSAGE = f"{_BODY}/choices/0/message"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"

STATEMENTS: Mapping[str, Statement] = {
    "chat-choices-empty": Statement(
        "A reply must have at least one choice.",
        "Clients read `choices[0]` and fail where the array is empty.",
        cites=(f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",),
        violating=(example(_ANSWER, drop(f"{_BODY}/choices/0"), at="0 response /choices"),),
        conforming=(example(_CALL),),
    ),
    "chat-error-malformed": Statement(
        "The body of a failure must be an object with an `error` that has message, type, param and code.",
        "Clients read the cause there, and decide by it whether to retry.",
        cites=(f"OAC-R-017 {_SCHEMAS}/ErrorResponse",),
        violating=(
            example("openai-chat/failure", put(_BODY, {"detail": "Not Found"})),
            example("openai-chat/failure", put(f"{_BODY}/error", "no such key")),
            example("openai-chat/failure", drop(f"{_BODY}/error/message")),
            example("openai-chat/failure", put(f"{_BODY}/error/code", 401)),
            example("openai-chat/failure", put(_BODY, "upstream failed")),
        ),
    ),
    "chat-finish-reason-unknown": Statement(
        "The finish reason must be stop, length, tool_calls, content_filter or function_call.",
        "Clients decide by this value whether to run calls, continue or stop.",
        cites=(f"OAC-R-005 {_SCHEMAS}/CreateChatCompletionResponse", "OAC-S-016 derived from OAC-R-005"),
        violating=(
            example(_CALL, put(f"{_BODY}/choices/0/finish_reason", "tool_use")),
            example("openai-chat/stream-call", put("/0/response/events/7/data/choices/0/finish_reason", "tool_call")),
        ),
    ),
    "chat-message-role-wrong": Statement(
        "The message of a reply must have the role `assistant`.",
        "The client sends the message back in the history, where the server refuses a model's turn with another role.",
        cites=("OAC-R-003 recorded traffic 570/570",),
        violating=(example(_ANSWER, put(f"{_MESSAGE}/role", "model")),),
        conforming=(example(_CALL),),
    ),
    "chat-nullable-field-missing": Statement(
        "A message should have the key `refusal` and a choice the key `logprobs`; null means empty.",
        "The schema requires them, but older models and most compatible servers leave them out.",
        cites=(f"OAC-R-004 {_SCHEMAS}/ChatCompletionResponseMessage",),
        violating=(
            example(_ANSWER, drop(f"{_MESSAGE}/refusal")),
            example(_ANSWER, drop(f"{_BODY}/choices/0/logprobs")),
        ),
        conforming=(example(_CALL),),
    ),
    "chat-object-wrong": Statement(
        "The `object` of a reply must be `chat.completion`.",
        "Clients that read several kinds of bodies choose the parser by this field.",
        cites=(f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",),
        violating=(example(_ANSWER, put(f"{_BODY}/object", "text_completion")),),
        conforming=(example(_CALL),),
    ),
    "chat-reply-field-missing": Statement(
        "A reply, its choices, messages and calls must have all the fields that the contract requires.",
        "Typed clients read the missing field as absent, and fail far from the cause.",
        cites=(
            f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",
            f"OAC-R-003 {_SCHEMAS}/ChatCompletionResponseMessage",
            f"OAC-R-009 {_SCHEMAS}/ChatCompletionMessageToolCall",
        ),
        bugs=("mlx-openai-server#205", "langchain4j/langchain4j#1958"),
        violating=(
            example(_CALL, drop(f"{_BODY}/id")),
            example(_CALL, drop(f"{_MESSAGE}/content")),
            example(_CALL, drop(f"{_MESSAGE}/tool_calls/1/id")),
            example(_CALL, drop(f"{_BODY}/choices/0/message")),
            example(_CALL, put(_BODY, {"error": {"message": "the provider failed", "code": 502}})),
        ),
        conforming=(example(_CALL), example(_ANSWER)),
    ),
    "chat-reply-field-null": Statement(
        "A field of a reply should be null only where null is documented.",
        "Clients in typed languages follow the documents and fail on the null.",
        violating=(
            example(
                _ANSWER,
                put(f"{_BODY}/choices/0/finish_reason", "content_filter"),
                put(f"{_BODY}/choices/0/message", None),
            ),
        ),
    ),
    "chat-reply-field-wrong-type": Statement(
        "Every field of a reply must have the JSON type of the contract, and ids must not be empty.",
        "A client cannot run a call whose arguments are an object instead of text, or answer one whose id is empty.",
        cites=(
            f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",
            f"OAC-R-003 {_SCHEMAS}/ChatCompletionResponseMessage",
            f"OAC-R-009 {_SCHEMAS}/ChatCompletionMessageToolCall",
        ),
        bugs=("ggml-org/llama.cpp#20198", "ggml-org/llama.cpp#11992", "ggml-org/llama.cpp#12279"),
        violating=(
            example(_CALL, put(f"{_MESSAGE}/tool_calls/0/function/arguments", {"latitude": 1, "longitude": 2})),
            example(_CALL, put(f"{_MESSAGE}/tool_calls/0/id", "")),
            example(_CALL, put(f"{_MESSAGE}/tool_calls/1/type", "tool")),
            example(_ANSWER, put(f"{_BODY}/created", "1790000000")),
            example(_ANSWER, put(f"{_BODY}/choices/0/finish_reason", None)),
            example(_ANSWER, put(f"{_BODY}/usage/total_tokens", "103")),
        ),
    ),
    "chat-tool-calls-empty": Statement(
        "A message without calls must not have the key `tool_calls`.",
        "If a client sends the message back unchanged, the server refuses the request for the empty array.",
        cites=("OAC-R-008 recorded traffic 484/484",),
        basis="observed",
        bugs=("openai/openai-python#2061",),
        violating=(
            example(_ANSWER, put(f"{_MESSAGE}/tool_calls", [])),
            example(_ANSWER, put(f"{_MESSAGE}/tool_calls", None)),
        ),
    ),
}
