"""Responses replies, streamed or not, WIRE section 2.i, OAR-R.

A streamed reply is judged by the response object of its last event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.items import CALLS, list_of, type_of
from conformance.dialects.openai_responses.reply import STATUSES, UNFINISHED
from conformance.dialects.openai_responses.shape import (
    OUTPUT_TYPES,
    RESPONSE_OPTIONAL,
    RESPONSE_REQUIRED,
    USAGE,
    misfits,
    output_item_misfits,
)
from conformance.dialects.openai_responses.stream import final_response
from conformance.example import drop, example, put
from conformance.finding import Hit, Severity
from conformance.jsontext import brief, kind
from conformance.pointer import join
from conformance.rule import rule
from conformance.view import View

_HERE = ("openai-responses",)
_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_STREAM = "openai-responses/stream-call"
_BODY = "/0/response/body"
_FINAL = "/0/response/events/12/data/response"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


def _responses(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The response object that a client ends up with, and its pointer."""
    if view.events is not None:
        final = final_response(view.events)
        if final is not None:
            yield final
    elif isinstance(view.response, dict):
        yield view.response, ""


@rule(
    "responses-response-field",
    severity=Severity.ERROR,
    scope="reply",
    basis="schema",
    dialects=_HERE,
    cites=[f"OAR-R-001 {_SPEC}/Response", "OAR-R-001 recorded traffic 253/253"],
    conforming=[example(_CALL), example(_STREAM)],
    violating=[
        example(_CALL, drop(f"{_BODY}/output"), at="0 response"),
        example(_CALL, put(f"{_BODY}/object", "chat.completion"), at="0 response /object"),
        example(_CALL, put(f"{_BODY}/parallel_tool_calls", None), at="0 response /parallel_tool_calls"),
        example(_STREAM, put(f"{_FINAL}/output/0", "get_weather"), at="0 response event/12/response/output/0"),
        example(_STREAM, drop(f"{_FINAL}/tools"), at="0 response event/12/response"),
        example(_CALL, put(_BODY, []), at="0 response"),
    ],
)
def response_field(view: View) -> Iterator[Hit]:
    """A response object has the fourteen fields that the contract requires, and its fields their types.

    Typed clients read them without asking whether they are there.
    """
    if view.events is None and not isinstance(view.response, dict):
        yield Hit(None, "the body is no response object", "an object", kind(view.response))
    for response, at in _responses(view):
        place = at or None
        for hit in misfits(response, {**RESPONSE_REQUIRED, **RESPONSE_OPTIONAL}, at, "the response"):
            yield Hit(hit.pointer or place, hit.message, hit.expected, hit.actual)
        if response.get("id") == "":
            yield Hit(join(at, "id"), "the id is empty", "an id", '""')
        if isinstance(response.get("object"), str) and response["object"] != "response":
            yield Hit(join(at, "object"), "this is another kind of object", "response", response["object"])
        for number, item in enumerate(list_of(response.get("output"))):
            if not isinstance(item, dict):
                yield Hit(join(at, "output", number), "an output item is no object", "an object", kind(item))


@rule(
    "responses-status",
    severity=Severity.ERROR,
    scope="reply",
    basis="schema",
    dialects=_HERE,
    cites=[f"OAR-R-002 {_SPEC}/Response", "OAR-R-007 recorded traffic 69/69"],
    conforming=[
        example(_CALL),
        example(
            _ANSWER,
            put(f"{_BODY}/status", "incomplete"),
            put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"}),
            put(f"{_BODY}/output/0/status", "incomplete"),
        ),
    ],
    violating=[
        example(_CALL, put(f"{_BODY}/status", "requires_action"), at="0 response /status"),
        example(_CALL, put(f"{_BODY}/status", "in_progress"), at="0 response /status"),
        example(_CALL, drop(f"{_BODY}/status"), at="0 response"),
        example(_ANSWER, put(f"{_BODY}/status", "incomplete"), at="0 response /incomplete_details"),
        example(_ANSWER, put(f"{_BODY}/status", "failed"), at="0 response /error"),
    ],
)
def status(view: View) -> Iterator[Hit]:
    """A finished response has one of the documented statuses, and gives the reason where it was not completed.

    There is no status for tool calls: a turn that wants tools is `completed`. `incomplete` names a reason, `failed`
    has an error with a code and a message.
    """
    for response, at in _responses(view):
        value = response.get("status")
        if "status" not in response:
            yield Hit(at or None, "the response has no status", f"one of {STATUSES}", "nothing")
        elif value not in STATUSES:
            yield Hit(join(at, "status"), "no such status", f"one of {STATUSES}", brief(value))
        elif value in UNFINISHED and not response.get("background"):
            yield Hit(join(at, "status"), "the response was delivered and is not finished", "completed", brief(value))
        elif value == "incomplete" and not _named(response.get("incomplete_details"), "reason"):
            yield Hit(
                join(at, "incomplete_details"),
                "the response is incomplete and gives no reason",
                "a reason",
                brief(response.get("incomplete_details")),
            )
        elif value == "failed" and not _named(response.get("error"), "code", "message"):
            yield Hit(
                join(at, "error"),
                "the response failed and says not why",
                "an error with code and message",
                brief(response.get("error")),
            )


