"""Relations about the end of a stream, and about what it has beside data: names of events, and the mark `[DONE]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.judge.relations.described import described
from conformance.judge.relations.order import position
from conformance.judge.relations.places import Place, all_places, inner_of
from conformance.judge.relations.rows import Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.sse import Event

MARK = "[DONE]"


class _OfEvents:
    """A relation about all events of a stream."""

    __slots__ = ()

    @property
    def places(self) -> Sequence[Place]:
        return all_places("event")

    @property
    def begins(self) -> Sequence[str]:
        return ("event",)


def _is_mark(event: Event) -> bool:
    return MARK in (event.data.strip(), event.json)


@dataclass(frozen=True, slots=True)
class Titled(_OfEvents):
    """Each event has a name that repeats the text in the member `of` of its data; the mark has the name `mark`.

    Frames of a WebSocket, and events that a recorder took apart, have no names. `unnamed`: the severity of an event
    without a name, which is reported once.
    """

    of: str
    mark: str = ""
    unnamed: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        severity = Severity[self.unnamed.upper()] if self.unnamed else None
        reported = False
        for event in (view.events or ()) if view.exchange.response.is_event_stream else ():
            wanted = (self.mark or None) if _is_mark(event) else inner_of(event.json, (self.of,))
            if not isinstance(wanted, str) or event.name == wanted:
                continue
            if event.name is not None:
                message = f"the event's name differs from the `{self.of}` in its data"
                yield "event", Hit(event.pointer, message, wanted, event.name)
            elif not (reported and self.unnamed):
                reported = True
                yield "event", Hit(event.pointer, "the event has no name", wanted, "no event line", severity)


@dataclass(frozen=True, slots=True)
class Unmarked(_OfEvents):
    """The stream has no mark."""

    def hits(self, view: View) -> Iterator[Sided]:
        for event in view.events or ():
            if event.data.strip() == MARK:
                yield "event", Hit(event.pointer, "the stream has the end mark of other dialects", "none", MARK)


@dataclass(frozen=True, slots=True)
class LastMark(_OfEvents):
    """Nothing follows the mark. After a mark that follows `unless`, other rows judge all but another mark."""

    unless: str = ""

    def hits(self, view: View) -> Iterator[Sided]:
        events = view.events or ()
        mark = next((each.number for each in events if _is_mark(each)), len(events))
        before = self.unless and any(position(at) < mark for _, _, at in scan_of(view).at(self.unless))
        for event in events[mark + 1 :]:
            if not before or _is_mark(event):
                yield "event", Hit(event.pointer, f"data follows {MARK}", "no data", brief(event.data))


@dataclass(frozen=True, slots=True)
class Completed:
    """A stream with something at `what` has something at `by`, or the mark; not `unless` there is something there.

    A recorder that takes a stream apart may leave the mark out.
    """

    what: str
    by: str
    unless: str = ""

    @property
    def places(self) -> Sequence[Place]:
        return all_places(self.what, "" if self.by == MARK else self.by, self.unless)

    @property
    def begins(self) -> Sequence[str]:
        return (self.what,)

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        if scan.first(self.what) is None or (self.unless and scan.first(self.unless) is not None):
            return
        if self.by == MARK:
            events = view.events or ()
            ends, wanted = any(map(_is_mark, events)) or not any(event.data for event in events), f"data: {MARK}"
        else:
            ends, wanted = scan.first(self.by) is not None, described(self.by, "event")
        if not ends:
            yield "event", Hit(None, f"the stream ends without {wanted}", wanted, "the end of the stream")
