"""The two legs of one run: the client's exchanges, and for each of them what reached the upstream."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from conformance.gateway.capture import CapturedRun
from conformance.gateway.reading import LegExchange, read
from conformance.judge.view import View
from conformance.model.dialect import Dialect
from conformance.model.exchange import Exchange, Request
from conformance.model.registry import claimants, has_part


@dataclass(frozen=True, slots=True)
class Step:
    """One request of the client, and the requests that the gateway made of it. `client` is None if it has no answer.

    `conversation` is the number of the scenario's conversation that it belongs to.
    """

    client: LegExchange | None
    upstream: tuple[LegExchange, ...]
    conversation: int = 0


class Passed(NamedTuple):
    """A request of the client, and the last one that the gateway made of it, in a conversation."""

    client: LegExchange
    upstream: LegExchange
    conversation: int


@dataclass(frozen=True, slots=True)
class Legs:
    """Both legs of one run, step by step, and their exchanges as they were captured."""

    steps: tuple[Step, ...]
    client: tuple[Exchange, ...]
    upstream: tuple[Exchange, ...]

    @property
    def pairs(self) -> list[Passed]:
        """The steps in which both the client and the gateway got an answer."""
        return [
            Passed(each.client, each.upstream[-1], each.conversation)
            for each in self.steps
            if each.client and each.upstream
        ]


def legs_of(captured: CapturedRun) -> Legs:
    """The two legs, brought together by time: a run is one conversation after the other, one request at a time."""
    run, traffic = captured.run, captured.run.capture
    asked = {number: _dialect_of(each) for number, each in enumerate(traffic.requests)}
    own = {number: each for number, each in asked.items() if each is not None and each.name == captured.cell.dialect}
    answered = [number for number in asked if number not in run.misses]
    exchanges = {number: each for number, each in zip(answered, captured.exchanges, strict=False) if number in own}
    client = dict(zip(exchanges, _leg((each, own[number], False) for number, each in exchanges.items()), strict=True))
    received = [(each, there) for each in captured.arrived if (there := _dialect_of(each.exchange.request))]
    upstream = _leg((each.exchange, there, each.cut) for each, there in received)
    times = [-math.inf, *(traffic.started[number] for number in [*own][1:]), math.inf]
    steps = [
        Step(
            client.get(number),
            tuple(made for made, (each, _) in zip(upstream, received, strict=True) if begin <= each.at < end),
            sum(each.first <= number for each in run.conversations),
        )
        for number, (begin, end) in zip(own, pairwise(times), strict=False)
    ]
    return Legs(tuple(steps), captured.exchanges, tuple(each.exchange for each, _ in received))


def _dialect_of(request: Request) -> Dialect | None:
    """The dialect of the endpoint that a request is for, if it asks a model for an answer."""
    dialect = next(iter(claimants(request)), None)
    asks = dialect is not None and request.method == "POST" and has_part(dialect.name, "render")
    return dialect if asks else None


def _leg(exchanges: Iterable[tuple[Exchange, Dialect, bool]]) -> list[LegExchange]:
    """The exchanges of a leg, as read by the dialects of their endpoints, and whether the answer was cut."""
    found: list[LegExchange] = []
    views: list[View] = []
    for number, (exchange, dialect, cut) in enumerate(exchanges):
        earlier = tuple(view for view in views if view.dialect is dialect)
        views.append(View(exchange, dialect, earlier, number, reuses=False))
        found.append(read(views[-1], cut=cut))
    return found
