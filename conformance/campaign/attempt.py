"""Runs one cell against an endpoint, with back-off and retries, and judges the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from conformance.campaign.backoff import BackoffPolicy, RetryAfter, busy, words_of
from conformance.campaign.cost import Usage, used
from conformance.campaign.health import Trouble
from conformance.campaign.statistics import EXPECTATIONS, Observation, observe
from conformance.errors import HarnessError
from conformance.judge.cause import lean
from conformance.judge.exercise import Exercise
from conformance.judge.run_rules import RunFinding
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import RecordedRun, RefusedError, capture_run, kept, write
from conformance.matrix.verdict import Verdict, judge
from conformance.model.finding import Finding, Hit
from conformance.model.printable import visible

Tell = Callable[[str], None]
Capturing = Callable[[Cell, Endpoint, Path], RecordedRun]

_DROPPED = ("Server disconnected without sending a response",)
"""The server closed an idle keep-alive connection before any byte of the response: a harmless race."""
_UNREACHED = ("ConnectError", "ConnectTimeout", "UnsupportedProtocol")


_WORDS = 200
"""The most characters shown of what a failing server says."""

ATTEMPTS = 3
"""The most attempts at a cell until the model does what its scenario exercises."""


@dataclass(frozen=True)
class Task:
    """One run of one cell. `path` is its cassette, None if none is kept; with `keep_good`, only a recording that
    exercises its scenario is kept and counts (`record`), else any run is judged (`run`).
    `sample` counts from 1; it is 0 for a run that is not a sample.
    """

    cell: Cell
    endpoint: Endpoint
    path: Path | None
    keep_good: bool = False
    sample: int = 0
    attempts: int = ATTEMPTS
    backoff: BackoffPolicy | None = field(default_factory=BackoffPolicy)
    """How long to wait for a busy server; None to judge what it says."""
    deadline: float | None = None
    """Until when to wait for a server that fails, on the monotonic clock; None as long as `backoff` allows."""
    capture: Capturing = capture_run
    """Runs the cell and keeps its traffic."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Identifies this task within its campaign."""
        return self.cell.target, self.cell.id, self.sample

    @property
    def source(self) -> str:
        """The source in findings: the cassette, or, if none is kept, the target and the cell."""
        if self.path is not None:
            return str(self.path)
        return f"{self.cell.target}:{self.cell.id}" + (f"#{self.sample}" if self.sample else "")


