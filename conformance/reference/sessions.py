"""Sessions: what each client of the reference server sent, judged as it comes."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from conformance.judge.checker import Checker, Summary
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding
from conformance.model.jsontext import brief, same
from conformance.model.kept import Kept
from conformance.model.registry import claim, has_part, part_of
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Ask, Turn
from conformance.reference.address import Address, address_of, fingerprint
from conformance.reference.answering import Answer, Circumstances, answer_to
from conformance.reference.choosing import Script
from conformance.reference.model import is_name_of
from conformance.reference.played import Played, Refused, Sent, observe
from conformance.scenario.model import Scenario

Answering = Callable[[Request, Mapping[str, Scenario], Sequence[Behaviour], Circumstances], Answer]
"""Answers one request: by a scenario, or by a recording."""

_RETRIES = "x-stainless-retry-count"
"""The header in which several SDKs say how often they have sent a request before."""
_SESSIONS, _CONVERSATIONS, _LOOSE, _LATEST = 1_000, 2_000, 200, 512
"""How many sessions, conversations of a session, and refused requests outside any conversation are kept; and how many
conversations of one scenario may be in progress at once."""


@dataclass(slots=True)
class ToolRun:
    """A tool that a client ran through this server's own endpoint of tools."""

    tool: str
    arguments: Any


@dataclass(slots=True, eq=False)
class Session:
    """The requests of one client. `client` is the name of its software; `others` counts requests besides generation.

    `latest` are the latest conversations of each dialect and scenario, `numbers` how many a scenario has had.
    `called` has the tools that it was sent calls of, with the number of the server's latest answer that had one.

    `loose` are requests that belong to no conversation, because they were refused or match no scenario.
    """

    name: str
    client: str | None = None
    requests: int = 0
    others: int = 0
    checker: Checker = field(default_factory=Checker)
    played: list[Played] = field(default_factory=list)
    latest: dict[tuple[str, str, int], deque[Played]] = field(default_factory=dict)
    numbers: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    loose: list[Refused] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    runs: list[ToolRun] = field(default_factory=list)
    called: dict[str, int] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)

    @property
    def conversations(self) -> int:
        """How many conversations it has had."""
        return self.dropped + len(self.played)

    @property
    def clean(self) -> bool:
        """Whether there is nothing to tell of it but that it was there."""
        return not self.findings and not self.loose and bool(self.played) and all(each.clean for each in self.played)

    @property
    def all_findings(self) -> list[Finding]:
        """The findings of its requests, conversation by conversation."""
        return [*self.findings, *(finding for each in self.played for finding in each.findings)]

    def tool_faults(self) -> list[str]:
        """What the runs of tools show that no request does: a call run twice, or one that was cut off."""
        sent: Counter[str | None] = Counter()
        broken: Counter[str | None] = Counter()
        for each in self.played:
            for turn in each.sent.values():
                sent.update(call.name for call in turn.calls)
                broken.update(call.name for call in turn.broken)
        found = []
        for tool, number in Counter(each.tool for each in self.runs).items():
            whole, cut = (
                sum(count for name, count in names.items() if is_name_of(name, tool)) for names in (sent, broken)
            )
            if number > whole:
                also = f" and {cut} cut off" if cut else ""
                found.append(f"ran {tool} {number} times, {whole} calls were sent in full{also}")
        texts = [each.tool for each in self.runs if isinstance(each.arguments, str)]
        return found + [f"ran {tool} with a string for its arguments" for tool in dict.fromkeys(texts)]


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
            other = _other(address.request, session)
            if other is not None:
                session.others += 1
                return other
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
        placed = _Placed(session, connection, retried=(request.headers.get(_RETRIES) or "0") != "0")
        body, unknown = _restored(request, session)
        circumstances = Circumstances(address.scenario, body, unknown, placed)
        answer = self._answer(request, self.scenarios, behaviours, circumstances)
        findings = _judged(session, placed.played, request, answer)
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
            _written_down(played, request, answer, findings, placed.history)
            _limited(session)
        _remember(session, request, body, answer)
        return answer.delivery


class _Placed:
    """Finds the conversation of a request once its script is known, or begins one."""

    def __init__(self, session: Session, connection: str, *, retried: bool) -> None:
        self.played: Played | None = None
        self.history: tuple[Turn, ...] = ()
        self._session = session
        self._connection = connection
        self._retried = retried

    def refused(self, dialect: Dialect) -> None:
        """A refused request belongs to the latest open conversation of its dialect."""
        self.played = next(
            (each for each in reversed(self._session.played) if each.dialect == dialect.name and not each.finished),
            None,
        )

    def place(self, dialect: Dialect, ask: Ask, script: Script, position: int) -> tuple[str, int]:
        """What distinguishes the ids of the conversation, and how often this turn was asked for before."""
        self.history = ask.history[script.opening + 1 :]
        part = script.scenario.conversations.index(script.conversation)
        key = dialect.name, script.scenario.id, part
        open_ones = self._session.latest.setdefault(key, deque(maxlen=_LATEST))
        found = self._continued(open_ones, position) if position else self._again(open_ones)
        if found is None:
            self._session.numbers[script.scenario.id] += 1
            number = self._session.numbers[script.scenario.id]
            found = Played(number, script.scenario.id, part, dialect.name, ask.stream, len(script.conversation.model))
            self._session.played.append(found)
            open_ones.append(found)
        self.played = found
        found.connection = self._connection
        attempt = found.asked.get(position, 0)
        found.asked[position] = attempt + 1
        return f" {found.number}" if found.number > 1 else "", attempt

    def _again(self, open_ones: deque[Played]) -> Played | None:
        """The conversation whose first request is sent again: it got no good answer, or the client says so."""
        for each in reversed(open_ones):
            first = each.sent.get(0)
            if each.reached <= 1 and (first is None or self._retried or first.cut or first.status >= 400):
                return each
        return None

    def _continued(self, open_ones: deque[Played], position: int) -> Played | None:
        known = {call.id for turn in self.history for call in turn.calls if call.id}

        def fit(each: Played) -> tuple[bool, bool, bool]:
            before = each.sent[position - 1].turn
            calls = before.calls if before is not None else ()
            return any(call.id in known for call in calls), not each.finished, each.connection == self._connection

        likely = [each for each in open_ones if position - 1 in each.sent]
        return max(reversed(likely), key=fit, default=None)


