"""Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R.

A streamed reply is judged by the response object of its last event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import CALLS, list_of, type_of
from conformance.dialects.openai_responses.reply import STATUSES, UNFINISHED
from conformance.dialects.openai_responses.shape import (
    RESPONSE_OPTIONAL,
    RESPONSE_REQUIRED,
    USAGE,
    misfits,
)
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_STREAM = "openai-responses/stream-call"
_BODY = "/0/response/body"
_FINAL = "/0/response/events/12/data/response"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


@rule(
    "responses-response-malformed",
    scope="reply",
    basis="schema",
    cites=[f"OAR-R-001 {_SPEC}/Response", "OAR-R-001 recorded traffic 253/253"],
    violating=[
        example(_CALL, drop(f"{_BODY}/output")),
        example(_CALL, put(f"{_BODY}/object", "chat.completion")),
        example(_CALL, put(f"{_BODY}/parallel_tool_calls", None)),
        example(_STREAM, put(f"{_FINAL}/output/0", "get_weather")),
        example(_STREAM, drop(f"{_FINAL}/tools")),
        example(_CALL, put(_BODY, [])),
    ],
)
def response_malformed(view: View) -> Iterator[Hit]:
    """A response object must have the fourteen required fields, and every field must have its type.

    Typed clients read them without checking that they exist.
    """
    if view.events is None and not isinstance(view.response, dict):
        yield Hit(None, "the body is not a response object", "an object", kind(view.response))
    for response, at in delivered(view):
        place = at or None
        for hit in misfits(response, {**RESPONSE_REQUIRED, **RESPONSE_OPTIONAL}, at, "the response"):
            yield Hit(hit.pointer or place, hit.message, hit.expected, hit.actual)
        if response.get("id") == "":
            yield Hit(join(at, "id"), "the id is empty", "an id", '""')
        if isinstance(response.get("object"), str) and response["object"] != "response":
            yield Hit(join(at, "object"), "the object is not `response`", "response", response["object"])
        for number, item in enumerate(list_of(response.get("output"))):
            if not isinstance(item, dict):
                yield Hit(join(at, "output", number), "an output item is not an object", "an object", kind(item))


@rule(
    "responses-status-invalid",
    scope="reply",
    basis="schema",
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
        example(_CALL, put(f"{_BODY}/status", "requires_action")),
        example(_CALL, put(f"{_BODY}/status", "in_progress")),
        example(_CALL, drop(f"{_BODY}/status")),
        example(_ANSWER, put(f"{_BODY}/status", "incomplete"), at="0 response /incomplete_details"),
        example(_ANSWER, put(f"{_BODY}/status", "failed"), at="0 response /error"),
    ],
)
def status_invalid(view: View) -> Iterator[Hit]:
    """A finished response must have a documented status, and a reason if it was not completed.

    There is no status for tool calls: a turn that wants tools is `completed`. `incomplete` names a reason, `failed`
    has an error with a code and a message.
    """
    for response, at in delivered(view):
        value = response.get("status")
        if "status" not in response:
            yield Hit(at or None, "the response has no status", f"one of {STATUSES}", "nothing")
        elif value not in STATUSES:
            yield Hit(join(at, "status"), "unknown status", f"one of {STATUSES}", brief(value))
        elif value in UNFINISHED and not response.get("background"):
            yield Hit(
                join(at, "status"),
                "the response was delivered, but its status is not a final one",
                "completed",
                brief(value),
            )
        elif value == "incomplete" and not _named(response.get("incomplete_details"), "reason"):
            yield Hit(
                join(at, "incomplete_details"),
                "the response is incomplete, but has no reason",
                "a reason",
                brief(response.get("incomplete_details")),
            )
        elif value == "failed" and not _named(response.get("error"), "code", "message"):
            yield Hit(
                join(at, "error"),
                "the response failed, but has no error",
                "an error with code and message",
                brief(response.get("error")),
            )


@rule(
    "responses-status-conflicting",
    scope="reply",
    basis="schema",
    cites=["OAR-R-007 recorded traffic 69/69", f"OAR-R-002 {_SPEC}/Response"],
    violating=[
        example(_CALL, put(f"{_BODY}/output/1/status", "in_progress")),
        example(_CALL, put(f"{_BODY}/error", {"code": "server_error", "message": "Try again."})),
        example(_ANSWER, put(f"{_BODY}/incomplete_details", {"reason": "max_output_tokens"})),
    ],
)
def status_conflicting(view: View) -> Iterator[Hit]:
    """A completed response must have no error, no reason for being incomplete, and only completed items.

    A client that relies on the status runs an unfinished call, or hides an error.
    """
    for response, at in delivered(view):
        if response.get("status") != "completed":
            continue
        for key in ("error", "incomplete_details"):
            if response.get(key):
                yield Hit(join(at, key), "set although the status is completed", "null", brief(response[key]))
        for number, item in enumerate(list_of(response.get("output"))):
            value = item.get("status") if isinstance(item, dict) else None
            if isinstance(value, str) and type_of(item) in (*CALLS, "message") and value != "completed":
                yield Hit(
                    join(at, "output", number, "status"),
                    "the response is completed, but this item is not",
                    "completed",
                    value,
                )


@rule(
    "responses-usage-malformed",
    severity=Severity.WARNING,
    scope="reply",
    basis="schema",
    cites=[f"OAR-R-011 {_SPEC}/ResponseUsage", "OAR-R-011 recorded traffic 253/253"],
    conforming=[example(_CALL), example(_STREAM)],
    violating=[
        example(_CALL, drop(f"{_BODY}/usage/output_tokens_details")),
        example(_CALL, put(f"{_BODY}/usage", None)),
        example(_CALL, put(f"{_BODY}/usage/total_tokens", 1)),
    ],
)
def usage_malformed(view: View) -> Iterator[Hit]:
    """A finished response must have its token counts: input, output, their details, and a matching total.

    Typed clients fail on a missing count, and budgets rely on these numbers.
    """
    for response, at in delivered(view):
        counts, place = response.get("usage"), join(at, "usage")
        if not isinstance(counts, dict):
            if response.get("status") == "completed":
                yield Hit(place if "usage" in response else at or None, "no usage", "an object", kind(counts))
            continue
        yield from misfits(counts, USAGE, place, "usage")
        before, after, total = (counts.get(f"{which}_tokens") for which in ("input", "output", "total"))
        if isinstance(before, int) and isinstance(after, int) and isinstance(total, int) and before + after != total:
            yield Hit(join(place, "total_tokens"), "the total is not the sum", str(before + after), str(total))


def _named(value: Any, *keys: str) -> bool:
    """Whether the value is an object with text under all the keys."""
    return isinstance(value, dict) and all(isinstance(value.get(key), str) and value[key] for key in keys)
