"""Sessions: what each client of the reference server sent, judged as it comes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from conformance.judge.checker import Summary
from conformance.judge.view import View
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Exchange, Request
from conformance.model.finding import Finding
from conformance.model.jsontext import brief, same
from conformance.model.rendered import Delivery
from conformance.model.transcript import Turn
from conformance.reference.address import Address, address_of, fingerprint
from conformance.reference.answering import Answer, Circumstances, answer_to
from conformance.reference.model import is_name_of
from conformance.reference.placing import Placed
from conformance.reference.played import Played, Refused, Sent, observe
from conformance.reference.session import Session, ToolRun
from conformance.reference.stored import other, remember, restored
from conformance.scenario.model import Scenario

Answering = Callable[[Request, Mapping[str, Scenario], Sequence[Behaviour], Circumstances], Answer]
"""Answers one request: by a scenario, or by a recording."""

_RETRIES = "x-stainless-retry-count"
"""The header in which several SDKs say how often they have sent a request before."""
_SESSIONS, _CONVERSATIONS, _LOOSE = 1_000, 2_000, 200
"""How many sessions, conversations of a session, and refused requests outside any conversation are kept."""


class Sessions:
    """Answers requests as one server would, and judges them session by session. Thread-safe."""

    def __init__(self, scenarios: Mapping[str, Scenario], answer: Answering = answer_to) -> None:
        self.scenarios = scenarios
        self._answer = answer
        self.lock = threading.RLock()
        """Held while a request is answered; hold it to read what belongs together."""
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._answers = 0

    @property
    def all(self) -> list[Session]:
        """The sessions, in the order of their first requests."""
        with self.lock:
            return list(self._sessions.values())

    def taken(self) -> Sessions:
        """The sessions so far, taken out of this object, which begins anew."""
        made = Sessions(self.scenarios, self._answer)
        with self.lock:
            made._sessions, self._sessions = self._sessions, made._sessions
        return made

    def respond(self, request: Request, connection: str = "", behaviours: Sequence[Behaviour] = ()) -> Delivery:
        """Answers a request and judges it. `connection` tells connections apart."""
        address = address_of(request)
        with self.lock:
            session = self._session(address)
            session.requests += 1
            delivery = other(address.request, session.kept)
            if delivery is not None:
                session.others += 1
                return delivery
            return self._answered(session, address, connection, behaviours)

    def refuse(self, request: Request, status: int, message: str) -> None:
        """Notes a request that the server refused before it was read, as one that is too long."""
        address = address_of(request)
        with self.lock:
            session = self._session(address)
            session.requests += 1
            session.loose.append(Refused(session.requests - 1, status, message))
            del session.loose[:-_LOOSE]

    def run_tool(self, request: Request, tool: str) -> tuple[int, Any]:
        """What a scenario's tool returns for the JSON arguments in a body, with a status; the run is noted."""
        address = address_of(request)
        arguments = address.request.body.json
        with self.lock:
            session = self._session(address) if address.session else self._caller(tool) or self._session(address)
            session.runs.append(ToolRun(tool, arguments))
            del session.runs[:-_CONVERSATIONS]
        found = [each for scenario in self._wanted(address) for each in scenario.tools if each.name == tool]
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
        for exercise, number in shapes.items():
            total.add_exercised({exercise.of_request: number})
        return total

    def _wanted(self, address: Address) -> list[Scenario]:
        wanted = self.scenarios.get(address.scenario or "")
        return [wanted] if wanted else list(self.scenarios.values())

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

    def _answered(
        self, session: Session, address: Address, connection: str, behaviours: Sequence[Behaviour]
    ) -> Delivery:
        request = address.request
        placed = Placed(session, connection, retried=(request.headers.get(_RETRIES) or "0") != "0")
        body, unknown = restored(request, session.kept)
        circumstances = Circumstances(address.scenario, body, unknown, placed)
        answer = self._answer(request, self.scenarios, behaviours, circumstances)
        findings, got = _judged(session, placed.played, request, answer)
        self._answers += 1
        for call in answer.turn.calls if answer.turn is not None else ():
            session.called[call.name or ""] = self._answers
        played = placed.played
        if played is None:
            session.findings += findings
            del session.findings[:-_CONVERSATIONS]
            session.loose.append(Refused(session.requests - 1, answer.delivery.rendered.status, answer.refusal or ""))
            del session.loose[:-_LOOSE]
        else:
            _written_down(placed, played, request, answer, findings=findings, got=got)
            _limited(session)
        remember(session.kept, request, body, answer)
        return answer.delivery


