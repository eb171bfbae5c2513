"""Chat replies and errors, WIRE section 1.i, OAC-R: what is not already said of every dialect's replies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_chat import shape
from conformance.dialects.openai_chat.reply import STOPS
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join
from conformance.model.transcript import Malformed, Reasoning

_CALL, _ANSWER = "openai-chat/call", "openai-chat/answer"
_BODY = "/0/response/body"
_MESSAGE = f"{_BODY}/choices/0/message"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_OFFICIAL = ("openai", "azure-openai", "reference")


def _choices(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The choices of a body that was not streamed, each with its pointer."""
    body = view.response
    choices = body.get("choices") if isinstance(body, dict) else None
    for number, choice in enumerate(choices if isinstance(choices, list) else ()):
        if isinstance(choice, dict):
            yield choice, join("/choices", number)


def _messages(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    for choice, at in _choices(view):
        if isinstance(choice.get("message"), dict):
            yield choice["message"], join(at, "message")


def _misfits(view: View) -> Iterator[shape.Misfit]:
    body = view.response
    if isinstance(body, Malformed) or view.exchange.response.body.empty:
        return
    if isinstance(body, dict) and body.get("error") is not None and "choices" not in body:
        failure = "the body is an error, and its status a success"
        yield shape.Misfit("choices", True, Hit("", failure, "a reply, or a status of 400 or more", "error"))
        return
    yield from shape.misfits(body, shape.COMPLETION, "")
    if not isinstance(body, dict):
        return
    for number, choice in enumerate(body["choices"] if isinstance(body.get("choices"), list) else ()):
        yield from _choice_misfits(choice, join("/choices", number))
    if isinstance(body.get("usage"), dict):
        yield from shape.misfits(body["usage"], shape.USAGE, "/usage")


def _choice_misfits(choice: Any, at: str) -> Iterator[shape.Misfit]:
    # Azure leaves the message out of a choice that its content filter stopped.
    filtered = isinstance(choice, dict) and choice.get("finish_reason") == "content_filter" and "message" not in choice
    for each in shape.misfits(choice, shape.CHOICE, at):
        if not (filtered and each.missing):
            yield each
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return
    yield from shape.misfits(message, shape.MESSAGE, join(at, "message"))
    calls = message.get("tool_calls")
    for number, call in enumerate(calls if isinstance(calls, list) else ()):
        yield from call_misfits(call, join(at, "message", "tool_calls", number))


def call_misfits(call: Any, at: str) -> Iterator[shape.Misfit]:
    """Where one entry of `tool_calls` breaks the contract, in a reply or in a history."""
    yield from shape.misfits(call, shape.CALL, at)
    if not isinstance(call, dict):
        return
    kind_of_call = call.get("type")
    if isinstance(kind_of_call, str) and kind_of_call not in ("function", "custom"):
        hit = Hit(join(at, "type"), "no such kind of call", "function or custom", brief(kind_of_call))
        yield shape.Misfit("type", False, hit)
    if kind_of_call == "custom":
        yield from shape.misfits(call.get("custom"), shape.CUSTOM, join(at, "custom"))
    elif isinstance(call.get("function"), dict):
        yield from shape.misfits(call["function"], shape.FUNCTION, join(at, "function"))
    elif "function" not in call:
        yield shape.Misfit("function", True, Hit(at, "`function` is missing", "`function` (object)", "no such field"))


@rule(
    "chat-reply-field-missing",
    scope="response",
    basis="schema",
    cites=[
        f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",
        f"OAC-R-003 {_SCHEMAS}/ChatCompletionResponseMessage",
        f"OAC-R-009 {_SCHEMAS}/ChatCompletionMessageToolCall",
    ],
    bugs=["mlx-openai-server#205", "langchain4j/langchain4j#1958"],
    conforming=[example(_CALL), example(_ANSWER)],
    violating=[
        example(_CALL, drop(f"{_BODY}/id")),
        example(_CALL, drop(f"{_MESSAGE}/content")),
        example(_CALL, drop(f"{_MESSAGE}/tool_calls/1/id")),
        example(_CALL, drop(f"{_BODY}/choices/0/message")),
        example(_CALL, put(_BODY, {"error": {"message": "the provider failed", "code": 502}})),
    ],
)
def reply_field_missing(view: View) -> Iterator[Hit]:
    """A reply, its choices, messages and calls have all the fields that the contract requires.

    Typed clients read the missing field, get nothing, and fail far from the cause.
    """
    yield from (Hit(each.hit.pointer or None, *_said(each.hit)) for each in _misfits(view) if each.missing)


@rule(
    "chat-reply-field-wrong-type",
    scope="response",
    basis="schema",
    cites=[
        f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse",
        f"OAC-R-003 {_SCHEMAS}/ChatCompletionResponseMessage",
        f"OAC-R-009 {_SCHEMAS}/ChatCompletionMessageToolCall",
    ],
    bugs=["ggml-org/llama.cpp#20198", "ggml-org/llama.cpp#11992", "ggml-org/llama.cpp#12279"],
    violating=[
        example(_CALL, put(f"{_MESSAGE}/tool_calls/0/function/arguments", {"latitude": 1, "longitude": 2})),
        example(_CALL, put(f"{_MESSAGE}/tool_calls/0/id", "")),
        example(_CALL, put(f"{_MESSAGE}/tool_calls/1/type", "tool")),
        example(_ANSWER, put(f"{_BODY}/created", "1790000000")),
        example(_ANSWER, put(f"{_BODY}/choices/0/finish_reason", None)),
        example(_ANSWER, put(f"{_BODY}/usage/total_tokens", "103")),
    ],
)
def reply_field_wrong_type(view: View) -> Iterator[Hit]:
    """Every field of a reply has the JSON type of the contract, and ids are not empty.

    Arguments that are an object instead of text, or an id that is empty, break the client that runs the call.
    """
    yield from (Hit(each.hit.pointer or None, *_said(each.hit)) for each in _misfits(view) if not each.missing)


def _said(hit: Hit) -> tuple[str, str | None, str | None]:
    return hit.message, hit.expected, hit.actual


@rule(
    "chat-object-wrong",
    scope="response",
    basis="schema",
    cites=[f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_BODY}/object", "text_completion"))],
)
def object_wrong(view: View) -> Iterator[Hit]:
    """The `object` of a reply is `chat.completion`.

    Clients that read several kinds of bodies choose the parser by it.
    """
    value = view.response.get("object") if isinstance(view.response, dict) else None
    if isinstance(value, str) and value != "chat.completion":
        yield Hit("/object", "this is no chat completion", "chat.completion", value)


@rule(
    "chat-choices-empty",
    scope="response",
    basis="schema",
    cites=[f"OAC-R-001 {_SCHEMAS}/CreateChatCompletionResponse"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop(f"{_BODY}/choices/0"), at="0 response /choices")],
)
def choices_empty(view: View) -> Iterator[Hit]:
    """A reply holds at least one choice.

    Every client reads `choices[0]`.
    """
    if isinstance(view.response, dict) and view.response.get("choices") == []:
        yield Hit("/choices", "the reply holds no choice", "at least one choice", "[]")


