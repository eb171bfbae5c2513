"""What the rules about a Chat request and its messages stand for."""

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
        "An assistant message has content, or calls.",
        "The server refuses a message that says nothing at all.",
        cites=(f"OAC-Q-018 {_SCHEMAS}/ChatCompletionRequestAssistantMessage",),
        violating=(
            example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant"})),
            example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant", "content": None})),
        ),
        conforming=(example(_ANSWER), example(_ANSWER, drop(f"{_MESSAGES}/1/content"))),
    ),
    "chat-content-part-unknown": Statement(
        "The parts of a message's content have types that Chat knows, and that the message's role may send.",
        "The server refuses the request; `input_text` and its like belong to the Responses API.",
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
        "The content of every message is a string, or a non-empty array of typed parts.",
        "The server refuses any other value; a tool's result has to be put into text by the client.",
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
        "Tools are declared, called and answered by `tools`, `tool_calls` and role `tool`, not by the old `functions`.",
        "The old form has no ids and no parallel calls: results pair by name alone.",
        cites=("OAC-Q-021 openai 2.54 types/chat/completion_create_params.py",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_BODY}/functions", [{"name": "get_time"}])),),
    ),
    "chat-history-call-incomplete": Statement(
        "Every call in a history has an id, a type, and a function with a name and arguments as text.",
        "The server refuses the request; the call is not a copy of what it once sent.",
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
        "The name of every call in a history has letters, digits, `_` and `-` alone, and at most 64 of them.",
        "OpenAI holds the calls of earlier turns to the names that a tool can have, and refuses the request.",
        violating=(
            example(
                _ANSWER,
                put("/0/request/url", "https://api.openai.com/v1/chat/completions"),
                put(f"{_MESSAGES}/1/tool_calls/0/function/name", "get weather"),
            ),
        ),
    ),
    "chat-history-tool-calls-empty": Statement(
        "A message that has the key `tool_calls` has calls in it.",
        "The server refuses the empty array, in this request and in all that carry the same history.",
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
        "A request holds at least one message.",
        "The server refuses it with `empty_array`.",
        cites=("OAC-Q-001 CopilotKit/CopilotKit#529",),
        basis="observed",
        violating=(example(_CALL, put(f"{_BODY}/messages", [])),),
    ),
    "chat-request-field-missing": Statement(
        "A request has `model` and `messages`.",
        "The server refuses it.",
        cites=(f"OAC-Q-001 {_SCHEMAS}/CreateChatCompletionRequest",),
        violating=(example(_CALL, drop(f"{_BODY}/messages")), example("openai-chat/failure", drop(f"{_BODY}/model"))),
        conforming=(example(_CALL),),
    ),
    "chat-request-field-wrong-type": Statement(
        "Every field of a request has the JSON type of the contract.",
        "The server refuses it, or a lenient one takes it for something else.",
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
        "The role of every message is developer, system, user, assistant or tool.",
        "The server refuses the request.",
        cites=("OAC-Q-014 openai 2.54 types/chat/chat_completion_message_param.py",),
        basis="sdk-type",
        violating=(
            example(_ANSWER, put(f"{_MESSAGES}/0/role", "ipython")),
            example(_ANSWER, drop(f"{_MESSAGES}/0/role")),
        ),
    ),
    "chat-stream-options-orphaned": Statement(
        "`stream_options` comes only with `stream: true`.",
        "The server refuses it.",
        cites=("OAC-Q-013 openai 2.54 types/chat/completion_create_params.py",),
        basis="sdk-type",
        violating=(example(_CALL, put(f"{_BODY}/stream_options", {"include_usage": True})),),
        conforming=(example(_CALL), example("openai-chat/stream-call")),
    ),
    "chat-tool-call-id-too-long": Statement(
        "The id of a call has at most 40 characters.",
        "OpenAI refused longer ones for years, as ids of other providers often are; in 2026 some were accepted.",
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
        "Every tool message says by `tool_call_id` which call it answers.",
        "The server refuses it; one that guesses gives the result to the wrong call.",
        cites=(f"OAC-Q-019 {_SCHEMAS}/ChatCompletionRequestToolMessage",),
        violating=(
            example(_ANSWER, drop(f"{_MESSAGES}/2/tool_call_id")),
            example(_ANSWER, put(f"{_MESSAGES}/2/tool_call_id", 7)),
        ),
    ),
}
