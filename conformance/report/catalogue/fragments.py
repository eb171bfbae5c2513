"""Fragments: a few lines of an exchange around one place, trimmed until the place is seen.

A place is a list of tokens into an exchange object as `Example.document` gives it: `response`, `body`, `choices`, ...,
or `response`, `events`, `4`, `data`, .... A line that begins with `//` is not on the wire.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.model import sse
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.frozen import dataclass
from conformance.model.pointer import MISSING, get, join, split

_ROOM = 96
_EVENT_ROOM = 168
_TEXT = 320
_MEMBERS = 8
_EVENT = ("response", "events", "4")

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fragment:
    """`place` is where the lines stand, as findings write it."""

    place: str
    lines: tuple[str, ...]


def place_of(finding: Finding, record: dict[str, Any]) -> Tokens | None:
    """Where a finding points in its exchange; None where it is about a whole message."""
    if finding.pointer is None or finding.side is None:
        return None
    if not finding.pointer.startswith("event/"):
        return (finding.side, "body", *split(finding.pointer))
    _, number, *rest = split(f"/{finding.pointer}")
    message = record[finding.side]
    if "events" not in message and isinstance(message.get("body"), list):
        return (finding.side, "body", number, *rest)
    return (finding.side, "events", number, *(("data", *rest) if rest else ()))


def opened(record: dict[str, Any]) -> dict[str, Any]:
    """The exchange with a streamed body that is text taken apart into its events."""
    response = record["response"]
    body = response.get("body")
    if "events" in response or not isinstance(body, str) or not Exchange.of(record).response.is_event_stream:
        return record
    events = [{"event": event.name, "data": event.data} for event in sse.events(body)]
    rest = {key: value for key, value in response.items() if key != "body"}
    return {**record, "response": {**rest, "events": events}}


def fragment(record: dict[str, Any], place: Tokens, note: str = "", beside: Any = None) -> Fragment:
    """The lines around a place, with a note at it.

    `beside` is the same exchange without the fault, or with it: both are shown from the deepest place that both have,
    and of a long text only the part around the first difference.
    """
    if place[:2] == ("response", "body") and "body" not in record["response"]:
        place = ("response", "events", "0")
    if place[1:2] == ("events",) and len(_reachable(record, place)) <= len(_EVENT):
        number = int(place[2]) if len(place) > 2 else 0
        return Fragment(f"{place[0]} event/{number}", tuple(_events(record, number, note)))
    path = _reachable(record, place)
    if beside is not None and len(path) == len(place) > 3:
        shared = _reachable(beside, place)
        path = path[: max(len(shared), len(place) - 1)]
    value = _at(record, path)
    key: str | None = None
    if len(path) == len(place) > 2 and not (isinstance(value, (dict, list)) and value):
        path, key = path[:-1], path[-1]
    held = _at(record, path)
    if held is MISSING:
        return Fragment(_name(path), ("(absent)",))
    other = _at(beside, path) if beside is not None else MISSING
    if isinstance(held, (dict, list)):
        return Fragment(_name(path), tuple(_container(held, key, note, other)))
    text = compact(held, _TEXT) if len(path) == 2 else _scalar(held, other)
    return Fragment(_name(path), tuple(_noted(text, note)))


def _reachable(record: Any, place: Tokens) -> Tokens:
    """The part of the place that exists."""
    end = len(place)
    while end > 1 and _at(record, place[:end]) is MISSING:
        end -= 1
    return place[:end]


def _at(record: Any, path: Sequence[str]) -> Any:
    return get(record, join("", *path))


def _name(path: Tokens) -> str:
    """The place as findings write it."""
    if len(path) == 1:
        return f"{path[0]} of the batch file"
    side, part, *rest = path
    if part == "events":
        number, *inner = rest
        return f"{side} event/{number}{join('', *inner[1:])}"
    return f"{side} {join('', *rest)}".strip() if part == "body" else f"{side} {part}"


def _noted(line: str, note: str) -> Iterator[str]:
    """A line, and below it the note about it."""
    yield line
    if note:
        yield f"{' ' * (len(line) - len(line.lstrip()))}// ^ {note}"


def _events(record: Any, focus: int, note: str) -> Iterator[str]:
    """The event of a place between its neighbours, each on one line."""
    events = get(record, "/response/events")
    events = events if isinstance(events, list) else []
    for number in range(max(0, min(focus, len(events)) - 1), min(len(events), focus + 2)):
        event = events[number]
        name = f"{event['event']} " if event.get("event") else ""
        data = event["data"]
        shown = _cut(data, _ROOM) if isinstance(data, str) else _essence(data)
        yield from _noted(f"event/{number}: {name}{shown}", note if number == focus else "")
    if focus >= len(events):
        yield from _noted("(end of the stream)", note)


def _essence(data: Any) -> str:
    """An event's data on one line: what is in it rather than what it is called."""
    if not isinstance(data, dict) or len(json.dumps(data, ensure_ascii=False)) <= _EVENT_ROOM:
        return compact(data, _EVENT_ROOM)
    inner = {key: value for key, value in data.items() if isinstance(value, (dict, list)) and value}
    return f"{compact(inner, _EVENT_ROOM)[:-1]}, …}}" if inner else compact(data, _EVENT_ROOM)