@rule(
    "chat-choice-index-wrong",
    scope="response",
    basis="schema",
    cites=["OAC-R-002 recorded traffic 580/580"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_BODY}/choices/0/index", 1))],
)
def choice_index_wrong(view: View) -> Iterator[Hit]:
    """The index of each choice is its place in the array.

    A client that asked for several samples puts them together wrongly.
    """
    for number, (choice, at) in enumerate(_choices(view)):
        index = choice.get("index")
        if isinstance(index, int) and not isinstance(index, bool) and index != number:
            yield Hit(join(at, "index"), "the index is not the place", str(number), str(index))


@rule(
    "chat-message-role-wrong",
    scope="response",
    basis="schema",
    cites=["OAC-R-003 recorded traffic 570/570"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, put(f"{_MESSAGE}/role", "model"))],
)
def message_role_wrong(view: View) -> Iterator[Hit]:
    """The message of a reply is the assistant's.

    The message goes back into the history under a role that the server does not take from a model.
    """
    for message, at in _messages(view):
        role = message.get("role")
        if isinstance(role, str) and role != "assistant":
            yield Hit(join(at, "role"), "the role is not the assistant's", "assistant", role)


@rule(
    "chat-nullable-field-missing",
    severity=Severity.INFO,
    scope="response",
    basis="schema",
    needs_complete=True,
    cites=[f"OAC-R-004 {_SCHEMAS}/ChatCompletionResponseMessage"],
    conforming=[example(_CALL)],
    violating=[example(_ANSWER, drop(f"{_MESSAGE}/refusal")), example(_ANSWER, drop(f"{_BODY}/choices/0/logprobs"))],
)
def nullable_field_missing(view: View) -> Iterator[Hit]:
    """A message has the key `refusal` and a choice the key `logprobs`, null where there is nothing to say.

    The schema requires them; real replies of older models and of most compatible servers leave them out.
    """
    for choice, at in _choices(view):
        message = choice.get("message")
        if isinstance(message, dict) and "refusal" not in message:
            yield Hit(join(at, "message"), "`refusal` is missing", "`refusal` (string or null)", "no such field")
        if "logprobs" not in choice:
            yield Hit(at, "`logprobs` is missing", "`logprobs` (object or null)", "no such field")


