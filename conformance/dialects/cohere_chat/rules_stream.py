"""Whole streams: the names of the events, and the end. docs/contract/cohere-chat.md, COH-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.event_names import misnamed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.values import get

_DONE = "[DONE]"


@rule("cohere-event-name-mismatch", scope="stream", cites="COH-S-001")
def event_name_mismatch(view: View) -> Iterator[Hit]:
    """Every event must have a name that equals the `type` in its data.

    Clients read one or the other; if they differ, some clients misread the event.
    """
    yield from misnamed((event, get(event.json, "type")) for event in view.events or ())


@rule("cohere-done-missing", scope="stream", cites="COH-S-003")
def done_missing(view: View) -> Iterator[Hit]:
    """A stream that has ended must be followed by `[DONE]`, and nothing after it.

    SDKs read until then: without it they wait until the connection closes.
    """
    events = view.events or ()
    marks = [number for number, event in enumerate(events) if event.data.strip() == _DONE]
    if not marks and any(get(event.json, "type") == "message-end" for event in events):
        yield Hit(None, "the stream ends without `[DONE]`", f"data: {_DONE}", "none")
    if marks and marks[0] + 1 < len(events):
        late = events[marks[0] + 1]
        yield Hit(late.pointer, "there is an event after `[DONE]`", "none", brief(late.data))


@rule("cohere-item-out-of-order", scope="stream", cites="COH-S-007")
def item_out_of_order(view: View) -> Iterator[Hit]:
    """A block of content or a call must end before the next one begins, and a citation before its block ends.

    Clients keep one item at a time: they add the pieces of one to another.
    """
    opened: list[tuple[str, object]] = []
    for event in view.events or ():
        kind, _, what = str(get(event.json, "type")).rpartition("-")
        item = (kind, get(event.json, "index"))
        begins = what == "start" and kind in ("content", "tool-call")
        if opened and (begins or kind == "tool-plan" or (what == "end" and item in opened[:-1])):
            yield Hit(event.pointer, "another item has not ended", f"{opened[-1][0]}-end", f"{kind}-{what}")
            return
        if begins or (what == "start" and kind == "citation"):
            opened.append(item)
        elif what == "end" and item in opened:
            opened.remove(item)