def _other(request: Request, session: Session) -> Delivery | None:
    """The answer to a request that generates nothing: models, counts of tokens, stored responses."""
    for module in _serving_parts():
        other = getattr(module, "other", None)
        found = other(request, session.kept, IdFactory(f"{request.method} {request.path}")) if other else None
        if found is not None:
            return Delivery.of(found)
    return None


def _serving_parts() -> list[Any]:
    from conformance.model.registry import all_dialects

    names = {each.package: each.name for each in all_dialects().values() if has_part(each.name, "serving")}
    return [part_of(name, "serving") for name in names.values()]


def _restored(request: Request, session: Session) -> tuple[Any, tuple[int, str] | None]:
    """The body with what the server keeps put in, None if it keeps nothing of it; and why that is not possible."""
    dialect = claim(request)
    if dialect is None or not has_part(dialect.name, "serving") or not isinstance(request.body.json, dict):
        return None, None
    restore = getattr(part_of(dialect.name, "serving"), "restored", None)
    if restore is None:
        return None, None
    body = restore(request.body.json, session.kept)
    return (None, body) if isinstance(body, tuple) else (body, None)


def _remember(session: Session, request: Request, body: Any, answer: Answer) -> None:
    if answer.dialect is None or answer.turn is None or not has_part(answer.dialect.name, "serving"):
        return
    remember = getattr(part_of(answer.dialect.name, "serving"), "remember", None)
    if remember is not None:
        remember(request.body.json if body is None else body, answer.rendered, session.kept)


def _judged(session: Session, played: Played | None, request: Request, answer: Answer) -> list[Finding]:
    """The findings of the request: what the server itself sent, by a behaviour or a script, is not the client's."""
    rendered = answer.delivery.rendered
    response = Response(rendered.status, Headers(rendered.headers), Body(answer.delivery.body))
    name = played.name if played is not None else None
    exchange = Exchange(
        request,
        response,
        source=f"session {session.name}",
        conversation=name,
        complete=True,
        group=f"{session.name}/{name or session.requests}",
    )
    return [finding for finding in session.checker.feed(exchange) if finding.side == "request"]


def _written_down(
    played: Played, request: Request, answer: Answer, findings: list[Finding], history: tuple[Turn, ...]
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
    observe(played, position, history)
    played.turns = max(answer.turns, 1)
    played.faulted = played.faulted or answer.changed
    played.sent[position] = Sent(
        _meant(request, answer),
        status,
        cut=answer.delivery.lost,
        whole=_whole(request, answer),
    )
    played.scripted_error = played.scripted_error or answer.scripted_error
    if status >= 400 and not answer.scripted_error:
        played.refused.append(Refused(exchange, status, brief(_said(answer), 300)))
        return
    played.reached = max(played.reached, position + 1)
    played.finished = played.finished or (answer.final and (answer.ends or not answer.withheld))


def _said(answer: Answer) -> str:
    return answer.delivery.body.decode("utf-8", "replace")


def _meant(request: Request, answer: Answer) -> Turn | None:
    """The turn as it was sent, with its ids, if no behaviour had changed its bytes."""
    if answer.dialect is None or answer.turn is None:
        return None
    return _read(answer.dialect, request, answer.rendered, answer.rendered.body)


def _whole(request: Request, answer: Answer) -> int | None:
    """How many of the calls the client got whole; None for all of them."""
    if answer.dialect is None or answer.turn is None or not answer.turn.calls:
        return None
    if not answer.delivery.lost:
        return len(answer.turn.calls) - 1 if answer.turn.stop == "length" else None
    meant = _meant(request, answer)
    got = _read(answer.dialect, request, answer.delivery.rendered, answer.delivery.body)
    pairs = zip(meant.calls if meant else (), got.calls if got else (), strict=False)
    return sum(1 for _ in takewhile(lambda pair: same(pair[0].arguments, pair[1].arguments), pairs))


def _read(dialect: Dialect, request: Request, rendered: Rendered, body: bytes) -> Turn | None:
    response = Response(rendered.status, Headers(rendered.headers), Body(body))
    exchange = Exchange(request, response)
    events = dialect.sse_events(exchange) if response.is_event_stream else None
    replies = dialect.read_stream(events) if events is not None else dialect.read_reply(response.body.json)
    return replies[0] if replies else None


def _limited(session: Session) -> None:
    """Drops the oldest conversation that has nothing to tell; if all have, the oldest, but not its first finding."""
    if len(session.played) > _CONVERSATIONS:
        dropped = next((each for each in session.played if each.clean), session.played[0])
        session.played.remove(dropped)
        session.findings += dropped.findings[:1]
        session.dropped += 1