def _judged(
    session: Session, played: Played | None, request: Request, answer: Answer
) -> tuple[list[Finding], Turn | None]:
    """The findings of the request, and the turn that the client got."""
    name = played.name if played is not None else None
    group = f"{session.name}/{name or session.requests}"
    source = f"session {session.name}"
    exchange = Exchange(request, answer.delivery.response, source=source, conversation=name, complete=True, group=group)
    findings = [finding for finding in session.checker.feed(exchange) if finding.side == "request"]
    views = session.checker.views(group, answer.dialect.name) if answer.dialect is not None else ()
    return findings, views[-1].replies[0] if views and views[-1].replies else None


def _written_down(
    placed: Placed,
    played: Played,
    request: Request,
    answer: Answer,
    *,
    findings: list[Finding],
    got: Turn | None,
) -> None:
    status = answer.delivery.rendered.status
    exchange = played.requests
    played.requests += 1
    played.findings += findings
    for note in answer.notes:
        played.note(note)
    if answer.script is None:
        played.refused.append(Refused(exchange, status, answer.refusal or ""))
        return
    position = answer.position
    if played.asked.get(position, 0) > 1:
        played.retries += 1
    observe(played, position, placed.history)
    played.turns = max(answer.turns, 1)
    played.faulted = played.faulted or answer.changed
    meant = _meant(request, answer, got)
    placed.open.sent(played, position, Sent(meant, status, cut=answer.delivery.lost, whole=_whole(answer, meant, got)))
    played.scripted_error = played.scripted_error or answer.scripted_error
    if status >= 400 and not answer.scripted_error:
        played.refused.append(Refused(exchange, status, brief(_said(answer), 300)))
        return
    played.reached = max(played.reached, position + 1)
    played.finished = played.finished or (answer.final and (answer.ends or not answer.withheld))


def _said(answer: Answer) -> str:
    return answer.delivery.body.decode("utf-8", "replace")


def _meant(request: Request, answer: Answer, got: Turn | None) -> Turn | None:
    """The turn as it was sent, with its ids, if no behaviour had changed its bytes."""
    if answer.dialect is None or answer.turn is None:
        return None
    meant = answer.rendered
    if answer.delivery.rendered.status == meant.status and answer.delivery.body == meant.body:
        return got
    exchange = Exchange(request, meant.response)
    return next(iter(View(exchange, answer.dialect).replies), None)


def _whole(answer: Answer, meant: Turn | None, got: Turn | None) -> int | None:
    """How many of the calls the client got whole; None for all of them."""
    if answer.dialect is None or answer.turn is None or not answer.turn.calls:
        return None
    if not answer.delivery.lost:
        return len(answer.turn.calls) - 1 if answer.turn.stop == "length" else None
    pairs = zip(meant.calls if meant else (), got.calls if got else (), strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(pair[0].arguments, pair[1].arguments), pairs))


def _limited(session: Session) -> None:
    """Drops the oldest conversation that has nothing to tell; if all have, the oldest, but not its first finding."""
    if len(session.played) > _CONVERSATIONS:
        dropped = next((each for each in session.played if each.clean), session.played[0])
        session.played.remove(dropped)
        session.findings += dropped.findings[:1]
        session.dropped += 1
