"""The two legs of one run: the client's exchanges, and for each of them what reached the upstream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conformance.gateway.upstream import Arrived
from conformance.judge.view import View
from conformance.matrix.record import RecordedRun
from conformance.model.exchange import Exchange, Request
from conformance.model.registry import claimants, has_part
from conformance.model.transcript import Reasoning


@dataclass(frozen=True, slots=True)
class Answered:
    """A request at the upstream. `broken` is whether its answer was cut, or failed half-way."""

    view: View
    broken: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One request of the client, and the requests that the gateway made of it. `client` is None if it has no answer.

    `conversation` is the number of the scenario's conversation that it belongs to.
    """

    client: View | None
    upstream: tuple[Answered, ...]
    conversation: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a cell through the gateway. `others` are the exchanges at the upstream that generate nothing."""

    dialect: str
    steps: tuple[Step, ...]
    upstream: tuple[Exchange, ...]
    others: int = 0


def run_of(taken: RecordedRun, arrived: Sequence[Arrived]) -> Run:
    """The two legs, brought together by time: a run is one conversation after the other, one request at a time."""
    dialect = taken.cell.dialect
    capture = taken.run.capture
    generating = [each for each in arrived if _generates(each.exchange)]
    answered = [number for number in range(len(capture.requests)) if number not in taken.run.misses]
    exchanges = dict(zip(answered, taken.exchanges, strict=False))
    numbers = [number for number, request in enumerate(capture.requests) if dialect_of_request(request) == dialect]
    client = _views([exchanges[number] for number in numbers if number in exchanges])
    views = dict(zip([number for number in numbers if number in exchanges], client, strict=True))
    upstream = [
        Answered(view, _broken(view, each))
        for view, each in zip(_views([e.exchange for e in generating]), generating, strict=True)
    ]
    firsts = [act.first for act in taken.run.conversations]
    starts = [capture.started[number] for number in numbers]
    steps = []
    for place, number in enumerate(numbers):
        begin = float("-inf") if place == 0 else starts[place]
        end = starts[place + 1] if place + 1 < len(numbers) else float("inf")
        mine = tuple(a for a, each in zip(upstream, generating, strict=True) if begin <= each.at < end)
        steps.append(Step(views.get(number), mine, sum(first <= number for first in firsts)))
    return Run(dialect, tuple(steps), tuple(each.exchange for each in generating), len(arrived) - len(generating))


def dialect_of_request(request: Request) -> str | None:
    """The dialect of the endpoint that a request is for."""
    found = claimants(request)
    return found[0].name if found else None


def _generates(exchange: Exchange) -> bool:
    found = claimants(exchange.request)
    return bool(found) and exchange.request.method == "POST" and has_part(found[0].name, "render")


def _views(exchanges: Sequence[Exchange]) -> list[View]:
    """The exchanges as read by the dialects of their endpoints."""
    found: list[View] = []
    for number, exchange in enumerate(exchanges):
        dialect = claimants(exchange.request)[0]
        earlier = tuple(view for view in found if view.dialect is dialect)
        found.append(View(exchange, dialect, earlier, number, reuses=False))
    return found


def _broken(view: View, arrived: Arrived) -> bool:
    if arrived.cut:
        return True
    return view.ok and view.streamed and bool(view.replies) and view.replies[0].stop in (None, "error")


def signatures_of(views: Sequence[View]) -> set[str]:
    """The signatures in the answers of these exchanges."""
    found: set[str] = set()
    for view in views:
        for turn in view.replies[:1]:
            found |= {part.signature for part in turn.parts if isinstance(part, Reasoning) and part.signature}
            found |= {call.signature for call in turn.calls if call.signature}
    return found