@rule(
    "responses-status-contradicted",
    severity=Severity.ERROR,
    scope="reply",
    basis="schema",
    dialects=_HERE,
    cites=["OAR-R-007 recorded traffic 69/69", f"OAR-R-002 {_SPEC}/Response"],
    conforming=[example(_CALL), example(_ANSWER)],
    violating=[
        example(_CALL, put(f"{_BODY}/output/1/status", "in_progress"), at="0 response /output/1/status"),
        example(
            _CALL, put(f"{_BODY}/error", {"code": "server_error", "message": "Try again."}), at="0 response /error"
        ),
        example(
            _ANSWER,
            put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"}),
            at="0 response /incomplete_details",
        ),
    ],
)
def status_contradicted(view: View) -> Iterator[Hit]:
    """A completed response has no error, no reason for being incomplete, and only completed items.

    A client that goes by the status runs a call that was not finished, or hides an error.
    """
    for response, at in _responses(view):
        if response.get("status") != "completed":
            continue
        for key in ("error", "incomplete_details"):
            if response.get(key):
                yield Hit(join(at, key), "the status is completed", "null", brief(response[key]))
        for number, item in enumerate(list_of(response.get("output"))):
            value = item.get("status") if isinstance(item, dict) else None
            if isinstance(value, str) and type_of(item) in (*CALLS, "message") and value != "completed":
                yield Hit(
                    join(at, "output", number, "status"),
                    "the response is completed, this item is not",
                    "completed",
                    value,
                )


@rule(
    "responses-output-item-field",
    severity=Severity.ERROR,
    scope="reply",
    basis="schema",
    dialects=_HERE,
    cites=[f"OAR-R-003 {_SPEC}/FunctionToolCallResource", "OAR-R-003 recorded traffic 73/73"],
    bugs=["ggml-org/llama.cpp#24882"],
    conforming=[example(_CALL), example(_ANSWER), example("openai-responses/reasoning-run")],
    violating=[
        example(_CALL, drop(f"{_BODY}/output/0/call_id"), at="0 response /output/0"),
        example(_CALL, drop(f"{_BODY}/output/1/id"), at="0 response /output/1"),
        example(_CALL, put(f"{_BODY}/output/0/arguments", {"latitude": 1}), at="0 response /output/0/arguments"),
        example(_ANSWER, put(f"{_BODY}/output/0/content", "14.2"), at="0 response /output/0/content"),
        example(_ANSWER, drop(f"{_BODY}/output/0/content/0/annotations"), at="0 response /output/0/content/0"),
        example(_STREAM, drop(f"{_FINAL}/output/0/call_id"), at="0 response event/12/response/output/0"),
        example(_CALL, put(f"{_BODY}/output/0/call_id", ""), at="0 response /output/0/call_id"),
        example(_CALL, put(f"{_BODY}/output/1/id", "fc_0a1b2c3d4e5f60710001"), at="0 response /output/1/id"),
    ],
)
def output_item_field(view: View) -> Iterator[Hit]:
    """Every output item has the fields that its type requires, of the right types.

    A call without a `call_id` can not be answered; an item without an `id` can not be followed through a stream.
    """
    ids: set[str] = set()
    for response, at in _responses(view):
        for number, item in enumerate(list_of(response.get("output"))):
            if not isinstance(item, dict):
                continue
            place = join(at, "output", number)
            yield from output_item_misfits(item, place)
            for key in ("id", "call_id"):
                if item.get(key) == "":
                    yield Hit(join(place, key), f"`{key}` is empty", "an id", '""')
            item_id = item.get("id")
            if isinstance(item_id, str) and item_id:
                if item_id in ids:
                    yield Hit(join(place, "id"), "an earlier item has this id", "an id of its own", item_id)
                ids.add(item_id)


