"""Captures both legs of a run: the client's side as every recording, the upstream's by the server that plays it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.campaign.task import Task
from conformance.matrix.record import RecordedRun, capture_run
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Exchange, Headers, Request
from conformance.model.rendered import Delivery
from conformance.reference.address import SCENARIO_HEADER, address_of
from conformance.reference.sessions import Sessions
from conformance.scenario.model import Scenario


@dataclass(frozen=True, slots=True)
class Arrived:
    """A request that reached the upstream, with its answer. `at` is when it came, on the monotonic clock.

    `cut` is whether the gateway did not get all of the answer.
    """

    exchange: Exchange
    at: float
    cut: bool


@dataclass
class CapturedRun(RecordedRun):
    """The recording of the client's side, and what reached the upstream meanwhile, in its order."""

    arrived: tuple[Arrived, ...]


def capture(task: Task, upstream: PlayedUpstream) -> CapturedRun:
    """Runs a cell through the gateway. Only one may run at a time."""
    upstream.begin(task.cell.scenario.id)
    recorded = capture_run(task.cell, task.endpoint, Path(task.source))
    return CapturedRun(**vars(recorded), arrived=upstream.arrived())


class PlayedUpstream:
    """The gateway's upstream: answers as the reference server does, and keeps the requests. Thread-safe."""

    def __init__(self, scenarios: Mapping[str, Scenario]) -> None:
        self._scenarios = scenarios
        self._sessions = Sessions(scenarios)
        self._scenario: str | None = None
        self._arrived: list[Arrived] = []
        self._lock = threading.Lock()

    def respond(self, request: Request, connection: str, behaviours: Sequence[Behaviour]) -> Delivery:
        """Answers a request."""
        at = time.monotonic()
        sent = self._sessions.respond(self._of_scenario(request), connection, behaviours)
        exchange = Exchange(address_of(request).request, sent.response, complete=True)
        with self._lock:
            self._arrived.append(Arrived(exchange, at, sent.lost))
        return sent

    def refuse(self, request: Request, status: int, message: str) -> None:
        """Keeps nothing of a request that was too long to be read."""

    def begin(self, scenario: str) -> None:
        """Begins a run of a scenario: forgets the conversations and the requests so far."""
        self._sessions = Sessions(self._scenarios)
        self._scenario = scenario
        with self._lock:
            self._arrived = []

    def arrived(self) -> tuple[Arrived, ...]:
        """The requests of this run, in the order in which they came."""
        with self._lock:
            return tuple(sorted(self._arrived, key=lambda each: each.at))

    def _of_scenario(self, request: Request) -> Request:
        """The request with the name of the scenario: a gateway may change the words that would identify it."""
        if self._scenario is None:
            return request
        return replace(request, headers=Headers([*request.headers, (SCENARIO_HEADER, self._scenario)]))
