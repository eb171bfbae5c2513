"""Chat requests, WIRE section 1.i, OAC-Q: the body's fields and its messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_chat import shape
from conformance.dialects.openai_chat.endpoint import model_in_path
from conformance.dialects.openai_chat.rules_response import call_misfits
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-chat/call", "openai-chat/answer"
_BODY = "/0/request/body"
_MESSAGES = f"{_BODY}/messages"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_ROLES = ("developer", "system", "user", "assistant", "tool", "function")
_LONGEST_ID = 40


def _messages(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The messages, each with its pointer."""
    messages = view.request.get("messages") if isinstance(view.request, dict) else None
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        if isinstance(message, dict):
            yield message, join("/messages", number)


def _calls(view: View) -> Iterator[tuple[Any, str]]:
    for message, at in _messages(view):
        calls = message.get("tool_calls")
        for number, call in enumerate(calls if isinstance(calls, list) else ()):
            yield call, join(at, "tool_calls", number)


def _misfits(view: View) -> Iterator[shape.Misfit]:
    elsewhere = model_in_path(view.exchange.request.path) is not None
    for each in shape.misfits(view.request, shape.REQUEST, ""):
        if not (elsewhere and each.field == "model"):
            yield each


@rule(
    "chat-request-field-missing",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-001 {_SCHEMAS}/CreateChatCompletionRequest"],
    conforming=[example(_CALL)],
    violating=[example(_CALL, drop(f"{_BODY}/messages")), example("openai-chat/failure", drop(f"{_BODY}/model"))],
)
def request_field_missing(view: View) -> Iterator[Hit]:
    """A request has `model` and `messages`.

    The server refuses it.
    """
    for each in _misfits(view):
        if each.missing:
            yield Hit(None, each.hit.message, each.hit.expected, each.hit.actual)


@rule(
    "chat-request-field-wrong-type",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-001 {_SCHEMAS}/CreateChatCompletionRequest"],
    violating=[
        example(_CALL, put(f"{_BODY}/model", None)),
        example(_CALL, put(f"{_BODY}/messages", "Hello")),
        example(_CALL, put(f"{_BODY}/parallel_tool_calls", "false")),
        example(_CALL, put(f"{_BODY}/tools", {"get_weather": {}})),
        example(_CALL, put(f"{_BODY}/messages/0", "Hello")),
    ],
)
def request_field_wrong_type(view: View) -> Iterator[Hit]:
    """Every field of a request has the JSON type of the contract.

    The server refuses it, or a lenient one takes it for something else.
    """
    for each in _misfits(view):
        if not each.missing:
            yield Hit(each.hit.pointer or None, each.hit.message, each.hit.expected, each.hit.actual)
    messages = view.request.get("messages") if isinstance(view.request, dict) else None
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        if not isinstance(message, dict):
            yield Hit(join("/messages", number), "the message is no object", "an object", kind(message))


@rule(
    "chat-messages-empty",
    scope="request",
    basis="observed",
    cites=["OAC-Q-001 CopilotKit/CopilotKit#529"],
    violating=[example(_CALL, put(f"{_BODY}/messages", []))],
)
def messages_empty(view: View) -> Iterator[Hit]:
    """A request holds at least one message.

    The server refuses it with `empty_array`.
    """
    if isinstance(view.request, dict) and view.request.get("messages") == []:
        yield Hit("/messages", "there is no message", "at least one message", "[]")


@rule(
    "chat-credential-missing",
    scope="request",
    basis="documented",
    needs_complete=True,
    cites=["OAC-Q-002 openai/openai-openapi openapi.json#/components/securitySchemes/ApiKeyAuth"],
    conforming=[
        example(_CALL),
        example(_CALL, drop("/0/request/headers/authorization"), put("/0/request/headers/api-key", "REDACTED")),
    ],
    violating=[
        example(_CALL, drop("/0/request/headers/authorization")),
        example(_CALL, put("/0/request/headers/authorization", "REDACTED")),
    ],
)
def credential_missing(view: View) -> Iterator[Hit]:
    """A request carries a bearer credential, or Azure's `api-key`.

    The server answers 401.
    """
    headers = view.exchange.request.headers
    given = headers.get("authorization")
    if "api-key" in headers:
        return
    if given is None:
        yield Hit(None, "no credential is sent", "authorization: Bearer ...", "no such header")
    elif not given.lower().startswith("bearer "):
        yield Hit(None, "the credential is no bearer token", "authorization: Bearer ...", "another scheme")


