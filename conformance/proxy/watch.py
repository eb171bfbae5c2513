"""Records and judges what a proxy forwards: the exchanges in the order of their ends, in two threads of their own."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

from conformance.cassette.gate import Gate
from conformance.cassette.redact import Redactor
from conformance.errors import ConformanceError
from conformance.inputs.interactions import NOTES
from conformance.judge.cause import CauseKey, cause_of
from conformance.judge.checker import Checker
from conformance.judge.run_rules import RunFinding
from conformance.judge.summary import Summary
from conformance.model.exchange import Body, Exchange, Headers, Request
from conformance.model.finding import Finding, Hit, Severity
from conformance.model.registry import claim
from conformance.profiles.profiles import Profile
from conformance.proxy.captured import Answer, Captured
from conformance.proxy.conversations import Conversations
from conformance.proxy.interaction import Interaction, exchange_of, interaction_of
from conformance.proxy.recordings import Recording, Recordings
from conformance.reference.address import fingerprint

_MOST_FINDINGS = 20_000
_WAITING = 64
"""How many recorded exchanges may wait to be judged; then the end of further responses waits, too."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One exchange as the terminal shows it."""

    method: str
    path: str
    status: int | None
    dialect: str | None
    seconds: float
    why: str
    source: str
    errors: int
    warnings: int