@rule(
    "chat-finish-reason-unknown",
    scope="reply",
    basis="schema",
    cites=[f"OAC-R-005 {_SCHEMAS}/CreateChatCompletionResponse", "OAC-S-016 derived from OAC-R-005"],
    violating=[
        example(_CALL, put(f"{_BODY}/choices/0/finish_reason", "tool_use")),
        example("openai-chat/stream-call", put("/0/response/events/7/data/choices/0/finish_reason", "tool_call")),
    ],
)
def finish_reason_unknown(view: View) -> Iterator[Hit]:
    """The finish reason is one of stop, length, tool_calls, content_filter and function_call.

    Clients decide by this word whether to run calls, to go on, or to stop.
    """
    for turn in view.replies:
        if isinstance(turn.stop_wire, str) and turn.stop_wire not in STOPS:
            yield Hit(turn.stop_pointer, "no such finish reason", f"one of {list(STOPS)}", turn.stop_wire)


@rule(
    "chat-tool-calls-empty",
    severity=Severity.WARNING,
    scope="response",
    basis="observed",
    cites=["OAC-R-008 recorded traffic 484/484"],
    bugs=["openai/openai-python#2061"],
    violating=[
        example(_ANSWER, put(f"{_MESSAGE}/tool_calls", [])),
        example(_ANSWER, put(f"{_MESSAGE}/tool_calls", None)),
    ],
)
def tool_calls_empty(view: View) -> Iterator[Hit]:
    """A message without calls has no key `tool_calls`.

    A client that sends the message back as it came has its next request refused for the empty array.
    """
    for message, at in _messages(view):
        if "tool_calls" in message and not message["tool_calls"]:
            value = message["tool_calls"]
            yield Hit(join(at, "tool_calls"), "`tool_calls` is there and empty", "no such key", brief(value))


@rule(
    "chat-reply-empty",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAC-R-003 recorded traffic: no official reply breaks it"],
    conforming=[example(_CALL), example(_ANSWER)],
    violating=[
        example(_ANSWER, put(f"{_MESSAGE}/content", None), at="0 response /choices/0"),
        example(
            "openai-chat/stream-answer",
            drop("/0/response/events/1"),
            drop("/0/response/events/1"),
            drop("/0/response/events/0/data/choices/0/delta/content"),
            at="0 response event/0/choices/0",
        ),
    ],
)
def reply_empty(view: View) -> Iterator[Hit]:
    """A reply that ended by itself says something: text, or calls.

    What the model said went into a field that no client reads, or was lost on the way.
    """
    for turn in view.replies:
        if turn.stop == "end" and not any(not isinstance(part, Reasoning) for part in turn.parts):
            yield Hit(turn.pointer, "the reply ended and says nothing", "text or tool calls", "neither")


