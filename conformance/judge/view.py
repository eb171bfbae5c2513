"""A view: one exchange as its dialect reads it, which is what every rule is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.judge.continuation import Continuation, continuation
from conformance.judge.pairing import Pairing, exchanges_of
from conformance.judge.profiles import Profile, provider_of
from conformance.model.dialect import Dialect
from conformance.model.exchange import Body, Exchange
from conformance.model.lazy import lazy
from conformance.model.sse import Event
from conformance.model.transcript import Ask, Malformed, Turn, calls_of, moved

_KEPT_REQUESTS = 16
"""How many exchanges at the begin of a run are kept whole, for reports about their replies."""


@dataclass(frozen=True, slots=True)
class Received:
    """A reply that a later request carries back: the turn, the body that it came in, and the exchange it is from.

    `body` is None for a stream. Of the exchange, the body of the request is kept only at the begin of a run: requests
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


class View:
    """One exchange of a run. Everything is read when it is first asked for.

    `earlier` are the views of the exchanges before it in the same run, oldest first; `number` is its place in the
    run, from 0, with those counted that other dialects claim; `run` are the latest views of all its dialects by name.
    `profile` is the one that the user chose; None where the host decides.
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
    ) -> None:
        self.exchange = exchange
        self.number = number
        self.dialect = dialect
        self.earlier = earlier
        self._run = run
        self._profile = profile

    def freeze(self) -> None:
        """Reads what later exchanges will ask for, and lets go of the earlier ones."""
        _ = self.history, self.replies, self.partial, self.received
        self.earlier, self._run = (), None

    @lazy
    def other_dialects(self) -> tuple[View, ...]:
        """The latest exchanges of the run in other dialects, before this one and in their order."""
        others = (views for name, views in (self._run or {}).items() if name != self.dialect.name)
        found = (view for views in others for view in views if view.number < self.number)
        return tuple(sorted(found, key=lambda view: view.number))

    @property
    def complete(self) -> bool:
        return self.exchange.complete

    @property
    def ok(self) -> bool:
        return self.exchange.response.ok

    @lazy
    def provider(self) -> str | None:
        """Who answered, by the host of the URL or as the user says; None for a host that no profile names."""
        return self._profile.name if self._profile is not None else provider_of(self.exchange.request.host)

    @lazy
    def request(self) -> Any:
        """The JSON value of the request body, or `Malformed`."""
        return self.exchange.request.body.json

    @lazy
    def response(self) -> Any:
        """The JSON value of the response body, or `Malformed`; not for streams."""
        return self.exchange.response.body.json

    @lazy
    def ask(self) -> Ask:
        return self.dialect.read_request(self.exchange.request, self.request)

    @lazy
    def _kept(self) -> tuple[View, Turn] | None:
        """The earlier exchange, and its reply, whose turns this request leaves to the server to remember."""
        if self.ask.continues is None:
            return None
        for view in reversed(self.earlier):
            for reply in view.replies:
                if reply.id == self.ask.continues:
                    return view, reply
        return None

    @lazy
    def history(self) -> tuple[Turn, ...]:
        """All turns before the reply, with those that the server kept where the run shows them.

        A turn that the server kept points at the place where the request refers to it.
        """
        if self._kept is None:
            return self.ask.history
        view, reply = self._kept
        kept = {call.id for call in reply.calls}
        if any(call.id in kept for call in calls_of(self.ask.history)):
            return self.ask.history  # the client sends it all again
        return (*(moved(turn, self.ask.continues_at) for turn in (*view.history, reply)), *self.ask.history)

    @lazy
    def answered(self) -> tuple[tuple[Turn, Turn | None, Pairing], ...]:
        """Every turn of the history that has calls, the turn after it, and how that one answers it."""
        return tuple(exchanges_of(self.history))

    @property
    def partial(self) -> bool:
        """Whether turns are missing from the history, because the server keeps them and the run does not show them."""
        return self.ask.partial if self._kept is None else self._kept[0].partial

    @lazy
    def events(self) -> tuple[Event, ...] | None:
        """The events of a successful streamed answer; None where it was not streamed."""
        return self.dialect.sse_events(self.exchange) if self.ok else None

    @property
    def streamed(self) -> bool:
        return self.events is not None

    @lazy
    def replies(self) -> tuple[Turn, ...]:
        """The model's turns in this answer: none after a failure, one for each choice otherwise."""
        if not self.ok:
            return ()
        if self.events is not None:
            return self.dialect.read_stream(self.events)
        if isinstance(self.response, Malformed):
            return ()
        return self.dialect.read_reply(self.response)

    @lazy
    def continues(self) -> Continuation | None:
        """The earlier exchange whose reply this request carries back, if there is one."""
        alien = {number for number, view in enumerate(self.earlier) if view.ask.model != self.ask.model}
        return continuation(self.history, [(view.history, view.replies) for view in self.earlier], alien)

    @lazy
    def received(self) -> Mapping[int, Received]:
        """By its number in the history, each turn that an earlier reply of the run received, with that reply.

        Only there does a part mean the same to who sent it: at the same host, in the same dialect.
        """
        found = self.continues
        if found is None:
            return {}
        before = self.earlier[found.earlier]
        if before.exchange.request.host != self.exchange.request.host:
            return {}
        return {**before.received, len(before.history): Received.of(before, found.reply)}

    @property
    def model(self) -> str | None:
        """The model whose rules apply: the one that the request names, or that stands for a generation."""
        chosen = self._profile.model if self._profile is not None else None
        return self.ask.model if chosen is None else chosen
