"""Statements and examples of the contract's rules about a Chat request and its messages."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, insert, put

_CALL, _ANSWER = "openai-chat/call", "openai-chat/answer"
_BODY = "/0/request/body"
_MESSAGES = f"{_BODY}/messages"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"

STATEMENTS: Mapping[str, Statement] = {
    "chat-assistant-message-empty": Statement(
        "An assistant message must have content or calls.",
        "The server refuses a message with neither.",
        cites=(f"OAC-Q-018 {_SCHEMAS}/ChatCompletionRequestAssistantMessage",),
        violating=(
            example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant"})),
            example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant", "content": None})),
        ),
        conforming=(example(_ANSWER), example(_ANSWER, drop(f"{_MESSAGES}/1/content"))),
    ),
    "chat-content-part-unknown": Statement(
        "The content parts of a message must have types that Chat supports for the message's role.",
        "The server refuses the request; types such as `input_text` belong to the Responses API.",
        cites=("OAC-Q-023 aallam/openai-kotlin#320",),
        basis="observed",
        violating=(
            example(
                _CALL,
                put(f"{_MESSAGES}/0/content", [{"type": "input_text", "text": "Hello"}]),
                at="0 request /messages/0/content/0/type",
            ),
        ),
        conforming=(example(_CALL, put(f"{_MESSAGES}/0/content", [{"type": "text", "text": "Hello"}])),),
    ),
    "chat-content-wrong-type": Statement(
        "The content of every message must be a string, or a non-empty array of typed parts.",
        "The server refuses any other value; the client must convert a tool's result to text.",
        cites=(
            f"OAC-Q-019 {_SCHEMAS}/ChatCompletionRequestToolMessage",
            f"OAC-Q-018 {_SCHEMAS}/ChatCompletionRequestAssistantMessage",
        ),
        bugs=("vllm-project/vllm#18729", "ogx#4949", "langchain-ai/langchainjs#9956"),
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/2/content", {"temperature": 14.2})),
            example(_ANSWER, put(f"{_MESSAGES}/2/content", [])),
            example(_ANSWER, drop(f"{_MESSAGES}/2/content")),
            example(_ANSWER, put(f"{_MESSAGES}/0/content", 5)),
            example(_ANSWER, put(f"{_MESSAGES}/2/content", [{"text": "14.2"}]), at="0 request /messages/2/content/0"),
        ),
        conforming=(
            example(_ANSWER),
            example(_ANSWER, put(f"{_MESSAGES}/2/content", [{"type": "text", "text": "14.2"}])),
        ),
    ),
    "chat-functions-deprecated": Statement(
        "Requests should use `tools`, `tool_calls` and role `tool` instead of the deprecated `functions`.",
        "The deprecated form has no ids and no parallel calls; only the name pairs a result with its call.",
        cites=("OAC-Q-021 openai 2.54 types/chat/completion_create_params.py",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_BODY}/functions", [{"name": "get_time"}])),),
    ),
    "chat-history-call-incomplete": Statement(
        "Every call in the history must have an id, a type, and a function with a name and arguments as text.",
        "The server refuses a request whose calls differ in form from those that it sent.",
        cites=(
            f"OAC-Q-016 {_SCHEMAS}/ChatCompletionMessageToolCall",
            f"OAC-Q-017 {_SCHEMAS}/ChatCompletionMessageToolCall",
        ),
        violating=(
            example(_ANSWER, drop(f"{_MESSAGES}/1/tool_calls/0/type")),
            example(
                _ANSWER, put(f"{_MESSAGES}/1/tool_calls/1/function/arguments", {"latitude": 35.18, "longitude": 129.08})
            ),
            example(_ANSWER, drop(f"{_MESSAGES}/1/tool_calls/1/function/arguments")),
        ),
    ),
    "chat-history-call-name-invalid": Statement(
        "The name of every call in the history must have at most 64 characters: letters, digits, `_` or `-`.",
        "OpenAI applies the limits of tool names to the calls of earlier turns, and refuses the request.",
        violating=(
            example(
                _ANSWER,
                put("/0/request/url", "https://api.openai.com/v1/chat/completions"),
                put(f"{_MESSAGES}/1/tool_calls/0/function/name", "get weather"),
            ),
        ),
    ),
    "chat-history-tool-calls-empty": Statement(
        "A message with the key `tool_calls` must have at least one call there.",
        "The server refuses the empty array, in this request and in every later one with the same history.",
        cites=("OAC-Q-015 openai/openai-python#2061",),
        basis="observed",
        bugs=("openai/openai-python#2061", "home-assistant/core#118577"),
        violating=(
            example(
                _CALL,
                insert(f"{_MESSAGES}/1", {"role": "assistant", "content": "Hello.", "tool_calls": []}),
                at="0 request /messages/1/tool_calls",
            ),
            example(_ANSWER, put(f"{_MESSAGES}/0/tool_calls", {})),
        ),
        conforming=(example(_ANSWER),),
    ),
    "chat-messages-empty": Statement(
        "A request must have at least one message.",
        "The server refuses the request with `empty_array`.",
        cites=("OAC-Q-001 CopilotKit/CopilotKit#529",),
        basis="observed",
        violating=(example(_CALL, put(f"{_BODY}/messages", [])),),
    ),
    "chat-request-field-missing": Statement(
        "A request must have `model` and `messages`.",
        "The server refuses the request.",
        cites=(f"OAC-Q-001 {_SCHEMAS}/CreateChatCompletionRequest",),
        violating=(example(_CALL, drop(f"{_BODY}/messages")), example("openai-chat/failure", drop(f"{_BODY}/model"))),
        conforming=(example(_CALL),),
    ),
    "chat-request-field-wrong-type": Statement(
        "Every field of a request must have the JSON type of the contract.",
        "The server refuses the request, or a lenient server misreads the field.",
        cites=(f"OAC-Q-001 {_SCHEMAS}/CreateChatCompletionRequest",),
        violating=(
            example(_CALL, put(f"{_BODY}/model", None)),
            example(_CALL, put(f"{_BODY}/messages", "Hello")),
            example(_CALL, put(f"{_BODY}/parallel_tool_calls", "false")),
            example(_CALL, put(f"{_BODY}/tools", {"get_weather": {}})),
            example(_CALL, put(f"{_BODY}/messages/0", "Hello")),
        ),
    ),
    "chat-role-unknown": Statement(
        "The role of every message must be developer, system, user, assistant or tool.",
        "The server refuses the request.",
        cites=("OAC-Q-014 openai 2.54 types/chat/chat_completion_message_param.py",),
        basis="sdk-type",
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/0/role", "ipython")),
            example(_ANSWER, drop(f"{_MESSAGES}/0/role")),
        ),
    ),
    "chat-stream-options-orphaned": Statement(
        "`stream_options` must be sent only with `stream: true`.",
        "The server refuses the request.",
        cites=("OAC-Q-013 openai 2.54 types/chat/completion_create_params.py",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_BODY}/stream_options", {"include_usage": True})),),
        conforming=(example(_CALL), example("openai-chat/stream-call")),
    ),
    "chat-tool-call-id-too-long": Statement(
        "The id of a call must have at most 40 characters.",
        "OpenAI refused longer ids, such as those of other providers, for years; in 2026 it accepted some.",
        cites=("OAC-Q-020 openclaw/openclaw#875",),
        basis="observed",
        bugs=(
            "agno-agi/agno#5382",
            "pydantic/pydantic-ai#4389",
            "BerriAI/litellm#17343",
            "microsoft/autogen#6377",
            "vercel/ai#17233",
        ),
        violating=(
            example(
                _ANSWER,
                put(f"{_MESSAGES}/1/tool_calls/0/id", "call_" + "x" * 59),
                put(f"{_MESSAGES}/2/tool_call_id", "call_" + "x" * 59),
                at="0 request /messages/1/tool_calls/0/id",
            ),
        ),
    ),
    "chat-tool-message-id-missing": Statement(
        "Every tool message must name the call that it answers in `tool_call_id`.",
        "The server refuses the request; a lenient server may assign the result to the wrong call.",
        cites=(f"OAC-Q-019 {_SCHEMAS}/ChatCompletionRequestToolMessage",),
        violating=(
            example(_ANSWER, drop(f"{_MESSAGES}/2/tool_call_id")),
            example(_ANSWER, put(f"{_MESSAGES}/2/tool_call_id", 7)),
        ),
    ),
}
