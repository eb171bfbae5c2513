"""Whole streams: the names of the events, their outputs, the end. docs/contract/mistral-conversations.md, MIC-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.event_names import misnamed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.values import get


@rule("conversations-event-name-mismatch", scope="stream", cites="MIC-S-001")
def event_name_mismatch(view: View) -> Iterator[Hit]:
    """Every event must have a name that equals the `type` in its data.

    Clients read one or the other; if they differ, some clients misread the event.
    """
    yield from misnamed((event, get(event.json, "type")) for event in view.events or ())


@rule("conversations-mark-unexpected", scope="stream", cites="MIC-S-002")
def mark_unexpected(view: View) -> Iterator[Hit]:
    """No mark must end a stream: its last event does.

    The official SDK parses all data as JSON, and fails at the mark.
    """
    for event in view.events or ():
        if event.data.strip() == "[DONE]":
            yield Hit(event.pointer, "a mark ends the stream", "no data", "data: [DONE]")


@rule("conversations-output-mismatch", scope="stream", cites="MIC-S-006")
def output_mismatch(view: View) -> Iterator[Hit]:
    """All events of an output must have its `output_index` and its id, its model or agent, and a call its name.

    Clients add the pieces of two outputs to one.
    """
    known: dict[object, dict[str, object]] = {}
    for event in view.events or ():
        number = get(event.json, "output_index")
        if not isinstance(number, int):
            continue
        before = known.setdefault(number, event.json)
        for key in ("id", "tool_call_id", "name", "model", "agent_id"):
            first, this = before.get(key), event.json.get(key)
            if first is not None and this is not None and first != this:
                yield Hit(
                    join(event.pointer, key), f"`{key}` differs within output {number}", brief(first), brief(this)
                )
                break