def _container(held: Any, key: str | None, note: str, other: Any) -> Iterator[str]:
    """An object or an array, a line for each member, those far from the key left out."""
    brackets = "{}" if isinstance(held, dict) else "[]"
    members = (
        list(held.items()) if isinstance(held, dict) else [(str(number), each) for number, each in enumerate(held)]
    )
    focus = next((number for number, (name, _) in enumerate(members) if name == key), None)
    middle = _first_difference(held, other) if focus is None else focus
    start = max(0, min(middle - _MEMBERS // 2, len(members) - _MEMBERS))
    yield from _noted(brackets[0], note if focus is None else "")
    if start:
        yield "  …"
    for number in range(start, min(len(members), start + _MEMBERS)):
        name, value = members[number]
        before = get(other, join("", name)) if isinstance(other, (dict, list)) else MISSING
        label = f"{json.dumps(name, ensure_ascii=False)}: " if isinstance(held, dict) else ""
        comma = "," if number + 1 < len(members) else ""
        yield from _noted(f"  {label}{_scalar(value, before)}{comma}", note if number == focus else "")
    if start + _MEMBERS < len(members):
        yield "  …"
    yield brackets[1]


def _first_difference(held: Any, other: Any) -> int:
    """The number of the first member that is not the same in the other; 0 where that is unknown."""
    if type(held) is not type(other):
        return 0
    here, there = (list(each.items()) if isinstance(each, dict) else each for each in (held, other))
    shared = min(len(here), len(there))
    return next((number for number in range(shared) if here[number] != there[number]), shared)


def _scalar(value: Any, other: Any) -> str:
    """A value on one line; of a long text the part where it differs from the other."""
    if not isinstance(value, str) or len(value) <= _ROOM:
        return compact(value, _ROOM)
    if not isinstance(other, str):
        return compact(value, _ROOM)
    same = next((n for n, (a, b) in enumerate(zip(value, other, strict=False)) if a != b), min(len(value), len(other)))
    start = max(0, min(same - 30, len(value) - _ROOM))
    piece = value[start : start + _ROOM]
    head, tail = "…" if start else "", "…" if start + _ROOM < len(value) else ""
    return json.dumps(f"{head}{piece}{tail}", ensure_ascii=False)


def compact(value: Any, room: int) -> str:
    """The value as JSON on one line, with … for what does not fit into about so many characters."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) <= room:
        return whole
    if isinstance(value, str):
        return json.dumps(f"{value[: max(room - 3, 8)]}…", ensure_ascii=False)
    if not isinstance(value, (dict, list)):
        return _cut(whole, room)
    brackets = "{}" if isinstance(value, dict) else "[]"
    if room < 16:
        return f"{brackets[0]}…{brackets[1]}"
    pieces: list[str] = []
    left = room
    for item in value.items() if isinstance(value, dict) else enumerate(value):
        label = f"{json.dumps(item[0], ensure_ascii=False)}: " if isinstance(value, dict) else ""
        if left < 20 and pieces:
            pieces.append("…")
            break
        pieces.append(f"{label}{compact(item[1], max(10, left - len(label) - 10))}")
        left -= len(pieces[-1]) + 2
    return f"{brackets[0]}{', '.join(pieces)}{brackets[1]}"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"