@rule(
    "chat-stream-options-orphaned",
    scope="request",
    basis="sdk-type",
    cites=["OAC-Q-013 openai 2.54 types/chat/completion_create_params.py"],
    conforming=[example(_CALL), example("openai-chat/stream-call")],
    violating=[example(_CALL, put(f"{_BODY}/stream_options", {"include_usage": True}))],
)
def stream_options_orphaned(view: View) -> Iterator[Hit]:
    """`stream_options` comes only with `stream: true`.

    The server refuses it.
    """
    body = view.request
    if isinstance(body, dict) and body.get("stream_options") is not None and body.get("stream") is not True:
        yield Hit("/stream_options", "`stream_options` without a stream", "`stream: true`", brief(body.get("stream")))


@rule(
    "chat-role-unknown",
    scope="request",
    basis="sdk-type",
    cites=["OAC-Q-014 openai 2.54 types/chat/chat_completion_message_param.py"],
    violating=[example(_ANSWER, put(f"{_MESSAGES}/0/role", "ipython")), example(_ANSWER, drop(f"{_MESSAGES}/0/role"))],
)
def role_unknown(view: View) -> Iterator[Hit]:
    """The role of every message is developer, system, user, assistant or tool.

    The server refuses the request.
    """
    for message, at in _messages(view):
        role = message.get("role")
        if "role" not in message:
            yield Hit(at, "the message has no role", f"one of {list(_ROLES[:5])}", "no role")
        elif role not in _ROLES:
            yield Hit(join(at, "role"), "no such role", f"one of {list(_ROLES[:5])}", brief(role))


@rule(
    "chat-history-tool-calls-empty",
    scope="request",
    basis="observed",
    cites=["OAC-Q-015 openai/openai-python#2061"],
    bugs=["openai/openai-python#2061", "home-assistant/core#118577"],
    conforming=[example(_ANSWER)],
    violating=[
        example(
            _CALL,
            insert(f"{_MESSAGES}/1", {"role": "assistant", "content": "Hello.", "tool_calls": []}),
            at="0 request /messages/1/tool_calls",
        ),
        example(_ANSWER, put(f"{_MESSAGES}/0/tool_calls", {})),
    ],
)
def history_tool_calls_empty(view: View) -> Iterator[Hit]:
    """A message that has the key `tool_calls` has calls in it.

    The server refuses the empty array, in this request and in all that carry the same history.
    """
    for message, at in _messages(view):
        calls = message.get("tool_calls")
        if calls == [] or (calls is not None and not isinstance(calls, list)):
            yield Hit(join(at, "tool_calls"), "`tool_calls` is there and empty", "calls, or no such key", brief(calls))


@rule(
    "chat-history-call-incomplete",
    scope="request",
    basis="schema",
    cites=[
        f"OAC-Q-016 {_SCHEMAS}/ChatCompletionMessageToolCall",
        f"OAC-Q-017 {_SCHEMAS}/ChatCompletionMessageToolCall",
    ],
    violating=[
        example(_ANSWER, drop(f"{_MESSAGES}/1/tool_calls/0/type")),
        example(
            _ANSWER, put(f"{_MESSAGES}/1/tool_calls/1/function/arguments", {"latitude": 35.18, "longitude": 129.08})
        ),
        example(_ANSWER, drop(f"{_MESSAGES}/1/tool_calls/1/function/arguments")),
    ],
)
def history_call_incomplete(view: View) -> Iterator[Hit]:
    """Every call in a history has an id, a type, and a function with a name and arguments as text.

    The server refuses the request; the call is not a copy of what it once sent.
    """
    for call, at in _calls(view):
        yield from (each.hit for each in call_misfits(call, at))


@rule(
    "chat-assistant-message-empty",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-018 {_SCHEMAS}/ChatCompletionRequestAssistantMessage"],
    conforming=[example(_ANSWER), example(_ANSWER, drop(f"{_MESSAGES}/1/content"))],
    violating=[
        example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant"})),
        example(_CALL, insert(f"{_MESSAGES}/1", {"role": "assistant", "content": None})),
    ],
)
def assistant_message_empty(view: View) -> Iterator[Hit]:
    """An assistant message has content, or calls.

    The server refuses a message that says nothing at all.
    """
    said = ("content", "tool_calls", "function_call", "refusal", "audio")
    for message, at in _messages(view):
        if message.get("role") == "assistant" and all(message.get(key) is None for key in said):
            yield Hit(at, "the assistant's message says nothing", "content or tool_calls", brief(sorted(message)))


