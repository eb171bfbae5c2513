"""A view: one exchange as read by its dialect. Every rule gets a view."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any
from weakref import ref

from conformance.judge.continuation import Continuation, continuation, last_reply
from conformance.judge.pairing import Pairing, exchanges_of
from conformance.judge.refused_places import named_in
from conformance.judge.repeated import LOOKED_AT, Snapshot, begun, kept_once, most_repeated, size_of, snapshot
from conformance.model.dialect import Dialect, Endpoint
from conformance.model.exchange import Body, Exchange, with_request_body
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy
from conformance.model.pointer import item_of
from conformance.model.registry import endpoint_of
from conformance.model.sse import Event
from conformance.model.transcript import Ask, Malformed, Turn, calls_of, moved
from conformance.model.values import text_of
from conformance.profiles.profiles import Profile
from conformance.profiles.recognition import recognised

REMEMBERED = 64
"""How many exchanges of one run the checker keeps: a request repeats the last ones."""
_KEPT_REQUESTS = 16
"""How many exchanges at the beginning of a run are kept in full, for reports about their replies."""


@dataclass(frozen=True, slots=True)
class Received:
    """A reply that a later request sends back: the turn, its body, and its exchange.

    `body` is None for a stream. The body of the exchange's request is kept only at the beginning of a run: requests
    repeat each other, and a run may be long.
    """

    turn: Turn
    body: Any
    number: int
    exchange: Exchange

    @classmethod
    def of(cls, view: View, turn: Turn) -> Received:
        body = None if view.streamed else view.response
        exchange = view.exchange
        if view.number >= _KEPT_REQUESTS:
            exchange = replace(exchange, request=replace(exchange.request, body=Body(note="not kept")))
        return cls(turn, body, view.number, exchange)


@dataclass(frozen=True, slots=True)
class Repeated:
    """An earlier request with the same settings and address, and how many items both histories begin with."""

    earlier: View
    items: int


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a history, which must be judged; the hits on the part before it are those of the `earlier` request.

    `view` has only the last turns, and the first of them only because the next one is judged with it. `first` is the
    number of the first item whose hits count.
    """

    view: View
    earlier: View
    first: int


def held(viewed: ref[View]) -> View:
    """The view of what that view has: a weak reference, so that what is no longer needed is freed at once.

    Raises:
        ReferenceError: the view was dropped.
    """
    view = viewed()
    if view is None:
        raise ReferenceError("an exchange is read after it was dropped")
    return view


