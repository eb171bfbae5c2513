"""The gateway's upstream: the reference server, which keeps what reached it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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


class Upstream:
    """Answers requests as the reference server does, and keeps them until they are taken. Thread-safe."""

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

    def begin(self, scenario: str) -> None:
        """Begins a run of a scenario: forgets the conversations so far, and the requests that nobody took."""
        self._sessions = Sessions(self._scenarios)
        self._scenario = scenario
        self.taken()

    def _of_scenario(self, request: Request) -> Request:
        """The request with the name of the scenario: a gateway may change the words that would tell it."""
        if self._scenario is None:
            return request
        return replace(request, headers=Headers([*request.headers, (SCENARIO_HEADER, self._scenario)]))

    def taken(self) -> list[Arrived]:
        """The requests since the last time, in the order in which they came."""
        with self._lock:
            found, self._arrived = self._arrived, []
        return sorted(found, key=lambda each: each.at)