class Watch:
    """Takes exchanges from the proxy. Thread-safe.

    `keeps` is whether a finding counts. `on_seen` is called with each exchange once it is judged.
    """

    def __init__(
        self,
        recordings: Recordings,
        *,
        dialect: str | None = None,
        profile: Profile | None = None,
        keeps: Callable[[Finding], bool] = lambda _: True,
        on_seen: Callable[[Seen], None] = lambda _: None,
    ) -> None:
        self._recordings = recordings
        self._dialect = dialect
        self._checker = Checker(dialect, profile=profile)
        self._conversations: Conversations[Recording] = Conversations(recordings.opened)
        self._keeps = keeps
        self._on_seen = on_seen
        self.page: Callable[[str, str], Answer | None] = lambda *_: None
        self._counts = Summary()
        self._writer = ThreadPoolExecutor(1, "record")
        self._judge = ThreadPoolExecutor(1, "judge")
        self._waiting = threading.Semaphore(_WAITING)
        self.lock = threading.Lock()
        self._causes: set[CauseKey] = set()
        self._findings: list[Finding] = []
        self.unlisted = 0
        """How many findings are counted, and not listed, because there are too many."""
        self.requests = 0
        self.not_recorded: Counter[str] = Counter()
        """Why an exchange is not recorded, or not whole, with how often."""
        self.ended: Counter[str] = Counter()
        """How many exchanges did not come to their end, and by whom."""
        self.faults: list[str] = []
        self._writer.submit(_warm_up)

    def exchanged(self, captured: Captured) -> Future[None]:
        """Records an exchange, and releases it then; the future is done when it is on disk. It never fails.

        If nothing is saved, there is nothing to wait for.
        """
        recorded = self._writer.submit(self._record, captured)
        if self._recordings.saves:
            return recorded
        at_once: Future[None] = Future()
        at_once.set_result(None)
        return at_once

    def close(self) -> None:
        """Waits until everything is judged."""
        self._writer.shutdown()
        self._judge.shutdown()

    @contextmanager
    def results(self) -> Iterator[tuple[Summary, list[Finding]]]:
        """The counts and the findings so far, which do not change while the context is open."""
        with self.lock:
            counts = self._counts
            summary = Summary(errors=counts.errors, warnings=counts.warnings, infos=counts.infos)
            summary.add(self._checker.summary)
            summary.harness_errors = [*summary.harness_errors, *self.faults]
            yield summary, list(self._findings)

    def _record(self, captured: Captured) -> None:
        self._waiting.acquire()
        try:
            interaction = interaction_of(captured)
            request = Request(captured.method, captured.url, Headers(captured.headers), Body())
            whole = exchange_of(interaction, "")
            recording = self._conversations.of(whole, fingerprint(request))
            try:
                recording, interaction = self._recordings.add(recording, interaction)
            except ConformanceError as error:
                self._missed(recording, captured, str(error))
                self._waiting.release()
                return
            self._judge.submit(self._judged, captured, interaction, recording, recording.count - 1)
        except Exception as error:  # noqa: BLE001 - the client gets its response whatever happens here
            self._waiting.release()
            self.faults.append(f"recording: {type(error).__name__}: {error}")
        finally:
            captured.release()

    def _missed(self, recording: Recording, captured: Captured, why: str) -> None:
        with self.lock:
            self.requests += 1
            self.not_recorded[why] += 1
            self.faults.append(f"{captured.method} {recording.source}: not recorded: {why}")

    def _judged(self, captured: Captured, interaction: Interaction, recording: Recording, number: int) -> None:
        try:
            exchange = exchange_of(interaction, recording.source)
            with self.lock:
                broken = list(self._broken(captured, exchange, number))
                found = [*broken, *(_explained(each, broken) for each in self._checker.feed(exchange))]
                found = [each for each in found if self._keeps(each)]
                self._count(captured, interaction)
                for each in found:
                    self._keep(each, recording)
            self._on_seen(_seen(captured, exchange, found))
        except Exception as error:  # noqa: BLE001 - as above
            self.faults.append(f"judging: {type(error).__name__}: {error}")
        finally:
            self._waiting.release()

    def _count(self, captured: Captured, interaction: Interaction) -> None:
        self.requests += 1
        notes = interaction.get(NOTES, {})
        missing = {str(notes[side]) for side in ("request", "response") if side in notes}
        for reason in missing - {captured.why}:
            self.not_recorded[reason] += 1
        if captured.ending != "whole":
            self.ended[captured.ending] += 1

    def _broken(self, captured: Captured, exchange: Exchange, number: int) -> Iterator[Finding]:
        """The finding of a request that the server did not answer to the end."""
        if captured.ending not in ("server", "refused"):
            return
        hit = Hit(None, captured.why, "a complete response", _received(captured), side="response")
        dialect = self._dialect or _dialect_of(exchange.request)
        finding = RunFinding("request-unanswered", number, hit).finding(dialect=dialect, source=exchange.source)
        yield replace(finding, side="response", traffic=exchange)

    def _keep(self, finding: Finding, recording: Recording) -> None:
        """Keeps a finding. If its exchange is on disk, or not the first of its cause, the exchange is let go."""
        self._counts.count(finding)
        key = cause_of(finding)
        if recording.path is not None or key in self._causes:
            finding = replace(finding, traffic=None)
        self._causes.add(key)
        if len(self._findings) < _MOST_FINDINGS:
            self._findings.append(finding)
        else:
            self.unlisted += 1


def _warm_up() -> None:
    """Loads the dialects and what searches for secrets, so that the first exchange need not wait for it."""
    claim(Request("POST", "http://localhost/", Headers(), Body("{}")))
    Redactor().text("x")
    list(Gate().text("x", ""))


def _dialect_of(request: Request) -> str | None:
    found = claim(request)
    return found.name if found is not None else None


def _explained(finding: Finding, broken: list[Finding]) -> Finding:
    """A finding in a response that was cut off follows from that."""
    here = bool(broken) and finding.side == "response" and finding.exchange == broken[0].exchange
    return replace(finding, because=finding.because or broken[0].rule) if here else finding


def _received(captured: Captured) -> str:
    if captured.status is None:
        return "no response"
    return f"status {captured.status} and {captured.response.size} bytes of the body"


def _seen(captured: Captured, exchange: Exchange, found: list[Finding]) -> Seen:
    return Seen(
        captured.method,
        exchange.request.path,
        captured.status,
        _dialect_of(exchange.request),
        captured.seconds,
        captured.why if captured.ending != "whole" else "",
        exchange.source,
        sum(each.severity is Severity.ERROR for each in found),
        sum(each.severity is Severity.WARNING for each in found),
    )
