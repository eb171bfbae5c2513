"""Messages streams: single events and what they carry, docs/contract/anthropic-messages.md, ANT-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import kind_of
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _ANSWER = "anthropic-messages/stream-call", "anthropic-messages/stream-answer"
_ERROR, _VERTEX = "anthropic-messages/stream-failure", "anthropic-messages/vertex"
_EVENTS = "/0/response/events"
_TYPES = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
        "error",
    }
)


@rule(
    "messages-event-name-mismatch",
    scope="stream",
    basis="observed",
    cites=["ANT-S-001 recorded traffic 4217/4217"],
    conforming=[example(_CALL), example(_ERROR)],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/3/event")),
        example(_CALL, put(f"{_EVENTS}/3/event", "message_delta")),
        example(_CALL, drop(f"{_EVENTS}/2/data/type")),
    ],
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
        if wire is None or event.name != wire:
            name, word = event.name or "no event line", wire or "no type"
            yield Hit(event.pointer, f"the event's name is {name}, but the type in its data is {word}", word, name)


@rule(
    "messages-stream-start-content-unexpected",
    scope="stream",
    basis="observed",
    cites=["ANT-S-003 recorded traffic 117/117"],
    conforming=[example(_CALL)],
    violating=[
        example(_ANSWER, put(f"{_EVENTS}/0/data/message/content", [{"type": "text", "text": "14.2"}])),
        example(_ANSWER, put(f"{_EVENTS}/0/data/message/stop_reason", "end_turn")),
        example(_ANSWER, put(f"{_EVENTS}/0/data/message", None)),
        example(_ANSWER, drop(f"{_EVENTS}/0/data/message")),
    ],
)
def stream_start_content_unexpected(view: View) -> Iterator[Hit]:
    """The message in `message_start` must have no content and no stop reason yet.

    Its content is sent again as blocks, so a client that adds them up has it twice.
    """
    for wire, data, event in typed(view.events or ()):
        if wire != "message_start":
            continue
        message = data.get("message")
        if not isinstance(message, dict):
            where = join(event.pointer, "message") if "message" in data else event.pointer
            yield Hit(where, "message_start has no message", "a message object", brief(message))
            continue
        at = join(event.pointer, "message")
        if message.get("content"):
            yield Hit(
                join(at, "content"), "the message in message_start already has content", "[]", brief(message["content"])
            )
        for key in ("stop_reason", "stop_sequence"):
            if message.get(key) is not None:
                yield Hit(
                    join(at, key), f"the message in message_start already has a {key}", "null", brief(message[key])
                )


@rule(
    "messages-output-token-count-wrong",
    scope="stream",
    basis="observed",
    cites=["ANT-S-010 recorded traffic 117/117"],
    violating=[example(_CALL, put(f"{_EVENTS}/16/data/usage/output_tokens", 2))],
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


@rule(
    "messages-event-unknown",
    severity=Severity.INFO,
    scope="stream",
    basis="sdk-type",
    cites=["ANT-S-012 anthropic 2.11 _streaming.py", "ANT-S-012 platform.claude.com/docs/en/api/versioning"],
    conforming=[example(_CALL), example(_VERTEX)],
    violating=[
        example(
            _CALL,
            insert(f"{_EVENTS}/1", {"event": "message_note", "data": {"type": "message_note"}}),
            at="0 response event/1/type",
        )
    ],
)
def event_unknown(view: View) -> Iterator[Hit]:
    """Every event should be of a type known to this suite.

    Clients ignore new types, so this is not an error; but such an event is not checked further.
    """
    for wire, _, event in typed(view.events or ()):
        if wire is not None and wire not in _TYPES:
            yield Hit(join(event.pointer, "type"), f"{wire} is not a known event", "a known type", wire)
