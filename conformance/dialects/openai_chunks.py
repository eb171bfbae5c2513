"""What the streams of Chat Completions and of completions share: unnamed events, one identity, usage, and `[DONE]`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from enum import Enum, auto
from typing import Any

from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.sse import Event

DONE = "[DONE]"
_SAME = ("id", "created", "model")


class Fault(Enum):
    """The faults that a walk looks for; each belongs to one rule of a dialect, which reports it."""

    EVENT_NAME_UNEXPECTED = auto()
    EVENT_AFTER_DONE_UNEXPECTED = auto()
    EVENT_AFTER_ERROR_UNEXPECTED = auto()
    CHUNK_IDENTITY_CHANGED = auto()
    CHUNK_INDEX_WRONG = auto()
    CHUNK_CHOICES_EMPTY = auto()
    USAGE_KEY_MISSING = auto()
    USAGE_UNEXPECTED = auto()
    USAGE_MISPLACED = auto()
    FINISH_REPEATED = auto()
    TEXT_AFTER_FINISH_UNEXPECTED = auto()
    DELTA_AFTER_FINISH_UNEXPECTED = auto()
    FINISH_DELTA_UNEXPECTED = auto()
    ROLE_REPEATED = auto()
    TOOL_CALL_INDEX_WRONG = auto()
    FIRST_FRAGMENT_INCOMPLETE = auto()
    FRAGMENTS_OUT_OF_ORDER = auto()
    TOOL_CALL_INDEX_REUSED = auto()
    FRAGMENT_ID_REPEATED = auto()
    FRAGMENT_NAME_REPEATED = auto()
    DONE_MISSING = auto()
    ROLE_MISSING = auto()
    FINISH_MISSING = auto()
    USAGE_MISSING = auto()


Hits = Mapping[Fault, Sequence[Hit]]


class Walk(ABC):
    """One walk over a stream, which finds the faults for all rules. A dialect adds what it reads in a chunk."""

    def __init__(self) -> None:
        self.wants_usage: bool | None = None  # unknown: the request is no JSON
        self.failed = False
        self._done = False
        self._found: dict[Fault, list[Hit]] = {}
        self._reported: set[object] = set()
        self._first: dict[str, Any] = {}

    @abstractmethod
    def chunk(self, event: Event) -> None:
        """Looks at a chunk that is an object and no error."""

    @abstractmethod
    def unfinished(self) -> None:
        """Looks at what is open when the stream ends without an error."""

    def hits(self, view: View) -> Hits:
        """All hits of a stream."""
        if view.sent is not None:
            options = view.sent.get("stream_options")
            self.wants_usage = isinstance(options, dict) and options.get("include_usage") is True
        events = view.events or ()
        for event in events:
            self._event(event)
        if events and not self.failed:
            taken_apart = not any(event.data for event in events)  # by a recorder, which may have left `[DONE]` out
            if not self._done and not taken_apart:
                self.fault(Fault.DONE_MISSING, Hit(None, "the stream ends without [DONE]", "data: [DONE]", "no [DONE]"))
            self.unfinished()
        return self._found

    def fault(self, fault: Fault, hit: Hit, *, once: object = None) -> None:
        """Notes a hit; with `once`, only the first of this fault at the place that it names."""
        if once is None or (fault, once) not in self._reported:
            self._reported.add((fault, once))
            self._found.setdefault(fault, []).append(hit)

    def same(self, event: Event, *, harmless: Container[str] = ()) -> None:
        """Compares the chunk's identity with the first one; a change of a `harmless` member is a warning."""
        for key in _SAME:
            value = event.json.get(key)
            if not isinstance(value, (str, int)) or value == self._first.setdefault(key, value):
                continue
            message, first = f"`{key}` differs from the first chunk's", brief(self._first[key])
            harm = Severity.WARNING if key in harmless else None
            hit = Hit(join(event.pointer, key), message, first, brief(value), harm)
            self.fault(Fault.CHUNK_IDENTITY_CHANGED, hit, once=key)

    def _event(self, event: Event) -> None:
        at = event.pointer
        if event.name is not None:
            self.fault(Fault.EVENT_NAME_UNEXPECTED, Hit(at, "the event has a name", "no event name", event.name))
        if self._done:
            hit = Hit(at, "data follows [DONE]", "no data", brief(event.data))
            self.fault(Fault.EVENT_AFTER_DONE_UNEXPECTED, hit)
            return
        if DONE in (event.data.strip(), event.json):
            self._done = True
            return
        if self.failed:
            hit = Hit(at, "data follows an error", "[DONE] or the end", brief(event.data))
            self.fault(Fault.EVENT_AFTER_ERROR_UNEXPECTED, hit)
        if isinstance(event.json, dict) and event.json.get("error") is not None:
            self.failed = True
        elif isinstance(event.json, dict):
            self.chunk(event)
