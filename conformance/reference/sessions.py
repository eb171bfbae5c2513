"""The way of a request through `serve`, session by session: it is placed, judged, answered and noted."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.judge.summary import Summary
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.finding import Finding
from conformance.model.jsontext import brief
from conformance.model.rendered import Delivery
from conformance.reference.address import Address, address_of, fingerprint
from conformance.reference.answering import Scenarios
from conformance.reference.judging import judge
from conformance.reference.names import is_name_of
from conformance.reference.noting import note
from conformance.reference.placing import place
from conformance.reference.played import Refused
from conformance.reference.recorded import Recorded
from conformance.reference.session import Session, ToolRun
from conformance.reference.stored import other
from conformance.scenario.model import Scenario

_SESSIONS = 1_000
"""How many sessions are kept."""


class Sessions:
    """Answers requests as one server would, and judges them session by session. Thread-safe.

    By default, it plays the scenarios; `source` may play them with variations, or a recording.
    """

    def __init__(self, scenarios: Mapping[str, Scenario], source: Scenarios | Recorded | None = None) -> None:
        self.scenarios = scenarios
        self._source = source or Scenarios(scenarios)
        self.lock = threading.RLock()
        """Held while a request is answered; hold it to read what belongs together."""
        self._sessions: OrderedDict[str, Session] = OrderedDict()

    @property
    def all(self) -> list[Session]:
        """The sessions, in the order of their first requests."""
        with self.lock:
            return list(self._sessions.values())

    def respond(self, request: Request, connection: str = "", behaviours: Sequence[Behaviour] = ()) -> Delivery:
        """Answers a request and judges it. `connection` identifies the connection on which it came."""
        address = address_of(request)
        with self.lock:
            session = self._session(address)
            session.requests += 1
            delivery = other(address.request, session.kept)
            if delivery is not None:
                session.others += 1
                return delivery
            found = place(address, self._source, session, connection)
            refusal = judge(found, session.checker)
            answer = self._source.answer(found, refusal, behaviours)
            note(session, found, refusal, answer)
            return answer.delivery

    def refuse(self, request: Request, status: int, message: str) -> None:
        """Notes a request that the server refused before it was read, as one that is too long."""
        address = address_of(request)
        with self.lock:
            session = self._session(address)
            session.requests += 1
            session.add_loose(Refused(session.requests - 1, status, message))

    def run_tool(self, request: Request, tool: str) -> tuple[int, Any]:
        """What a scenario's tool returns for the JSON arguments in a body, with a status; the run is noted."""
        address = address_of(request)
        arguments = address.request.body.json
        with self.lock:
            session = self._session(address) if address.session else self._caller(tool) or self._session(address)
            session.add_run(ToolRun(tool, arguments))
        wanted = self.scenarios.get(address.scenario or "")
        scenarios = [wanted] if wanted else self.scenarios.values()
        found = [each for scenario in scenarios for each in scenario.tools if each.name == tool]
        if not found:
            return 404, {"error": f"there is no tool {tool}"}
        if not isinstance(arguments, dict):
            return 400, {"error": f"the arguments must be a JSON object, not {brief(arguments)}"}
        answers = [entry for each in found if (entry := each.answer(arguments)) is not None]
        entry = next((each for each in answers if each.error is None), answers[0] if answers else None)
        if entry is None or entry.error is not None:
            return 422, {"error": entry.error if entry else "the tool has no result for these arguments"}
        return 200, entry.result

    def summary(self, keeps: Callable[[Finding], bool] = lambda _: True) -> Summary:
        """The counts of all sessions; those of findings are of the requests, as far as `keeps` keeps them."""
        total = Summary()
        for session in self.all:
            total.add(session.checker.summary)
            for finding in filter(keeps, session.all_findings):
                total.count(finding)
        total.conversations = sum(session.conversations for session in self.all)
        shapes, total.exercised = total.exercised, {}
        for shape, number in shapes.items():
            total.add_exercised({shape.of_request: number})
        return total

    def _caller(self, tool: str) -> Session | None:
        """The session that was sent a call of the tool last: its client runs the tool."""
        found = [
            (number, each)
            for each in self._sessions.values()
            for name, number in each.called.items()
            if is_name_of(name, tool)
        ]
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def _session(self, address: Address) -> Session:
        agent = address.request.headers.get("user-agent")
        name = address.session or f"client-{fingerprint(address.request)}"
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = Session(name, agent)
            if len(self._sessions) > _SESSIONS:
                clean = (key for key, each in self._sessions.items() if each.clean)
                self._sessions.pop(next(clean, next(iter(self._sessions))))
        session.client = session.client or agent
        return session