@rule(
    "responses-output-empty",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    dialects=_HERE,
    cites=["OAR-R-001 recorded traffic"],
    conforming=[example(_ANSWER)],
    violating=[example(_ANSWER, drop(f"{_BODY}/output/0"), at="0 response /output")],
)
def output_empty(view: View) -> Iterator[Hit]:
    """A completed response holds at least one output item, and a message at least one part.

    The run ends without an answer and without an error.
    """
    for response, at in _responses(view):
        if response.get("status") != "completed":
            continue
        if response.get("output") == []:
            yield Hit(join(at, "output"), "completed, and nothing was said", "at least one item", "none")
        for number, item in enumerate(list_of(response.get("output"))):
            if type_of(item) == "message" and item.get("content") == []:
                where = join(at, "output", number, "content")
                yield Hit(where, "a message that says nothing", "at least one part", "none")


@rule(
    "responses-unknown-type",
    severity=Severity.INFO,
    scope="reply",
    basis="sdk-type",
    dialects=_HERE,
    cites=["OAR-R-003 openai 2.54 types/responses/response_output_item.py"],
    conforming=[example(_CALL), example(_ANSWER)],
    violating=[
        example(_CALL, put(f"{_BODY}/output/0/type", "function_cal"), at="0 response /output/0/type"),
        example(_ANSWER, put(f"{_BODY}/output/0/content/0/type", "text"), at="0 response /output/0/content/0/type"),
    ],
)
def unknown_type(view: View) -> Iterator[Hit]:
    """Output items and the parts of messages are of types that the contract names.

    New types are no fault, but a client that does not know one passes it over.
    """
    for response, at in _responses(view):
        for number, item in enumerate(list_of(response.get("output"))):
            kind_of_item = type_of(item)
            if kind_of_item is not None and kind_of_item not in OUTPUT_TYPES:
                yield Hit(join(at, "output", number, "type"), "a type that is not documented", None, kind_of_item)
            if kind_of_item != "message":
                continue
            for place, part in enumerate(list_of(item.get("content"))):
                part_kind = part.get("type") if isinstance(part, dict) else None
                if isinstance(part_kind, str) and part_kind not in ("output_text", "refusal"):
                    where = join(at, "output", number, "content", place, "type")
                    yield Hit(where, "a type that is not documented", "output_text or refusal", part_kind)


@rule(
    "responses-usage",
    severity=Severity.WARNING,
    scope="reply",
    basis="schema",
    dialects=_HERE,
    cites=[f"OAR-R-011 {_SPEC}/ResponseUsage", "OAR-R-011 recorded traffic 253/253"],
    conforming=[example(_CALL), example(_STREAM)],
    violating=[
        example(_CALL, drop(f"{_BODY}/usage/output_tokens_details"), at="0 response /usage"),
        example(_CALL, put(f"{_BODY}/usage", None), at="0 response /usage"),
        example(_CALL, put(f"{_BODY}/usage/total_tokens", 1), at="0 response /usage/total_tokens"),
    ],
)
def usage(view: View) -> Iterator[Hit]:
    """A finished response counts its tokens: input, output, their details, and a total that adds up.

    Typed clients fail on a missing count; budgets are kept from these numbers.
    """
    for response, at in _responses(view):
        counts, place = response.get("usage"), join(at, "usage")
        if not isinstance(counts, dict):
            if response.get("status") == "completed":
                yield Hit(place if "usage" in response else at or None, "no usage", "an object", kind(counts))
            continue
        yield from misfits(counts, USAGE, place, "usage")
        before, after, total = (counts.get(f"{which}_tokens") for which in ("input", "output", "total"))
        if isinstance(before, int) and isinstance(after, int) and isinstance(total, int) and before + after != total:
            yield Hit(join(place, "total_tokens"), "the total is not the sum", str(before + after), str(total))


@rule(
    "responses-output-text",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    dialects=_HERE,
    cites=["OAR-R-010 recorded traffic 253/253"],
    conforming=[example(_ANSWER)],
    violating=[example(_ANSWER, put(f"{_BODY}/output_text", "14.2 °C"), at="0 response /output_text")],
)
def output_text(view: View) -> Iterator[Hit]:
    """`output_text` is not on the wire.

    SDKs compute it from the items. A client that reads a server's own gets nothing from all others.
    """
    for response, at in _responses(view):
        if "output_text" in response:
            yield Hit(
                join(at, "output_text"), "output_text belongs to SDKs", "no such field", kind(response["output_text"])
            )


def _named(value: Any, *keys: str) -> bool:
    """Whether the value is an object with text under all the keys."""
    return isinstance(value, dict) and all(isinstance(value.get(key), str) and value[key] for key in keys)
