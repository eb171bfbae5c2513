"""Judges the run of a task, and sums it up as its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from conformance.campaign.failures import error_line, trouble_of
from conformance.campaign.statistics import observe
from conformance.campaign.task import Outcome, Task
from conformance.errors import HarnessError
from conformance.judge.cause import lean
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.explaining import explained_in_run
from conformance.judge.run_rules import RunFinding, is_about_model
from conformance.matrix.offer import by_offer
from conformance.matrix.record import RecordedRun, RefusedError, write
from conformance.matrix.verdict import Verdict, judge
from conformance.model.finding import Finding, Hit, Severity


def judged(task: Task, taken: RecordedRun, failure: Exception | None) -> Verdict:
    """Judges a run; leaves out findings that only follow from a request without a response."""
    hits = []
    if failure is not None:
        number = max(taken.run.misses)
        request = taken.run.capture.requests[number]
        message = f"{request.method} {request.path} got no response: {error_line(taken, failure)}"
        hit = Hit(None, message, "an answer", type(failure).__name__, side="response")
        hits.append(RunFinding("request-unanswered", number if number < len(taken.exchanges) else None, hit))
    verdict = judge(taken.run, taken.exchanges, task.source, hits, task.endpoint.profile)
    gave_up = any(act.error is not None and act.conversation.fails is None for act in taken.run.conversations)
    verdict = replace(verdict, findings=_of_the_wire(verdict.findings)) if gave_up else verdict
    profile = task.endpoint.profile
    return verdict if profile is None else by_offer(verdict, taken.exchanges, chosen_profile(profile))


def outcome_of(task: Task, taken: RecordedRun, verdict: Verdict) -> Outcome:
    """The outcome of a judged run; saves its cassette, if it has one that is not saved yet.

    Raises:
        ConformanceError: the cassette cannot be written.
    """
    if task.path is not None and not task.keep_good and taken.exchanges:
        try:
            write(taken, task.path)
        except RefusedError as error:
            raise HarnessError(f"{task.source}: not saved: {error.reason}", "please report it") from error
    findings = verdict.findings
    if not task.keep_good:
        findings = list(explained_in_run([*_of_a_run(findings, sampled=bool(task.sample))]))
    return Outcome(
        *task.key,
        findings=list(lean((finding.edited(taken.redactor.text) for finding in findings), set())),
        exchanges=verdict.exchanges,
        harness_errors=verdict.harness_errors,
        trouble=trouble_of(taken) if verdict.not_offered is None else None,
        observation=None if task.keep_good or verdict.not_offered else observe(task.cell, verdict),
        exercised=verdict.exercised,
        not_offered=verdict.not_offered,
    )


def _of_a_run(findings: Iterable[Finding], *, sampled: bool) -> Iterator[Finding]:
    """The findings, with those about the model as infos: they are no fault of the endpoint.

    In samples they are rates. Only what a sample did not exercise stays: a sample of nothing is no success either.
    """
    for finding in findings:
        if not is_about_model(finding.rule):
            yield finding
        elif finding.rule == "exercise-missing" or not sampled:
            yield replace(finding, severity=Severity.INFO)


def _of_the_wire(findings: list[Finding]) -> list[Finding]:
    """The findings without those about the model."""
    return [finding for finding in findings if not is_about_model(finding.rule)]
