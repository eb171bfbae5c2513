"""How a turn is cut into events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

from conformance.model.document import Document, Mark
from conformance.reference.behaviours import behaviour
from conformance.reference.documents import with_objects

_CHAT = ("openai-chat",)
_TYPED = ("anthropic-messages", "openai-responses")
_FREE = ("obfuscation", "sequence_number", "usageMetadata")
"""Keys in which two pieces of one thing may differ."""


def _renumbered(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The events with their `sequence_number`, if they have one, counted from 0."""
    numbers = count()
    return with_objects(
        documents,
        lambda value: {**value, "sequence_number": next(numbers)} if "sequence_number" in value else value,
    )


def _deltas(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A Chat chunk with its deltas changed."""
    if not isinstance(value, dict) or not isinstance(value.get("choices"), list):
        return value
    choices = [{**choice, "delta": change(choice["delta"])} for choice in value["choices"]]
    return {**value, "choices": choices}


def _fragments(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A Chat chunk with the fragments of its calls changed."""

    def changed(delta: dict[str, Any]) -> dict[str, Any]:
        calls = delta.get("tool_calls")
        return {**delta, "tool_calls": [change(each) for each in calls]} if calls else delta

    return _deltas(value, changed)


def _without(entries: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: each for key, each in entries.items() if key != name}


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
    level="stream",
    scenario="weather",
    grade="noise",
    words="the stream has [0-9]+ pieces where it had [0-9]+",
    dialects=("openai-chat", *_TYPED),
    streamed=True,
    hosted=True,
)
def one_delta(documents: list[Document | Mark]) -> list[Document | Mark]:
    """Texts and arguments come in one delta each."""
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
    "comments-between-events",
    level="stream",
    scenario="weather",
    grade="noise",
    words="the same JSON in other bytes",
    dialects=("openai-chat", *_TYPED, "gemini", "openai-completions"),
    streamed=True,
    hosted=True,
)
def comments_between_events(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A comment keeps the connection alive before each event."""
    comment = Mark(": keep-alive\n\n")
    return [part for each in documents for part in (comment, each)]


@behaviour(
    "ping-more",
    level="stream",
    scenario="weather",
    grade="noise",
    words="pings",
    dialects=("anthropic-messages",),
    streamed=True,
)
def ping_more(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A ping comes before every second event."""
    ping = next(each for each in documents if _name(each) == "ping")
    return [part for number, each in enumerate(documents) for part in ([ping, each] if number % 2 else [each])]


@behaviour(
    "obfuscation-gone",
    level="document",
    scenario="weather",
    grade="noise",
    words="padding",
    dialects=("openai-chat", "openai-responses"),
    streamed=True,
)
def obfuscation_gone(value: Any) -> Any:
    """Events are not padded."""
    return _without(value, "obfuscation")


@behaviour(
    "event-new",
    level="stream",
    scenario="weather",
    grade="review",
    words="the stream has events of a new type, (response.)?progress",
    dialects=_TYPED,
    streamed=True,
)
def event_new(documents: list[Document | Mark]) -> list[Document | Mark]:
    """An event of a type that nobody knows comes before the last one."""
    last = documents[-1]
    if not isinstance(last, Document):
        return documents
    name = "response.progress" if "sequence_number" in last.value else "progress"
    number = {"sequence_number": 0} if "sequence_number" in last.value else {}
    new = replace(last, value={"type": name, "percent": 99, **number}, event=name)
    return _renumbered([*documents[:-1], new, last])


@behaviour(
    "terminator-gone",
    level="stream",
    scenario="weather",
    grade="change",
    words=r"the stream ended with (\[DONE\]|message_stop), ends with",
    dialects=("openai-chat", "anthropic-messages", "openai-completions"),
    streamed=True,
    hosted=True,
)
def terminator_gone(documents: list[Document | Mark]) -> list[Document | Mark]:
    """A stream ends without the event that says so."""
    return documents[:-1]


@behaviour(
    "events-out-of-order",
    level="stream",
    scenario="weather",
    grade="change",
    words="the events come in another order",
    dialects=_TYPED,
    streamed=True,
)
def events_out_of_order(documents: list[Document | Mark]) -> list[Document | Mark]:
    """What closes a block or an item comes one event too early."""
    changed: list[Document | Mark] = []
    for each in documents:
        early = changed and _name(each) in ("content_block_stop", "response.output_item.done")
        changed.insert(len(changed) - 1 if early else len(changed), each)
    return _renumbered(changed)


@behaviour(
    "finish-with-the-last-piece",
    level="stream",
    scenario="weather",
    grade="review",
    words="the stop reason came in an event of its own, comes with the last piece",
    dialects=("openai-chat", "gemini"),
    streamed=True,
)
def finish_with_the_last_piece(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The stop reason does not come in a chunk of its own."""
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


@behaviour(
    "role-gone",
    level="document",
    scenario="weather",
    grade="review",
    words="the field choices/0/delta/role is gone",
    dialects=_CHAT,
    streamed=True,
    hosted=True,
)
def role_gone(value: Any) -> Any:
    """No delta says whose turn it is."""
    return _deltas(value, lambda delta: _without(delta, "role"))


@behaviour(
    "role-in-a-chunk-of-its-own",
    level="stream",
    scenario="geocode-then-weather",
    grade="noise",
    words="pieces where it had",
    dialects=_CHAT,
    streamed=True,
)
def role_in_a_chunk_of_its_own(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The role comes before everything else, alone."""
    first = documents[:1]
    alone = with_objects(first, lambda value: _deltas(value, lambda delta: _without(delta, "tool_calls")))
    rest = with_objects(first, lambda value: _deltas(value, lambda delta: _without(delta, "role")))
    return [*alone, *rest, *documents[1:]]


@behaviour(
    "id-in-every-fragment",
    level="stream",
    scenario="weather",
    grade="change",
    words="the id of a call comes with every fragment",
    dialects=_CHAT,
    streamed=True,
)
def id_in_every_fragment(documents: list[Document | Mark]) -> list[Document | Mark]:
    """Each fragment of a call repeats the id, not the first alone."""
    ids: dict[int, str] = {}

    def named(fragment: dict[str, Any]) -> dict[str, Any]:
        ids.setdefault(fragment["index"], fragment.get("id", ""))
        return {**fragment, "id": ids[fragment["index"]]}

    return with_objects(documents, lambda value: _fragments(value, named))


@behaviour(
    "index-from-one",
    level="document",
    scenario="weather",
    grade="change",
    words="the numbering choices/0/delta/tool_calls/0/index was 0, is 1",
    dialects=_CHAT,
    streamed=True,
)
def index_from_one(value: Any) -> Any:
    """Calls are counted from one."""
    return _fragments(value, lambda fragment: {**fragment, "index": fragment["index"] + 1})
