"""How a turn is cut into events."""

from __future__ import annotations

from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.documents import Document

_FREE = ("obfuscation", "sequence_number", "usageMetadata")
"""Keys in which two pieces of one thing may differ."""


def _renumbered(documents: list[Document]) -> list[Document]:
    """The events of a stream that numbers them, numbered without a gap."""
    number = -1
    changed = []
    for each in documents:
        if isinstance(each.value, dict) and "sequence_number" in each.value:
            number += 1
            changed.append(each.having({**each.value, "sequence_number": number}))
        else:
            changed.append(each)
    return changed


def _joined(one: Any, other: Any) -> tuple[Any, int]:
    """Two pieces of the same thing as one, and how many strings had to be joined for it; -1 where they are not that."""
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
    level="stream",
    scenario="weather",
    grade="noise",
    words="the stream has [0-9]+ pieces where it had [0-9]+",
    streamed=True,
    hosted=True,
)
def one_delta(documents: list[Document]) -> list[Document]:
    """Texts and arguments come in one delta each."""
    changed: list[Document] = []
    for each in documents:
        if changed and changed[-1].value is not None and each.value is not None:
            value, joined = _joined(changed[-1].value, each.value)
            if joined == 1:
                changed[-1] = changed[-1].having(value)
                continue
        changed.append(each)
    return _renumbered(changed)


@behaviour(
    "comments-between-events",
    level="stream",
    scenario="weather",
    grade="noise",
    words="the same JSON in other bytes",
    streamed=True,
    hosted=True,
)
def comments_between_events(documents: list[Document]) -> list[Document]:
    """A comment keeps the connection alive before each event."""
    comment = Document(None, ": keep-alive\n\n", original=b": keep-alive\n\n")
    return [part for each in documents for part in (comment, each)]


@behaviour(
    "obfuscation-gone",
    level="document",
    scenario="weather",
    grade="noise",
    words="padding",
    streamed=True,
)
def obfuscation_gone(value: Any) -> Any:
    """Events are not padded."""
    return {key: each for key, each in value.items() if key != "obfuscation"}


@behaviour(
    "event-new",
    level="stream",
    scenario="weather",
    grade="review",
    words="the stream has events of a new type, (response.)?progress",
    streamed=True,
)
def event_new(documents: list[Document]) -> list[Document]:
    """An event of a type that nobody knows comes before the last one."""
    last = documents[-1]
    name = "response.progress" if "sequence_number" in last.value else "progress"
    number = {"sequence_number": 0} if "sequence_number" in last.value else {}
    return _renumbered([*documents[:-1], last.having({"type": name, "percent": 99, **number}, name), last])


@behaviour(
    "terminator-gone",
    level="stream",
    scenario="weather",
    grade="change",
    words=r"the stream ended with (\[DONE\]|message_stop), ends with",
    streamed=True,
    hosted=True,
)
def terminator_gone(documents: list[Document]) -> list[Document]:
    """A stream ends without the event that says so."""
    return documents[:-1]


@behaviour(
    "events-out-of-order",
    level="stream",
    scenario="weather",
    grade="change",
    words="the events come in another order",
    streamed=True,
)
def events_out_of_order(documents: list[Document]) -> list[Document]:
    """What closes a block or an item comes one event too early."""
    changed: list[Document] = []
    for each in documents:
        early = changed and each.name in ("content_block_stop", "response.output_item.done")
        changed.insert(len(changed) - 1 if early else len(changed), each)
    return _renumbered(changed)


@behaviour(
    "finish-with-the-last-piece",
    level="stream",
    scenario="weather",
    grade="review",
    words="the stop reason came in an event of its own, comes with the last piece",
    streamed=True,
)
def finish_with_the_last_piece(documents: list[Document]) -> list[Document]:
    """The stop reason does not come in a chunk of its own."""
    for number, each in enumerate(documents):
        for key, reason in (("choices", "finish_reason"), ("candidates", "finishReason")):
            ends = each.value.get(key) if isinstance(each.value, dict) else None
            if number and ends and ends[0].get(reason):
                before = documents[number - 1]
                whole = [{**before.value[key][0], reason: ends[0][reason]}]
                merged = before.having({**before.value, key: whole})
                return [*documents[: number - 1], merged, *documents[number + 1 :]]
    return documents
