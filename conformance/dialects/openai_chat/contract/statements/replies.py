"""What the rules about a Chat reply and a failure stand for."""

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
        "A reply holds at least one choice.",
        "Every client reads `choices[0]`.",
        cites=(f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",),
        violating=(example(_ANSWER, drop(f"{_BODY}/choices/0"), at="0 response /choices"),),
        conforming=(example(_CALL),),
    ),
    "chat-error-malformed": Statement(
        "The body of a failure is an object with an `error` that has message, type, param and code.",
        "Clients look there for what went wrong and whether to try again; elsewhere they find nothing.",
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
        "The finish reason is one of stop, length, tool_calls, content_filter and function_call.",
        "Clients decide by this word whether to run calls, to go on, or to stop.",
        cites=(f"OAC-R-005 {_SCHEMAS}/CreateChatCompletionResponse", "OAC-S-016 derived from OAC-R-005"),
        violating=(
            example(_CALL, put(f"{_BODY}/choices/0/finish_reason", "tool_use")),
            example("openai-chat/stream-call", put("/0/response/events/7/data/choices/0/finish_reason", "tool_call")),
        ),
    ),
    "chat-message-role-wrong": Statement(
        "The message of a reply is the assistant's.",
        "The message goes back into the history under a role that the server does not take from a model.",
        cites=("OAC-R-003 recorded traffic 570/570",),
        violating=(example(_ANSWER, put(f"{_MESSAGE}/role", "model")),),
        conforming=(example(_CALL),),
    ),
    "chat-nullable-field-missing": Statement(
        "A message has the key `refusal` and a choice the key `logprobs`, null where there is nothing to say.",
        "The schema requires them; real replies of older models and of most compatible servers leave them out.",
        cites=(f"OAC-R-004 {_SCHEMAS}/ChatCompletionResponseMessage",),
        violating=(
            example(_ANSWER, drop(f"{_MESSAGE}/refusal")),
            example(_ANSWER, drop(f"{_BODY}/choices/0/logprobs")),
        ),
        conforming=(example(_CALL),),
    ),
    "chat-object-wrong": Statement(
        "The `object` of a reply is `chat.completion`.",
        "Clients that read several kinds of bodies choose the parser by it.",
        cites=(f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",),
        violating=(example(_ANSWER, put(f"{_BODY}/object", "text_completion")),),
        conforming=(example(_CALL),),
    ),
    "chat-reply-field-missing": Statement(
        "A reply, its choices, messages and calls have all the fields that the contract requires.",
        "Typed clients read the missing field, get nothing, and fail far from the cause.",
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
        "A field of a reply is null only where null is documented.",
        "Clients in typed languages that take the documents at their word fail on the null.",
        violating=(
            example(
                _ANSWER,
                put(f"{_BODY}/choices/0/finish_reason", "content_filter"),
                put(f"{_BODY}/choices/0/message", None),
            ),
        ),
    ),
    "chat-reply-field-wrong-type": Statement(
        "Every field of a reply has the JSON type of the contract, and ids are not empty.",
        "Arguments that are an object instead of text, or an id that is empty, break the client that runs the call.",
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
        "A message without calls has no key `tool_calls`.",
        "A client that sends the message back as it came has its next request refused for the empty array.",
        cites=("OAC-R-008 recorded traffic 484/484",),
        basis="observed",
        bugs=("openai/openai-python#2061",),
        violating=(
            example(_ANSWER, put(f"{_MESSAGE}/tool_calls", [])),
            example(_ANSWER, put(f"{_MESSAGE}/tool_calls", None)),
        ),
    ),
}
