"""The content of each event of a Responses stream, docs/contract/openai-responses.md, OAR-S."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.stream import TERMINAL, is_end_mark, kind_of, responses_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.pointer import join

_SETTLED = (
    "object",
    "created_at",
    "model",
    "instructions",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "previous_response_id",
    "temperature",
    "top_p",
    "max_output_tokens",
    "metadata",
    "store",
)


@rule(
    "responses-status-event-mismatch",
    scope="stream",
    cites="OAR-S-004",
)
def status_event_mismatch(view: View) -> Iterator[Hit]:
    """The type of the event that ends a stream must match the status of its response.

    A client that reads the event and a client that reads the status see different outcomes.
    """
    for event, response, at in responses_of(view.events or ()):
        event_kind = kind_of(event) or ""
        status = response.get("status")
        if event_kind in TERMINAL and isinstance(status, str) and event_kind != f"response.{status}":
            yield Hit(join(at, "status"), "the status does not match the event", event_kind.partition(".")[2], status)


@rule(
    "responses-stream-response-id-changed",
    scope="stream",
    cites="OAR-S-014",
)
def stream_response_id_changed(view: View) -> Iterator[Hit]:
    """The response must keep its id through the whole stream.

    The next request refers to it by that id.
    """
    first: dict[str, Any] = {}
    for _, response, at in responses_of(view.events or ()):
        response_id = response.get("id")
        if isinstance(response_id, str) and response_id != first.setdefault("id", response_id):
            yield Hit(join(at, "id"), "the response had a different id before", first["id"], response_id)


@rule(
    "responses-stream-response-changed",
    scope="stream",
    cites=["OAR-S-014", "OAR-R-009"],
    severity=Severity.WARNING,
    because="OAR-S-014 is about the id; what else a response repeats are the settings of the request",
)
def stream_response_changed(view: View) -> Iterator[Hit]:
    """The request's settings in a response must be the same in every event of the stream.

    Clients read the model and the tools from the first event or from the last.
    """
    first: dict[str, Any] = {}
    for _, response, at in responses_of(view.events or ()):
        for key in _SETTLED:
            if key in response and not same(response[key], first.setdefault(key, response[key])):
                yield Hit(
                    join(at, key), f"`{key}` had a different value before", brief(first[key]), brief(response[key])
                )


@rule(
    "responses-event-after-error-unexpected",
    scope="stream",
    cites="OAR-S-015",
)
def event_after_error_unexpected(view: View) -> Iterator[Hit]:
    """An `error` event must end the turn.

    The SDK raises there and ignores what follows.
    """
    failed = False
    for event in view.events or ():
        if failed and not is_end_mark(event) and kind_of(event) != "response.failed":
            yield Hit(event.pointer, "the stream continues after an error", "nothing", kind_of(event))
            return
        if kind_of(event) == "error":
            failed = True
