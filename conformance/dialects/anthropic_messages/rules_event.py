"""Messages streams: single events and their content, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import kind_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "messages-event-name-mismatch",
    scope="stream",
    cites="ANT-S-001",
)
def event_name_mismatch(view: View) -> Iterator[Hit]:
    """Every event must have a name, and its data the same value as `type`.

    SDKs check the name before they parse the data, and silently drop an event without one.
    """
    if not view.exchange.response.is_event_stream:
        return
    for event in view.events or ():
        if not isinstance(event.json, dict):
            continue
        wire = kind_of(event.json)
        if wire is not None and event.name != wire:
            name = event.name or "no event line"
            yield Hit(event.pointer, f"{name} names the event, {wire} its data", wire, name)