@rule(
    "chat-content-wrong-type",
    scope="request",
    basis="schema",
    cites=[
        f"OAC-Q-019 {_SCHEMAS}/ChatCompletionRequestToolMessage",
        f"OAC-Q-018 {_SCHEMAS}/ChatCompletionRequestAssistantMessage",
    ],
    bugs=["vllm-project/vllm#18729", "ogx#4949", "langchain-ai/langchainjs#9956"],
    conforming=[example(_ANSWER), example(_ANSWER, put(f"{_MESSAGES}/2/content", [{"type": "text", "text": "14.2"}]))],
    violating=[
        example(_ANSWER, put(f"{_MESSAGES}/2/content", {"temperature": 14.2})),
        example(_ANSWER, put(f"{_MESSAGES}/2/content", [])),
        example(_ANSWER, drop(f"{_MESSAGES}/2/content")),
        example(_ANSWER, put(f"{_MESSAGES}/0/content", 5)),
        example(_ANSWER, put(f"{_MESSAGES}/2/content", [{"text": "14.2"}]), at="0 request /messages/2/content/0"),
    ],
)
def content_wrong_type(view: View) -> Iterator[Hit]:
    """The content of every message is a string, or a non-empty array of typed parts.

    The server refuses any other value; a tool's result has to be put into text by the client.
    """
    for message, at in _messages(view):
        role, content = message.get("role"), message.get("content")
        where = join(at, "content")
        if content is None and role in ("assistant", "function"):
            continue
        if "content" not in message:
            yield Hit(at, "the message has no content", "a string or an array of parts", "no such field")
        elif isinstance(content, list):
            # An empty array beside calls breaks the schema, but OpenAI, Azure and others have taken it.
            lenient = role == "assistant" and bool(message.get("tool_calls"))
            yield from _part_hits(content, where, Severity.WARNING if lenient else None)
        elif not isinstance(content, str):
            yield Hit(where, "the content is no text", "a string or an array of parts", brief(content))


def _part_hits(parts: list[Any], where: str, empty: Severity | None) -> Iterator[Hit]:
    if not parts:
        yield Hit(where, "the content is an empty array", "at least one part", "[]", empty)
    for number, part in enumerate(parts):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            yield Hit(join(where, number), "the part has no type", "an object with a `type`", brief(part))


@rule(
    "chat-tool-message-id-missing",
    scope="request",
    basis="schema",
    cites=[f"OAC-Q-019 {_SCHEMAS}/ChatCompletionRequestToolMessage"],
    violating=[
        example(_ANSWER, drop(f"{_MESSAGES}/2/tool_call_id")),
        example(_ANSWER, put(f"{_MESSAGES}/2/tool_call_id", 7)),
    ],
)
def tool_message_id_missing(view: View) -> Iterator[Hit]:
    """Every tool message says by `tool_call_id` which call it answers.

    The server refuses it; one that guesses gives the result to the wrong call.
    """
    for message, at in _messages(view):
        given = message.get("tool_call_id")
        if message.get("role") == "tool" and not (isinstance(given, str) and given):
            pointer = join(at, "tool_call_id") if "tool_call_id" in message else at
            yield Hit(pointer, "the tool message does not say what it answers", "the id of a call", brief(given))


@rule(
    "chat-tool-call-id-too-long",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["OAC-Q-020 openclaw/openclaw#875"],
    bugs=[
        "agno-agi/agno#5382",
        "pydantic/pydantic-ai#4389",
        "BerriAI/litellm#17343",
        "microsoft/autogen#6377",
        "vercel/ai#17233",
    ],
    violating=[
        example(
            _ANSWER,
            put(f"{_MESSAGES}/1/tool_calls/0/id", "call_" + "x" * 59),
            put(f"{_MESSAGES}/2/tool_call_id", "call_" + "x" * 59),
            at="0 request /messages/1/tool_calls/0/id",
        )
    ],
)
def tool_call_id_too_long(view: View) -> Iterator[Hit]:
    """The id of a call has at most 40 characters.

    OpenAI refused longer ones for years, as ids of other providers often are; in 2026 some were accepted.
    """
    for call, at in _calls(view):
        given = call.get("id") if isinstance(call, dict) else None
        if isinstance(given, str) and len(given) > _LONGEST_ID:
            yield Hit(join(at, "id"), f"the id has {len(given)} characters", f"at most {_LONGEST_ID}", brief(given))


@rule(
    "chat-functions-deprecated",
    severity=Severity.WARNING,
    scope="request",
    basis="sdk-type",
    cites=["OAC-Q-021 openai 2.54 types/chat/completion_create_params.py"],
    violating=[example(_CALL, put(f"{_BODY}/functions", [{"name": "get_time"}]))],
)
def functions_deprecated(view: View) -> Iterator[Hit]:
    """Tools are declared, called and answered by `tools`, `tool_calls` and role `tool`, not by the old `functions`.

    The old form has no ids and no parallel calls: results pair by name alone.
    """
    for key in ("functions", "function_call"):
        if isinstance(view.request, dict) and view.request.get(key) is not None:
            yield Hit(f"/{key}", f"`{key}` is deprecated", "`tools` and `tool_choice`", key)
            return
    for message, at in _messages(view):
        if message.get("role") == "function":
            yield Hit(join(at, "role"), "role `function` is deprecated", "role `tool`", "function")
            return
