"""Responses requests as a whole, docs/contract/openai-responses.md, OAR-Q: what goes with what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.items import list_of, type_of
from conformance.dialects.openai_responses.shape import INPUT_ITEMS, REQUEST, misfits, part_misfits
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_BODY = "/0/request/body"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"
_ROLES = ("user", "assistant", "system", "developer")
_SOURCES = ("input", "previous_response_id", "conversation", "prompt")


@rule(
    "responses-request-field-wrong-type",
    scope="request",
    basis="schema",
    cites=[f"OAR-Q-006 {_SPEC}/CreateResponse"],
    conforming=[example(_CALL), example(_CALL, put(f"{_BODY}/input", "Hello"))],
    violating=[
        example(_CALL, put(f"{_BODY}/input", {"role": "user", "content": "Hello"})),
        example(_CALL, put(f"{_BODY}/stream", "false")),
        example(_CALL, put(f"{_BODY}/max_output_tokens", "100")),
        example(_CALL, drop(f"{_BODY}/input")),
    ],
)
def request_field_wrong_type(view: View) -> Iterator[Hit]:
    """The fields of a request must have the documented types, and there must be something to answer.

    The server refuses the request with a 400 that names the field.
    """
    body = view.request
    if not isinstance(body, dict):
        yield Hit(None, "the request is not an object", "an object", kind(body))
        return
    yield from misfits(body, REQUEST, "", "the request")  # nothing is required here, so no pointer is empty
    if all(body.get(key) is None for key in _SOURCES):
        yield Hit(None, "the request has nothing to answer", " or ".join(_SOURCES), "none of them")
    if not body.get("model") and not body.get("prompt"):
        yield Hit(None, "the request has no model", "a model", "nothing")


@rule(
    "responses-message-role-unknown",
    scope="request",
    basis="observed",
    cites=["OAR-Q-006 Chevey339/kelivo#281"],
    bugs=["Chevey339/kelivo#281"],
    conforming=[example(_ANSWER), example(_CALL, put(f"{_BODY}/input/0/role", "developer"))],
    violating=[
        example(
            _CALL,
            put(f"{_BODY}/input/0", {"role": "tool", "tool_call_id": "call_1", "content": "14.2"}),
            at="0 request /input/0/role",
        )
    ],
)
def message_role_unknown(view: View) -> Iterator[Hit]:
    """A message in the input must have the role user, assistant, system or developer.

    The role tool belongs to Chat; here a result is an item, and the server refuses the role with a 400.
    """
    for number, item in enumerate(_items(view)):
        if type_of(item) == "message" and item.get("role", "user") not in _ROLES:
            yield Hit(join("/input", number, "role"), "unknown role", f"one of {_ROLES}", brief(item["role"]))


@rule(
    "responses-input-item-malformed",
    scope="request",
    basis="schema",
    cites=[f"OAR-Q-007 {_SPEC}/FunctionToolCall", f"OAR-Q-008 {_SPEC}/FunctionCallOutputItemParam"],
    conforming=[
        example(_ANSWER),
        example(_ANSWER, put(f"{_BODY}/input/3/output", [{"type": "input_text", "text": "14.2"}])),
    ],
    violating=[
        example(_ANSWER, put(f"{_BODY}/input/1/arguments", {"latitude": 1})),
        example(_ANSWER, put(f"{_BODY}/input/3/output", {"temperature": 14})),
        example(_ANSWER, drop(f"{_BODY}/input/3/call_id")),
        example(_ANSWER, put(f"{_BODY}/input/0", "How warm is it?")),
        example(_ANSWER, put(f"{_BODY}/input/0/content", [{"type": "input_text"}]), at="0 request /input/0/content/0"),
        example(_ANSWER, put(f"{_BODY}/input/4/output", ["17.9"]), at="0 request /input/4/output/0"),
    ],
)
def input_item_malformed(view: View) -> Iterator[Hit]:
    """Every item of the input must have the fields that its type requires, with the right types.

    A result must be text or an array of content parts, and arguments must be text; otherwise the server returns a 400.
    """
    for number, item in enumerate(_items(view)):
        at = join("/input", number)
        if not isinstance(item, dict):
            yield Hit(at, "an item is not an object", "an object", kind(item))
            continue
        item_kind = type_of(item)
        if item_kind is None:
            yield Hit(at, "an item has neither a type nor a role", "a type", brief(item))
            continue
        yield from misfits(item, INPUT_ITEMS.get(item_kind, {}), at, f"the {item_kind} item")
        if item_kind == "message":
            yield from part_misfits(item.get("content"), join(at, "content"), sent_back=True)
        elif item_kind == "reasoning":
            yield from part_misfits(item.get("summary"), join(at, "summary"), sent_back=True)
        elif item_kind.endswith("_call_output"):
            yield from part_misfits(item.get("output"), join(at, "output"), sent_back=True)


@rule(
    "responses-call-id-too-long",
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-008 {_SPEC}/FunctionCallOutputItemParam", "OAR-Q-008 orchidfiles/ungate#26"],
    bugs=["orchidfiles/ungate#26", "AnswerDotAI/fastllm#45"],
    violating=[
        example(_ANSWER, put(f"{_BODY}/input/3/call_id", "c" * 65)),
        example(_ANSWER, put(f"{_BODY}/input/1/call_id", "")),
    ],
)
def call_id_too_long(view: View) -> Iterator[Hit]:
    """A `call_id` in the input must have 1 to 64 characters.

    Ids from another provider, or joined by a client, are often longer; the server returns a 400.
    """
    for number, item in enumerate(_items(view)):
        call_id = item.get("call_id") if isinstance(item, dict) else None
        if isinstance(call_id, str) and not 1 <= len(call_id) <= 64:
            yield Hit(
                join("/input", number, "call_id"),
                "call_id is empty" if not call_id else "call_id is too long",
                "1 to 64 characters",
                f"{len(call_id)} characters",
            )


@rule(
    "responses-max-output-tokens-out-of-range",
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-010 {_SPEC}/CreateResponse"],
    conforming=[example(_CALL, put(f"{_BODY}/max_output_tokens", 16))],
    violating=[example(_CALL, put(f"{_BODY}/max_output_tokens", 5))],
)
def max_output_tokens_out_of_range(view: View) -> Iterator[Hit]:
    """`max_output_tokens` must be at least 16.

    The server refuses a smaller number with a 400.
    """
    limit = view.request.get("max_output_tokens") if isinstance(view.request, dict) else None
    if isinstance(limit, int) and not isinstance(limit, bool) and limit < 16:
        yield Hit("/max_output_tokens", "max_output_tokens is too small", "at least 16", str(limit))


@rule(
    "responses-histories-conflicting",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-011 {_SPEC}/CreateResponse"],
    violating=[example("openai-responses/run-previous", put("/1/request/body/conversation", "conv_1"))],
)
def histories_conflicting(view: View) -> Iterator[Hit]:
    """A request must not continue both an earlier response and a conversation.

    The server cannot tell which history to use.
    """
    body = view.request
    if isinstance(body, dict) and body.get("conversation") and body.get("previous_response_id"):
        yield Hit("/conversation", "previous_response_id is also set", "one of the two", brief(body["conversation"]))


@rule(
    "responses-stream-options-orphaned",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"OAR-Q-012 {_SPEC}/ResponseStreamOptions"],
    conforming=[
        example("openai-responses/stream-call", put(f"{_BODY}/stream_options", {"include_obfuscation": False}))
    ],
    violating=[example(_CALL, put(f"{_BODY}/stream_options", {"include_obfuscation": False}))],
)
def stream_options_orphaned(view: View) -> Iterator[Hit]:
    """`stream_options` must occur only in a streaming request.

    Without a stream it has no meaning, and the contract allows it only there.
    """
    body = view.request
    if isinstance(body, dict) and body.get("stream_options") is not None and body.get("stream") is not True:
        yield Hit(
            "/stream_options", "stream_options without stream", "no stream_options", brief(body["stream_options"])
        )


def _items(view: View) -> list[Any]:
    return list_of(view.request.get("input")) if isinstance(view.request, dict) else []
