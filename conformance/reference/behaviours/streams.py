"""How a turn is cut into events."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.document import Document, Mark
from conformance.model.document_changes import with_objects, without

_FREE = ("obfuscation", "sequence_number", "usageMetadata")
"""Keys in which two pieces of one thing may differ."""


def _renumbered(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The events with their `sequence_number`, if they have one, counted from 0."""
    numbers = count()
    return with_objects(
        documents,
        lambda value: {**value, "sequence_number": next(numbers)} if "sequence_number" in value else value,
    )


def _name(part: Document | Mark) -> str | None:
    """The name of an event, if it has one."""
    return part.event if isinstance(part, Document) else None


def _joined(one: Any, other: Any) -> tuple[Any, int]:
    """Two pieces of one thing joined, and how many strings were joined; -1 if they are not pieces of one thing."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        if one.get("type") != other.get("type"):
            return one, -1
        pairs = {key: (one[key], 0) if key in _FREE else _joined(one[key], other[key]) for key in one}
        bad = any(count < 0 for _, count in pairs.values())
        return {key: each for key, (each, _) in pairs.items()}, -1 if bad else sum(count for _, count in pairs.values())
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        items = [_joined(*pair) for pair in zip(one, other, strict=True)]
        bad = any(count < 0 for _, count in items)
        return [each for each, _ in items], -1 if bad else sum(count for _, count in items)
    if one == other:
        return one, 0
    if isinstance(one, str) and isinstance(other, str) and one:
        return one + other, 1
    return one, -1


@behaviour(
    "one-delta",
    "stream",
    "noise",
    "the number of pieces in the stream changed from [0-9]+ to [0-9]+",
    streamed=True,
    hosted=True,
)
def one_delta(documents: list[Document | Mark]) -> list[Document | Mark]:
    """Each text and each arguments string is sent in a single delta."""
    changed: list[Document | Mark] = []
    for each in documents:
        last = changed[-1] if changed else None
        if isinstance(last, Document) and isinstance(each, Document):
            value, joined = _joined(last.value, each.value)
            if joined == 1:
                changed[-1] = replace(last, value=value)
                continue
        changed.append(each)
    return _renumbered(changed)


@behaviour(
    "comments-between-events", "stream", "noise", "the same JSON, serialised differently", streamed=True, hosted=True
)
def comments_between_events(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A keep-alive comment is sent before each event."""
    comment = Mark(": keep-alive\n\n")
    return [part for each in documents for part in (comment, each)]


@behaviour("obfuscation-gone", "document", "noise", "padding", streamed=True)
def obfuscation_gone(value: Any) -> Any:
    """Events have no padding."""
    return without(value, "obfuscation")


@behaviour("event-new", "stream", "review", "the stream has a new event type, (response.)?progress", streamed=True)
def event_new(documents: list[Document | Mark]) -> list[Document | Mark]:
    """An event of an unknown type is sent before the last one."""
    last = documents[-1]
    if not isinstance(last, Document):
        return documents
    name = "response.progress" if "sequence_number" in last.value else "progress"
    number = {"sequence_number": 0} if "sequence_number" in last.value else {}
    new = replace(last, value={"type": name, "percent": 99, **number}, event=name)
    return _renumbered([*documents[:-1], new, last])


@behaviour(
    "terminator-gone",
    "stream",
    "change",
    r"the stream ended with (\[DONE\]|message_stop), now with",
    streamed=True,
    hosted=True,
)
def terminator_gone(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A stream ends without its terminating event."""
    return documents[:-1]


@behaviour("events-out-of-order", "stream", "change", "the order of the events changed", streamed=True)
def events_out_of_order(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The event that closes a block or item is sent one event too early."""
    changed: list[Document | Mark] = []
    for each in documents:
        early = changed and _name(each) in ("content_block_stop", "response.output_item.done")
        changed.insert(len(changed) - 1 if early else len(changed), each)
    return _renumbered(changed)


@behaviour(
    "finish-with-the-last-piece",
    "stream",
    "review",
    "the stop reason came in an event of its own, now with the last piece",
    streamed=True,
)
def finish_with_the_last_piece(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The stop reason is sent with the last piece, not in a chunk of its own."""
    for number, (before, each) in enumerate(pairwise(documents)):
        if not (isinstance(before, Document) and isinstance(each, Document)):
            continue
        for key, reason in (("choices", "finish_reason"), ("candidates", "finishReason")):
            ends = each.value.get(key)
            if ends and ends[0].get(reason):
                whole = [{**before.value[key][0], reason: ends[0][reason]}]
                merged = replace(before, value={**before.value, key: whole})
                return [*documents[:number], merged, *documents[number + 2 :]]
    return documents