@dataclass
class Outcome:
    """The outcome of a task: plain values, for other processes and the journal.

    `refused` is why there is nothing to judge, `trouble` why no response was usable. `started` is false for a task that
    was left out, because its endpoint had been given up.
    """

    target: str
    cell: str
    sample: int = 0
    findings: list[Finding] = field(default_factory=list)
    exchanges: int = 0
    harness_errors: list[str] = field(default_factory=list)
    refused: str | None = None
    trouble: Trouble | None = None
    started: bool = True
    usage: Usage = field(default_factory=Usage)
    observation: Observation | None = None
    exercised: Mapping[Exercise, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int]:
        return self.target, self.cell, self.sample

    def as_json(self) -> dict[str, Any]:
        return {
            **asdict(replace(self, findings=[], exercised={})),
            "findings": [finding.as_json() for finding in self.findings],
            "exercised": list(self.exercised.items()),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Outcome:
        """The outcome that `as_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: the value is not an outcome.
        """
        findings = [Finding.from_json(each) for each in record["findings"]]
        observed, trouble = record["observation"], record["trouble"]
        return cls(
            **{
                **record,
                "findings": findings,
                "trouble": Trouble(**trouble) if trouble else None,
                "usage": Usage(**record["usage"]),
                "observation": Observation(**observed) if observed else None,
                "exercised": {Exercise.from_json(each): number for each, number in record.get("exercised", ())},
            }
        )


def perform(
    task: Task,
    tell: Tell = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Runs a task to its end. Calls `tell` when it waits or retries, and `sleep` to wait.

    Raises:
        ConformanceError: the cassette cannot be written.
    """
    outcome = Outcome(task.cell.target, task.cell.id, task.sample)
    attempt, waited, dropped = 1, 0, False
    while True:
        taken = task.capture(task.cell, task.endpoint, Path(task.source))
        outcome.usage += used(taken.exchanges)
        failure = _failure(taken)
        if failure is not None and _unreachable(failure) and not taken.exchanges:
            outcome.refused = f"no server answers at {_shown(taken, task.endpoint)}: {_said(taken, failure)}"
            outcome.trouble = Trouble("unreachable", outcome.refused)
            return outcome
        outcome.trouble = _trouble(taken)
        if failure is not None and not dropped and any(text in str(failure) for text in _DROPPED):
            dropped = True
            continue
        wait = busy(taken.exchanges) if not scripted_to_fail(task.cell) else None
        if wait is not None and task.backoff is not None:
            seconds = task.backoff.delay(wait, waited)
            too_late = seconds is not None and task.deadline is not None and clock() + seconds > task.deadline
            if outcome.trouble is not None and too_late:
                outcome.trouble = replace(outcome.trouble, final=True)
            if seconds is None or (outcome.trouble is not None and too_late):
                outcome.refused = _impatient(wait, waited, task.backoff)
                return outcome
            waited += 1
            asked = "" if wait.seconds is not None else " without Retry-After"
            words = _first_words(taken) if waited == 1 else ""
            tell(f"{task.cell.id}: {task.cell.target} returned {wait.what}{asked}{words}; retrying in {seconds:g} s")
            sleep(seconds)
            continue
        verdict: Verdict | None = None
        try:
            verdict = kept(taken, task.path) if task.keep_good and task.path else _judged(task, taken, failure)
            again = any(each.rule == "exercise-missing" for each in verdict.findings)
        except RefusedError as error:
            again, outcome.refused = error.again, error.reason
        if again and attempt < task.attempts:
            attempt += 1
            outcome.refused = None
            tell(f"{task.cell.id}: the model did not do what the scenario exercises; starting attempt {attempt}")
            continue
        if verdict is None:
            if again:
                outcome.refused = f"{outcome.refused} (after {attempt} attempt{'s' * (attempt > 1)})"
            return outcome
        return _finished(task, taken, verdict, outcome)


def _judged(task: Task, taken: RecordedRun, failure: Exception | None) -> Verdict:
    """Judges the run; leaves out findings that only follow from a request without a response."""
    hits = []
    if failure is not None:
        number = max(taken.run.misses)
        request = taken.run.capture.requests[number]
        message = f"{request.method} {request.path} got no response: {_said(taken, failure)}"
        hit = Hit(None, message, "an answer", type(failure).__name__, side="response")
        hits.append(RunFinding("request-unanswered", number if number < len(taken.exchanges) else None, hit))
    verdict = judge(taken.run, taken.exchanges, task.source, hits, task.endpoint.profile)
    gave_up = any(act.error is not None and act.conversation.fails is None for act in taken.run.conversations)
    if gave_up:
        findings = [finding for finding in verdict.findings if finding.rule not in EXPECTATIONS]
        verdict = replace(verdict, findings=findings)
    return verdict


def _finished(task: Task, taken: RecordedRun, verdict: Verdict, outcome: Outcome) -> Outcome:
    if task.path is not None and not task.keep_good and taken.exchanges:
        try:
            write(taken, task.path)
        except RefusedError as error:
            raise HarnessError(f"{task.source}: not saved: {error.reason}", "please report it") from error
    if not task.keep_good:
        outcome.observation = observe(task.cell, verdict)
    findings = verdict.findings
    if task.sample:
        findings = [finding for finding in findings if finding.rule not in EXPECTATIONS]
    outcome.findings = list(lean((_clean(taken, finding) for finding in findings), set()))
    outcome.exchanges = verdict.exchanges
    outcome.exercised = verdict.exercised
    outcome.harness_errors = verdict.harness_errors
    return outcome


def _clean(taken: RecordedRun, finding: Finding) -> Finding:
    text = taken.redactor.text
    return replace(
        finding,
        message=text(finding.message),
        expected=finding.expected and text(finding.expected),
        actual=finding.actual and text(finding.actual),
    )


def _failure(taken: RecordedRun) -> Exception | None:
    """Why the last request got no response, if it got none."""
    misses = taken.run.misses
    return misses[max(misses)] if misses else None


def _unreachable(failure: Exception) -> bool:
    """Whether no server was reached, by the names that httpx, httpx2 and what they are built on have for it."""
    return any(
        each.__name__ in _UNREACHED and each.__module__.partition(".")[0].startswith("http")
        for each in type(failure).__mro__
    )


def _trouble(taken: RecordedRun) -> Trouble | None:
    """Why no response of the run was usable, if every one of them was refused or failed in the server."""
    statuses = {exchange.response.status for exchange in taken.exchanges}
    if scripted_to_fail(taken.cell) or not statuses:
        return None
    what = f"every request so far returned {' or '.join(map(str, sorted(statuses)))}{_first_words(taken)}"
    if statuses <= {401, 403, 404}:
        return Trouble("shut-out", what)
    return Trouble("failing", what) if min(statuses) >= 500 else None


def _first_words(taken: RecordedRun) -> str:
    """What the first response says, as `: words`; an empty string if it says nothing."""
    line = " ".join(taken.redactor.text(words_of(taken.exchanges[0].response)).split())
    return f": {visible(line[:_WORDS])}{'…' * (len(line) > _WORDS)}" if line else ""


def scripted_to_fail(cell: Cell) -> bool:
    """Whether an error of the provider is part of the scenario."""
    return any(conversation.fails is not None for conversation in cell.scenario.conversations)


def _impatient(wait: RetryAfter, waited: int, backoff: BackoffPolicy) -> str:
    if wait.hopeless:
        return f"the account has no credit left ({wait.what})"
    if wait.seconds is not None and wait.seconds > backoff.longest:
        return (
            f"it returned {wait.what} and asks to wait {wait.seconds:g} s, longer than --max-wait {backoff.longest:g}"
        )
    return f"it still returned {wait.what} after {waited} wait{'s' * (waited != 1)}"


def _said(taken: RecordedRun, error: Exception) -> str:
    return taken.redactor.text(str(error) or type(error).__name__).split("\n")[0][:200]


def _shown(taken: RecordedRun, endpoint: Endpoint) -> str:
    return taken.redactor.url(endpoint.origin)
