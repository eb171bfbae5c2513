"""Whole Responses streams, docs/contract/openai-responses.md, OAR-S: numbers, the beginning and the end."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.contract.chunk import EVENT_TYPES
from conformance.dialects.openai_responses.reply import UNFINISHED
from conformance.dialects.openai_responses.stream import TERMINAL, is_end_mark, kind_of, responses_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event

_ENDS = (*TERMINAL, "error")


def _bodies(view: View) -> list[Event]:
    """The events that carry a JSON object."""
    return [event for event in view.events or () if isinstance(event.json, dict)]


def _known(view: View) -> list[Event]:
    """The events with documented types; others do not count for the order."""
    return [event for event in view.events or () if kind_of(event) in EVENT_TYPES or not isinstance(event.json, dict)]


@rule(
    "responses-stream-start-misplaced",
    scope="stream",
    cites="OAR-S-002",
)
def stream_start_misplaced(view: View) -> Iterator[Hit]:
    """A stream must begin with a single `response.created`, in which the response is not finished yet.

    The official SDK raises on anything that comes before it.
    """
    events = _known(view)
    if events and kind_of(events[0]) not in ("response.created", "error") and not is_end_mark(events[0]):
        yield Hit(
            events[0].pointer, "the stream does not begin with response.created", "response.created", kind_of(events[0])
        )
    for event in events[1:]:
        if kind_of(event) == "response.created" and kind_of(events[0]) == "response.created":
            yield Hit(event.pointer, "a second response.created", "one response.created", "a second one")
    for event, response, at in responses_of(events):
        status = response.get("status")
        if kind_of(event) not in ("response.created", "response.in_progress", "response.queued"):
            continue
        if isinstance(status, str) and status not in UNFINISHED:
            yield Hit(
                join(at, "status"),
                "the status is a final one before the end of the stream",
                f"one of {brief(list(UNFINISHED))}",
                status,
            )
        if response.get("output"):
            yield Hit(
                join(at, "output"), "the response already has output", "an empty output", brief(response["output"])
            )


@rule(
    "responses-in-progress-misplaced",
    scope="stream",
    cites="OAR-S-002",
    severity=Severity.WARNING,
    because="the SDK needs only `response.created`",
)
def in_progress_misplaced(view: View) -> Iterator[Hit]:
    """After `response.created` and before the first item, there must be one `response.in_progress`.

    Clients use it to show that the request has left the queue.
    """
    begun = False
    for event in _known(view):
        event_kind = kind_of(event)
        if event_kind in ("response.created", "response.queued"):
            continue
        if event_kind == "response.in_progress" and begun:
            yield Hit(event.pointer, "a second response.in_progress", "one response.in_progress", "a second one")
        elif event_kind != "response.in_progress" and not begun:
            if event_kind not in _ENDS and not is_end_mark(event):
                yield Hit(
                    event.pointer,
                    "response.in_progress is missing before this event",
                    "response.in_progress",
                    event_kind,
                )
            return
        begun = True


def _of_connection(view: View, event: Event) -> bool:
    """Whether a frame is an error of the connection, and not of a stream of events."""
    return view.exchange.request.in_frame and kind_of(event) == "error" and "sequence_number" not in event.json


@rule(
    "responses-sequence-number-wrong",
    scope="stream",
    cites="OAR-S-003",
)
def sequence_number_wrong(view: View) -> Iterator[Hit]:
    """The `sequence_number` of events must count from 0, each one more than the one before.

    Clients resume a stream after a number; a missing or repeated one loses events.
    """
    bodies = [event for event in _bodies(view) if not _of_connection(view, event)]
    if bodies and not any("sequence_number" in event.json for event in bodies):
        yield Hit(bodies[0].pointer, "no event has a number", "sequence_number", "none", severity=Severity.WARNING)
        return
    begun = 0
    if bodies and bodies[0].json.get("sequence_number") == 1:
        begun = 1
        at = f"{bodies[0].pointer}/sequence_number"
        yield Hit(at, "the numbers begin with 1", "0", "1", severity=Severity.WARNING)
    for wanted, event in enumerate(bodies, begun):
        number = event.json.get("sequence_number")
        if "sequence_number" not in event.json:
            yield Hit(event.pointer, "the event has no number", str(wanted), "nothing")
        elif isinstance(number, (int, float)) and not isinstance(number, bool) and number != wanted:
            yield Hit(join(event.pointer, "sequence_number"), "the number does not follow", str(wanted), str(number))
            return  # all later ones are off by the same number


@rule(
    "responses-stream-end-misplaced",
    scope="stream",
    cites="OAR-S-004",
)
def stream_end_misplaced(view: View) -> Iterator[Hit]:
    """A stream must end with exactly one final event: completed, incomplete, failed, or error.

    Without it a client cannot tell a complete reply from a broken connection. Only `[DONE]` may follow. The stream of a
    response in the background may break off, because a client can go on where it stopped.
    """
    events = view.events or ()
    resumable = isinstance(view.request, dict) and view.request.get("background") is True
    ended: Event | None = None
    for event in events:
        if ended is not None and not is_end_mark(event):
            if kind_of(ended) != "error":  # another rule reports events after an error
                yield Hit(event.pointer, "an event after the final event", "nothing", kind_of(event))
            return
        if is_end_mark(event) and event is not events[-1]:
            ended = ended or event
        elif kind_of(event) in _ENDS:
            ended = event
    if events and (ended is None or kind_of(ended) not in _ENDS):
        yield Hit(
            events[-1].pointer,
            "the stream ends without a final event",
            "response.completed",
            kind_of(events[-1]),
            severity=Severity.INFO if resumable else None,
        )
