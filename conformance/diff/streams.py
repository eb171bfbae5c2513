"""Streams in two recordings, as events: their types, their order, their fields, and how they end.

The turn that a stream builds is compared like any other; this module compares the events themselves. Events of
one type are compared together, because their number does not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

from conformance.diff.notes import Notes
from conformance.diff.places import Differing
from conformance.model.dialect import Dialect
from conformance.model.jsontext import kind
from conformance.model.pointer import MISSING, join, without_numbers
from conformance.model.sse import Event
from conformance.model.transcript import Malformed, StreamEvent

_PINGS = ("ping",)
_PIECES = ("text", "reasoning", "tool_call_chunk")
_MARK = re.compile(r"\[[A-Z_]+\]")
"""The form of `[DONE]`, which is intentionally not JSON."""
_SHOWN = 4


@dataclass
class Found:
    """The content of one path in the events of one type: the JSON types, the values, and the first place of each."""

    pointer: str
    kinds: dict[str, Any] = field(default_factory=dict)
    values: Counter[Any] = field(default_factory=Counter)

    @property
    def first(self) -> Any:
        """The value that was found first."""
        return next(iter(self.kinds.values()))


class Stream:
    """One stream, with the stream events that each server-sent event adds."""

    def __init__(self, events: Sequence[Event], dialect: Dialect) -> None:
        self.events = events
        self.moments = [moment for moment in dialect.readers.stream_events(events) if moment.kind != "tool_call_end"]
        self._of: dict[int, list[StreamEvent]] = {}
        for moment in self.moments:
            self._of.setdefault(_number(moment.pointer), []).append(moment)

    @cached_property
    def labels(self) -> list[str]:
        return [label(event) for event in self.events]

    @cached_property
    def fields(self) -> Mapping[str, Mapping[str, Found]]:
        """For each type of event, the content of each of its paths."""
        found: dict[str, dict[str, Found]] = {}
        for event, name in zip(self.events, self.labels, strict=True):
            if not isinstance(event.json, (str, Malformed)):
                _collect(event.json, "", event.pointer, found.setdefault(name, {}))
        return found

    def moments_of(self, event: Event) -> list[StreamEvent]:
        return self._of.get(event.number, [])

    @cached_property
    def places_of_parts(self) -> set[str]:
        """The paths, within their events, of what the stream adds to the turns."""
        return {without_numbers("/" + "/".join(moment.pointer.split("/")[2:])) for moment in self.moments}

    @cached_property
    def steps(self) -> list[tuple[str, str]]:
        """What the stream does, step by step: an event's type, or of an event without one what it adds.

        Each step is a `piece` or a `mark`. Empty pieces and pings are left out.
        """
        steps: list[tuple[str, str]] = []
        carriers = {
            name
            for event, name in zip(self.events, self.labels, strict=True)
            if any(moment.kind in _PIECES for moment in self.moments_of(event))
            and not any(moment.kind == "tool_call_start" for moment in self.moments_of(event))
        }
        for event, name in zip(self.events, self.labels, strict=True):
            moments = self.moments_of(event)
            if name and name not in _PINGS:
                if name not in carriers:
                    steps.append((name, "mark"))
                elif moments:
                    steps.append((name, "piece"))
            elif not name:
                for moment in moments:
                    call = "" if moment.call is None else f" {moment.call}"
                    steps.append((f"{moment.kind}{call}", "piece" if moment.kind in _PIECES else "mark"))
        return [step for step, _ in groupby(steps)]

    @cached_property
    def stops_alone(self) -> bool | None:
        """Whether the stop reason is alone in its event; None if events have types, or there is no stop."""
        stops = [moment for moment in self.moments if moment.kind == "stop"]
        if not stops or any(self.labels[:-1]):
            return None
        at = _number(stops[0].pointer)
        return all(moment.kind == "stop" for moment in self._of.get(at, []))

    @cached_property
    def repeats_ids(self) -> bool:
        """Whether the id of a call came with more than one fragment of it."""
        ids = {moment.tool_call_id for moment in self.moments if moment.kind == "tool_call_start"}
        counts = Counter(
            value
            for event in self.events
            if any(moment.kind in ("tool_call_start", "tool_call_chunk") for moment in self.moments_of(event))
            and not label(event)
            for value in set(_strings(event.json))
        )
        return any(each is not None and counts[each] > 1 for each in ids)


def label(event: Event) -> str:
    """The type of an event: that of its body, its name, or its data if that is not JSON; empty if it has none."""
    if isinstance(event.json, dict):
        named = event.json.get("type")
        return named if isinstance(named, str) else event.name or ""
    if isinstance(event.json, Malformed):
        return event.data if _MARK.fullmatch(event.data) else "text that is not JSON"
    return event.name or (event.data if not isinstance(event.json, list) else "")


def _number(pointer: str) -> int:
    steps = pointer.split("/")
    return int(steps[1]) if len(steps) > 1 and steps[1].isdecimal() else -1


def _collect(value: Any, path: str, pointer: str, found: dict[str, Found]) -> None:
    """Notes the content of each path; objects with a type are grouped by it."""
    here = found.setdefault(path, Found(pointer))
    here.kinds.setdefault(kind(value), value)
    if isinstance(value, dict):
        for key, each in value.items():
            named = each.get("type") if isinstance(each, dict) else None
            typed = f"({named})" if isinstance(named, str) else ""
            _collect(each, join(path, key) + typed, join(pointer, key), found)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            named = each.get("type") if isinstance(each, dict) else None
            typed = f"({named})" if isinstance(named, str) else ""
            _collect(each, f"{path}/*{typed}", join(pointer, number), found)
    elif value is not None:
        here.values[value] += 1


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in _strings(each)]
    return [value] if isinstance(value, str) else []


def compare_streams(notes: Notes, old: Stream, new: Stream, *, same_parts: bool) -> None:
    """Notes the differences between two streams as events. `same_parts`: both turns have as many parts of each kind.

    Where they have not, the comparison of the turns reports why types of events are gone or new, or numbered otherwise.
    """
    _ends(notes, old, new)
    gone, added = (
        sorted(set(one.labels) - set(other.labels) - {"", *_PINGS}) for one, other in ((old, new), (new, old))
    )
    lasts = {old.labels[-1] if old.labels else "", new.labels[-1] if new.labels else ""}
    if same_parts:
        for name in gone:
            if name not in lasts:
                notes.fact("event-gone", "response", _where(old, name), None, what=name)
        for name in added:
            if name not in lasts:
                notes.fact("event-new", "response", None, _where(new, name), what=name)
        _order(notes, old, new)
    _fields(notes, old, new, same_parts=same_parts)
    if old.stops_alone is not None and new.stops_alone is not None and old.stops_alone != new.stops_alone:
        ways = {True: "in an event of its own", False: "with the last piece"}
        notes.fact("stop-alone", "response", old=ways[old.stops_alone], new=ways[new.stops_alone])
    if old.repeats_ids != new.repeats_ids:
        notes.fact("id-repeated" if new.repeats_ids else "id-once", "response")
    pings = [sum(name in _PINGS for name in stream.labels) for stream in (old, new)]
    if pings[0] != pings[1]:
        notes.fact("ping-count", "response", old=pings[0], new=pings[1])
    pieces = [len(stream.labels) - ping for stream, ping in zip((old, new), pings, strict=True)]
    if pieces[0] != pieces[1]:
        notes.fact("piece-count", "response", old=pieces[0], new=pieces[1])


def _where(stream: Stream, name: str) -> str:
    return stream.events[stream.labels.index(name)].pointer


def _ends(notes: Notes, old: Stream, new: Stream) -> None:
    if not old.events or not new.events:
        if bool(old.events) != bool(new.events):
            ends = ["nothing" if not stream.events else _name(stream.labels[-1]) for stream in (old, new)]
            notes.fact("terminator", "response", old=ends[0], new=ends[1])
        return
    last, end = old.labels[-1], new.labels[-1]
    at = old.events[-1].pointer, new.events[-1].pointer
    if last != end and (last not in new.labels or end not in old.labels):
        notes.fact("terminator", "response", *at, old=_name(last), new=_name(end))
    if old.events[-1].complete != new.events[-1].complete:
        word = "is cut off" if old.events[-1].complete else "is not cut off any more"
        notes.fact("stream-cut", "response", *at, what=word)


def _name(label: str) -> str:
    return label[:60] or "a chunk"


def _order(notes: Notes, old: Stream, new: Stream) -> None:
    """The steps that both streams know, in their order, each run of the same step once."""
    both = {name for name, _ in old.steps} & {name for name, _ in new.steps}
    one, other = ([name for (name, _), _ in groupby(s for s in stream.steps if s[0] in both)] for stream in (old, new))
    if one == other:
        return
    number = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    start = max(0, number - 1)
    shown = [", ".join(steps[start : start + _SHOWN]) or "nothing more" for steps in (one, other)]
    notes.fact("event-order", "response", old=shown[0], new=shown[1])


def _fields(notes: Notes, old: Stream, new: Stream, *, same_parts: bool) -> None:
    """The paths in events of the types that both streams have, without those of parts that only one side has."""
    uneven = set() if same_parts else old.places_of_parts ^ new.places_of_parts
    for name in (each for each in old.fields if each in new.fields):
        one, other = old.fields[name], new.fields[name]
        for path in sorted(one.keys() | other.keys()):
            before, after = one.get(path), other.get(path)
            if _is_part(path, uneven):
                continue
            if before is not None and after is not None:
                _compare(notes, path, before, after, same_parts=same_parts)
            elif _is_own_difference(path, one, other, same_parts=same_parts):
                _place(notes, path, _one_sided(one.get(path) or other[path], gone=path in one))


def _is_part(path: str, uneven: set[str]) -> bool:
    """Whether a path is, or contains, the place of a part that only one side has."""
    bare = _bare(path)
    return any(each.startswith(bare) or bare.startswith(f"{each}/") for each in uneven)


def _is_own_difference(path: str, one: Mapping[str, Found], other: Mapping[str, Found], *, same_parts: bool) -> bool:
    """Whether the comparison of a path that only one side has reports what no other comparison does.

    The object around it may itself be gone or new; the turn reports the number of items in an array; and an object
    with a type, in streams whose turns have other parts, is one of these.
    """
    around, _, last = path.rpartition("/")
    in_both = around in one and around in other
    return in_both and not without_numbers(path).endswith("/*") and (same_parts or "(" not in last)


def _one_sided(found: Found, *, gone: bool) -> Differing:
    if gone:
        return Differing("gone", found.pointer, "", found.first, MISSING)
    return Differing("new", "", found.pointer, MISSING, found.first)


def _bare(path: str) -> str:
    return "/".join(step.partition("(")[0] for step in path.split("/"))


def _compare(notes: Notes, path: str, before: Found, after: Found, *, same_parts: bool) -> None:
    one, other = set(before.kinds) - {"null"}, set(after.kinds) - {"null"}
    if one != other and one and other:
        if one & other:
            return  # the same types, and now and then one more: a union that the values do not settle
        pair = before.kinds[min(one)], after.kinds[min(other)]
        _place(notes, path, Differing("type", before.pointer, after.pointer, *pair))
    elif one != other:
        pair = (before.kinds[min(one)] if one else None), (after.kinds[min(other)] if other else None)
        _place(notes, path, Differing("null", before.pointer, after.pointer, *pair))
    elif set(before.values) != set(after.values) and (same_parts or not _bare(path).endswith("index")):
        gone = [value for value in before.values if value not in after.values]
        added = [value for value in after.values if value not in before.values]
        for pair in zip(gone, added, strict=False):  # if one side only has more, their number has been reported
            _place(notes, path, Differing("value", before.pointer, after.pointer, *pair))


def _place(notes: Notes, path: str, found: Differing) -> None:
    """Notes a place of the events of one type, under the path that it has in each of them."""
    notes.place("response", found, streamed=True, path=_bare(path))