class View:
    """One exchange of a run. Everything is read at its first use.

    `earlier` are the views of the exchanges before it in the same run, oldest first; `number` is its place in the
    run, from 0, which also counts exchanges that other dialects claim; `run` are the latest views of all its dialects
    by name. `profile` is the one that the user chose; None if the host decides. Without `reuses`, everything is read
    and judged again, even what it repeats. The judge keeps its results for this exchange in `found`, for the requests
    that repeat it. `alone` is the view of its request by itself, if that was judged before (`judge/alone.py`);
    `excerpt` is the view that rules get where the source lacks something (`judge/recorded.py`). `weight` is about how
    many bytes the exchange has that no earlier one of the run has.
    """

    def __init__(
        self,
        exchange: Exchange,
        dialect: Dialect,
        earlier: Sequence[View] = (),
        number: int = 0,
        run: Mapping[str, Sequence[View]] | None = None,
        *,
        profile: Profile | None = None,
        reuses: bool = True,
        alone: View | None = None,
    ) -> None:
        self.exchange = exchange
        self.number = number
        self.dialect = dialect
        self.earlier = earlier
        self.found: dict[object, Any] = {}
        self.excerpt: View | None = None
        self.weight = 0
        self._run = run
        self.profile = profile
        self.reuses = reuses
        self._alone = alone

    def asking(self) -> View | None:
        """The same request at the dialect's main endpoint, by itself; None if this one does not take such a history."""
        found = self._beside
        if found is None or found.asks is None:
            return None
        url = re.sub(f"{found.path}(?=/?([?]|$))", found.asks, self.exchange.request.url)
        asked = replace(self.exchange, request=replace(self.exchange.request, url=url))
        return View(asked, self.dialect, (), self.number, profile=self.profile, reuses=False)

    def freeze(self) -> None:
        """Reads what later exchanges will need, and releases the earlier ones. Then `weight` is known."""
        _ = self.history, self.replies, self.partial, self.received, self.snapshot
        first = 0 if self.repeated is None else self.repeated.items
        asked = size_of(self.exchange.request.body) if self.snapshot is None else self.snapshot.size(first)
        self.weight = asked + size_of(self.exchange.response.body)
        if self.repeated is not None and self.dialect.readers.history is not None:
            before, items = self.repeated.earlier, self.repeated.items
            if self.snapshot is not None and before.snapshot is not None:
                self.snapshot = self.snapshot.kept_once(before.snapshot, items)
            self.request = kept_once(before.request, self.request, items, self.dialect.readers.history.key)
            self.exchange = with_request_body(self.exchange, self.request)
        self.earlier, self._run, self.repeated, self._begun, self.tail = (), None, None, None, None
        self._alone = None

    def found_alone(self, key: object) -> Any:
        """What was found in the request by itself; None if it was not judged so, or the server keeps turns of it."""
        return self._alone.found.get(key) if self._alone is not None and self._kept is None else None

    @lazy
    def other_dialects(self) -> tuple[View, ...]:
        """The latest exchanges of the run in other dialects, before this one and in their order."""
        others = (views for name, views in (self._run or {}).items() if name != self.dialect.name)
        found = (view for views in others for view in views if view.number < self.number)
        return tuple(sorted(found, key=lambda view: view.number))

    @property
    def plain(self) -> View:
        """The view of all that there is, where this one hides whose absence proves nothing (`judge/recorded.py`)."""
        return self

    @property
    def complete(self) -> bool:
        return self.exchange.complete

    @lazy
    def ok(self) -> bool:
        return self.exchange.response.ok

    @lazy
    def endpoint(self) -> str | None:
        """The endpoint beside the dialect's main one that the request is for; None for the main one."""
        return endpoint_of(self.dialect, self.exchange.request)

    @property
    def _beside(self) -> Endpoint | None:
        """That endpoint itself."""
        return next((each for each in self.dialect.endpoints if each.name == self.endpoint), None)

    @lazy
    def file(self) -> str | None:
        """The side whose body is a file that the endpoint takes or gives, and not JSON."""
        return None if self._beside is None else self._beside.file

    @lazy
    def provider(self) -> str | None:
        """The provider, by the user's choice or by what the exchange shows of it; None if it shows nothing."""
        if self.profile is not None:
            return self.profile.name
        request, response = self.exchange.request, self.exchange.response
        agent = request.headers.get("user-agent")
        found = recognised(
            request.host,
            response.headers,
            lambda: self.ask.model,
            agent,
            self._first_reply,
            answering=self._answering_model,
        )
        return self._provider_before() if found is None else found.provider

    def _provider_before(self) -> str | None:
        """The provider of the latest exchange with the same host and model: not each answer of a server shows it."""
        host, model = self.exchange.request.host, self.ask.model
        same = (view for view in reversed(self.earlier) if host and view.exchange.request.host == host)
        return next((view.provider for view in same if view.ask.model == model), None)

    def _answering_model(self) -> str | None:
        """The model that a reply names, or the reply in an event, where the request is unknown."""
        reply = self._first_reply() if "request" in self.exchange.lacks else None
        reply = reply.get("response", reply) if isinstance(reply, dict) else None
        return text_of(reply.get("model")) if isinstance(reply, dict) else None

    def _first_reply(self) -> Any:
        """The JSON of the reply, or of the first event of a stream."""
        if not self.ok or self.exchange.response.body.note is not None:
            return None
        return self.response if self.events is None else next((each.json for each in self.events), None)

    @lazy
    def refused(self) -> Collection[str]:
        """The places of the request that the provider's refusal names; none if it was not refused for what it has."""
        return named_in(self.exchange)

    @lazy
    def request(self) -> Any:
        """The JSON value of the request body, or `Malformed`."""
        return self.exchange.request.body.json

    @property
    def sent(self) -> dict[str, Any] | None:
        """The request if it is an object; None if it is something else, or if the source does not have it."""
        known = "request" not in self.exchange.lacks
        return self.request if known and isinstance(self.request, dict) else None

    @property
    def is_unreadable(self) -> bool:
        """Whether the source has a request, which is no JSON."""
        return "request" not in self.exchange.lacks and isinstance(self.request, Malformed)

    @lazy
    def response(self) -> Any:
        """The JSON value of the response body, or `Malformed`; not for streams."""
        return self.exchange.response.body.json

    @lazy
    def snapshot(self) -> Snapshot | None:
        """The values of the request at the time when they were judged."""
        if self.endpoint is not None:
            return None
        history = self.dialect.readers.history
        return snapshot(self.exchange, self.request, history.key) if history and self.reuses else None

    @lazy
    def repeated(self) -> Repeated | None:
        """The earlier request that this one repeats except for the end of its history."""
        latest = self.earlier[-LOOKED_AT:]
        found = most_repeated(self.snapshot, [view.snapshot for view in latest])
        return None if found is None else Repeated(latest[found[0]], found[1])

    @lazy
    def _begun(self) -> tuple[View, int, tuple[Turn, ...]] | None:
        """The repeated request, how many of its turns are kept, and this request's history, which starts with them."""
        if self.repeated is None or self.dialect.readers.history is None:
            return None
        earlier = self.repeated.earlier
        turns = earlier.ask.history
        kept = begun(turns, self.repeated.items, self.dialect.readers.history.key) if earlier.ask.resumable else None
        if kept is None:
            return None
        number, start = kept
        rest = self.dialect.readers.history.read(self.request, start)
        return None if rest is None else (earlier, number, (*turns[:number], *rest))

    @lazy
    def ask(self) -> Ask:
        if self.endpoint is not None:
            return Ask()
        if self._begun is not None:
            earlier, _, history = self._begun
            return replace(earlier.ask, history=history)
        if self._alone is not None:
            return self._alone.ask
        return self.dialect.readers.read_request(self.exchange.request, self.request)

    @lazy
    def tail(self) -> Tail | None:
        """The new end of the history, and the turn before it, whose results are new; None if all of it is new."""
        if self._begun is None or self.dialect.readers.history is None or self._kept is not None:
            return None
        earlier, kept, history = self._begun
        first = item_of(history[kept - 1].pointer, self.dialect.readers.history.key)
        if kept < 2 or first is None:
            return None
        shown = copy(self)
        shown.__dict__.pop("answered", None)
        shown.found, shown.excerpt = {}, None  # what is found in the end of the history is not what is found in all
        shown.history = history[kept - 2 :]
        shown.ask = replace(self.ask, history=shown.history)
        return Tail(shown, earlier, first)

    @lazy
    def _kept(self) -> tuple[View, Turn] | None:
        """The earlier exchange and its reply whose turns this request does not repeat: the server keeps them."""
        if self.ask.continues is None:
            return None
        for view in reversed(self.earlier):
            for reply in view.replies:
                if reply.id == self.ask.continues:
                    return view, reply
        return None

    @lazy
    def traced(self) -> bool:
        """Whether the request continues a reply of the run, and all that was before that is in the run, too."""
        if not self.exchange.lacks.isdisjoint(("request", "members")):
            return False
        return self._kept is not None and not self._kept[0].partial

    def repeats_reply(self, pointer: str) -> bool:
        """Whether a place is in the first turn after all those of an earlier request: the reply to that request."""
        history = self.dialect.readers.history
        if history is None or self.repeated is None or not self.repeated.earlier.ok:
            return False
        items = self.repeated.items
        sent = self.repeated.earlier.request
        return item_of(pointer, history.key) == items and isinstance(sent, dict) and len(sent[history.key]) == items

    @lazy
    def history(self) -> tuple[Turn, ...]:
        """All turns before the reply, including those that the server kept, if the run contains them.

        A turn that the server kept has the place where the request refers to it.
        """
        if self._kept is None:
            return self.ask.history
        view, reply = self._kept
        kept = {call.id for call in reply.calls}
        if any(call.id in kept for call in calls_of(self.ask.history)):
            return self.ask.history  # the client sends all turns again
        return (*(moved(turn, self.ask.continues_at) for turn in (*view.history, reply)), *self.ask.history)

    @lazy
    def answered(self) -> tuple[tuple[Turn, Turn | None, Pairing], ...]:
        """Every turn of the history with calls, the turn after it, and how its results pair with the calls."""
        return tuple(exchanges_of(self.history))

    @property
    def partial(self) -> bool:
        """Whether turns are missing from the history, because only the server has them, not the run."""
        return self.ask.partial if self._kept is None else self._kept[0].partial

    @lazy
    def events(self) -> tuple[Event, ...] | None:
        """The events of a successful streamed answer; None if it was not streamed."""
        return self.dialect.readers.sse_events(self.exchange) if self.ok else None

    @property
    def streamed(self) -> bool:
        return self.events is not None

    @lazy
    def replies(self) -> tuple[Turn, ...]:
        """The model's turns in this answer: none after a failure, else one for each choice."""
        if not self.ok or self.endpoint is not None or (self.events is None and isinstance(self.response, Malformed)):
            return ()
        return self.dialect.readers.replies(self.response, self.events)

    @lazy
    def delivers(self) -> bool:
        """Whether an endpoint beside the main one replies with an answer of the model; a resumed stream is none."""
        return self._beside is not None and self._beside.delivers and self.ok and not self.streamed

    @lazy
    def delivered(self) -> tuple[Turn, ...]:
        """The same, also of a response that is fetched when it is ready."""
        return self.dialect.readers.replies(self.response, None) if self.delivers else self.replies

    @lazy
    def continues(self) -> Continuation | None:
        """The earlier exchange whose reply this request sends back, if there is one."""
        if last_reply(self.history) < 0:
            return None
        model = self.ask.model
        spoken = [(view.history, view.replies) for view in self.earlier]
        return continuation(self.history, spoken, lambda number: self.earlier[number].ask.model != model)

    @property
    def continues_in_dialect(self) -> Continuation | None:
        """The same, if that exchange is in the same dialect: in another one, seals and ids mean something else."""
        found = self.continues
        return found if found is not None and self.earlier[found.earlier].dialect is self.dialect else None

    @lazy
    def received(self) -> Mapping[int, Received]:
        """Each turn that is from an earlier reply of the run, by its number in the history, with that reply.

        Only replies of the same host in the same dialect count: to another one, the parts mean something else.
        """
        found = self.continues
        if found is None:
            return {}
        before = self.earlier[found.earlier]
        if before.exchange.request.host != self.exchange.request.host:
            return {}
        moved = found.at - len(before.history)
        known = {number + moved: each for number, each in before.received.items()} if moved else before.received
        return {**known, found.at: Received.of(before, found.reply)}

    @lazy
    def model(self) -> str | None:
        """The model whose rules apply: the one that the request names, or the example of the chosen generation."""
        chosen = self.profile.model if self.profile is not None else None
        return self.ask.model if chosen is None else chosen
