"""Messages streams: single events and their content, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import kind_of
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join


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


@rule(
    "messages-output-token-count-wrong",
    scope="stream",
    cites="ANT-S-010",
)
def output_token_count_wrong(view: View) -> Iterator[Hit]:
    """The output tokens of a stream are cumulative and must never decrease.

    A client keeps the last count, so a count of only the last piece makes the cost look too small.
    """
    most: float = 0
    for wire, data, event in typed(view.events or ()):
        holder, at = data, event.pointer
        if wire == "message_start" and isinstance(data.get("message"), dict):
            holder, at = data["message"], join(at, "message")
        usage = holder.get("usage") if wire in ("message_start", "message_delta") else None
        count = usage.get("output_tokens") if isinstance(usage, dict) else None
        if isinstance(count, (int, float)) and not isinstance(count, bool):
            if count < most:
                where = join(at, "usage", "output_tokens")
                yield Hit(where, "output_tokens decreases", f"at least {most}", brief(count))
            most = max(most, count)
