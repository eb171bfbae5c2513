"""The order of a completion's stream: texts, one finish for each choice, [usage], [DONE]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_completions.reply import choices_of
from conformance.dialects.openai_completions.stream import failed
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event

DONE = "[DONE]"
_SAME = ("id", "created", "model")


class Fault(Enum):
    """The faults that the walk looks for; each belongs to one rule, which reports it."""

    EVENT_NAME_UNEXPECTED = auto()
    EVENT_AFTER_DONE_UNEXPECTED = auto()
    EVENT_AFTER_ERROR_UNEXPECTED = auto()
    CHUNK_IDENTITY_CHANGED = auto()
    CHUNK_INDEX_WRONG = auto()
    FINISH_REPEATED = auto()
    TEXT_AFTER_FINISH_UNEXPECTED = auto()
    CHUNK_CHOICES_EMPTY = auto()
    USAGE_UNEXPECTED = auto()
    USAGE_MISPLACED = auto()
    DONE_MISSING = auto()
    FINISH_MISSING = auto()
    USAGE_MISSING = auto()


@dataclass
class _Walk:
    """The state of the walk so far."""

    found: dict[Fault, list[Hit]] = field(default_factory=dict)
    first: dict[str, Any] = field(default_factory=dict)
    choices: dict[int, str] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    usage: int = 0
    done: bool = False
    failed: bool = False

    def fault(self, fault: Fault, hit: Hit) -> None:
        self.found.setdefault(fault, []).append(hit)


@lru_cache(maxsize=2)
def faults(view: View) -> Mapping[Fault, Sequence[Hit]]:
    """All hits of a stream; it is walked once for all rules."""
    walk = _Walk()
    options = view.request.get("stream_options") if isinstance(view.request, dict) else None
    wants_usage = isinstance(options, dict) and options.get("include_usage") is True
    for event in view.events or ():
        _step(walk, event, wants_usage=wants_usage)
    _end(walk, view.events or (), wants_usage=wants_usage)
    return walk.found


def hits(view: View, fault: Fault) -> Iterator[Hit]:
    """The hits of one fault."""
    yield from faults(view).get(fault, ())


def _step(walk: _Walk, event: Event, *, wants_usage: bool) -> None:
    if event.name is not None:
        hit = Hit(event.pointer, "the event has a name", "no event name", event.name)
        walk.fault(Fault.EVENT_NAME_UNEXPECTED, hit)
    if walk.done:
        hit = Hit(event.pointer, "data follows [DONE]", "no data", brief(event.data))
        walk.fault(Fault.EVENT_AFTER_DONE_UNEXPECTED, hit)
        return
    if DONE in (event.data.strip(), event.json):
        walk.done = True
        return
    if walk.failed:
        hit = Hit(event.pointer, "data follows an error", "[DONE] or the end", brief(event.data))
        walk.fault(Fault.EVENT_AFTER_ERROR_UNEXPECTED, hit)
    if failed(event):
        walk.failed = True
        return
    if not isinstance(event.json, dict):
        return
    _same(walk, event)
    for entry, at in choices_of(event.json, event.pointer):
        _choice(walk, entry, at)
    _usage(walk, event, wants_usage=wants_usage)


def _same(walk: _Walk, event: Event) -> None:
    for key in _SAME:
        value = event.json.get(key)
        if not isinstance(value, (str, int)):
            continue
        first = walk.first.setdefault(key, value)
        if value != first and key not in walk.told:
            walk.told.add(key)
            hit = Hit(join(event.pointer, key), f"`{key}` differs from the first chunk", brief(first), brief(value))
            walk.fault(Fault.CHUNK_IDENTITY_CHANGED, hit)


def _choice(walk: _Walk, entry: Mapping[str, Any], at: str) -> None:
    index = entry.get("index")
    if not isinstance(index, int):
        return
    if index not in walk.choices and index != len(walk.choices) and "index" not in walk.told:
        walk.told.add("index")
        hit = Hit(join(at, "index"), "a new choice skips an index", str(len(walk.choices)), str(index))
        walk.fault(Fault.CHUNK_INDEX_WRONG, hit)
    walk.choices.setdefault(index, at)
    finish = entry.get("finish_reason")
    if index in walk.finished:
        if finish is not None:
            hit = Hit(join(at, "finish_reason"), "a second finish_reason", "null", brief(finish))
            walk.fault(Fault.FINISH_REPEATED, hit)
        elif entry.get("text"):
            hit = Hit(join(at, "text"), "text after the finish_reason", "no text", brief(entry["text"]))
            walk.fault(Fault.TEXT_AFTER_FINISH_UNEXPECTED, hit)
    elif finish is not None:
        walk.finished.add(index)


def _usage(walk: _Walk, event: Event, *, wants_usage: bool) -> None:
    if not isinstance(event.json.get("usage"), dict):
        if event.json.get("choices") == [] and "empty" not in walk.told:
            walk.told.add("empty")
            hit = Hit(join(event.pointer, "choices"), "the chunk has neither choices nor usage", "a choice", "[]")
            walk.fault(Fault.CHUNK_CHOICES_EMPTY, hit)
        return
    at = join(event.pointer, "usage")
    walk.usage += 1
    if not wants_usage:
        if walk.usage == 1:
            hit = Hit(at, "usage was sent, but the request did not ask for it", "no usage")
            walk.fault(Fault.USAGE_UNEXPECTED, hit)
    elif event.json.get("choices") == [] and walk.finished != walk.choices.keys():
        walk.fault(Fault.USAGE_MISPLACED, Hit(at, "usage was sent before the finish", "usage in the last chunk"))


def _end(walk: _Walk, events: Sequence[Event], *, wants_usage: bool) -> None:
    if not events:
        return
    taken_apart = not any(event.data for event in events)  # by a recorder, which may have left `[DONE]` out
    if not walk.done and not taken_apart and not walk.failed:
        walk.fault(Fault.DONE_MISSING, Hit(None, "the stream ends without [DONE]", "data: [DONE]", "no [DONE]"))
    if walk.failed:
        return
    for index, at in walk.choices.items():
        if index not in walk.finished:
            walk.fault(Fault.FINISH_MISSING, Hit(at, "the choice has no finish_reason", "a finish_reason"))
    if wants_usage and not walk.usage:
        hit = Hit(None, "the request asked for usage, but the stream has none", "a chunk with usage")
        walk.fault(Fault.USAGE_MISSING, hit)