@rule(
    "chat-reply-usage-missing",
    severity=Severity.WARNING,
    scope="response",
    basis="observed",
    needs_complete=True,
    cites=["OAC-R-015 recorded traffic 570/570"],
    violating=[example(_CALL, drop(f"{_BODY}/usage"))],
)
def reply_usage_missing(view: View) -> Iterator[Hit]:
    """A reply that was not streamed states its usage.

    Cost accounting counts the run as free.
    """
    if isinstance(view.response, dict) and view.response.get("usage") is None:
        yield Hit(None, "the reply does not state its usage", "`usage` (object)", "no usage")


@rule(
    "chat-content-empty",
    severity=Severity.INFO,
    scope="response",
    basis="observed",
    cites=["OAC-R-016 recorded traffic 95/96"],
    bugs=["lmstudio#261", "mistralai/mistral-common#324", "vercel/ai#13466", "vercel/ai#14950"],
    conforming=[example(_CALL), example(_CALL, put(f"{_MESSAGE}/content", "Let me look."))],
    violating=[example(_CALL, put(f"{_MESSAGE}/content", ""))],
)
def content_empty(view: View) -> Iterator[Hit]:
    """The content of a message that holds only calls is null.

    An empty string looks like an answer to a client that tests for null; most compatible servers send it.
    """
    for message, at in _messages(view):
        if message.get("tool_calls") and message.get("content") == "":
            yield Hit(
                join(at, "content"),
                "content is empty beside the calls",
                "null",
                '""',
                severity=Severity.WARNING if view.provider in _OFFICIAL else None,
            )


@rule(
    "chat-usage-total-wrong",
    severity=Severity.WARNING,
    scope="exchange",
    basis="observed",
    cites=["OAC-R-015 recorded traffic 570/570"],
    violating=[
        example(_CALL, put(f"{_BODY}/usage/total_tokens", 3)),
        example("openai-chat/stream-call", put("/0/response/events/8/data/usage/total_tokens", 3)),
    ],
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total of the usage is the sum of its prompt and completion tokens.

    Whoever bills by the total and whoever bills by the parts come to different sums.
    """
    if not view.ok:
        return
    bodies = [(event.json, event.pointer) for event in view.events or ()] or [(view.response, "")]
    for body, at in bodies:
        usage = body.get("usage") if isinstance(body, dict) else None
        if not isinstance(usage, dict):
            continue
        prompt, completion, total = (usage.get(f"{part}_tokens") for part in ("prompt", "completion", "total"))
        if not all(isinstance(each, int) and not isinstance(each, bool) for each in (prompt, completion, total)):
            continue
        if prompt + completion != total:  # type: ignore[operator] # the line above has looked
            expected = f"{prompt} + {completion}"
            where = join(at, "usage", "total_tokens")
            yield Hit(where, "the total is not the sum", expected, brief(total), side="response")


@rule(
    "chat-error-malformed",
    scope="failure",
    basis="schema",
    cites=[f"OAC-R-017 {_SCHEMAS}/ErrorResponse"],
    violating=[
        example("openai-chat/failure", put(_BODY, {"detail": "Not Found"})),
        example("openai-chat/failure", put(f"{_BODY}/error", "no such key")),
        example("openai-chat/failure", drop(f"{_BODY}/error/message")),
        example("openai-chat/failure", put(f"{_BODY}/error/code", 401)),
        example("openai-chat/failure", put(_BODY, "upstream failed")),
    ],
)
def error_malformed(view: View) -> Iterator[Hit]:
    """The body of a failure is an object with an `error` that has message, type, param and code.

    Clients look there for what went wrong and whether to try again; elsewhere they find nothing.
    """
    body = view.exchange.response.body
    if body.empty or body.note is not None:
        if view.complete:
            yield Hit(None, "the failure has no body", "an error object", "nothing")
        return
    if not isinstance(view.response, dict):
        yield Hit(None, "the failure's body is no object", "an object with `error`", kind(view.response))
    elif "error" not in view.response:
        keys = brief(list(view.response))
        yield Hit(None, "the failure's body has no `error`", "an object with `error`", keys)
    else:
        found = list(shape.misfits(view.response["error"], shape.ERROR, "/error"))
        yield from (each.hit for each in found if not each.missing)
        missing = [f"`{each.field}`" for each in found if each.missing]
        if missing:
            yield Hit("/error", f"the error lacks {', '.join(missing)}", "message, type, param and code")
