"""Judges one run of a scenario: its exchanges, the whole run, and the SDK."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from conformance.cassette.redact import Redactor
from conformance.judge.checker import Checker
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.exercised import ExchangeShape
from conformance.judge.run_rules import RunFinding
from conformance.judge.view import View
from conformance.matrix.cells import Cell
from conformance.matrix.expectations import judge_run, last_reply, made_calls, turns_as_run
from conformance.matrix.expected import excused, is_provoked
from conformance.matrix.perform import CellRun, ConversationRun
from conformance.model.exchange import Exchange, Response
from conformance.model.failures import words_of
from conformance.model.finding import Finding, Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.registry import layers_of
from conformance.model.transcript import Turn, readable


@dataclass
class Verdict:
    """The findings of one cell. `transcript` are the model's turns, for comparing runs with each other;
    `cell` is None for a cassette that belongs to no cell. `skipped` is why a cell was not played, `not_offered` what it
    needs that the server does not offer: then there is nothing to judge.
    """

    cell: Cell | None
    source: str
    findings: list[Finding]
    exchanges: int = 0
    harness_errors: list[str] = field(default_factory=list)
    transcript: tuple[Turn, ...] = ()
    skipped: str | None = None
    not_offered: str | None = None
    exercised: Mapping[ExchangeShape, int] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether there is no finding of severity error and no internal error."""
        return not self.harness_errors and all(each.severity < Severity.ERROR for each in self.findings)


def judge(
    run: CellRun,
    exchanges: Sequence[Exchange],
    source: str,
    run_hits: Sequence[RunFinding] = (),
    profile: str | None = None,
) -> Verdict:
    """The findings of a run: of its exchanges, of its run, and of the scenario's expectations.

    `profile` names the provider that is taken to have answered; None where the host decides.
    """
    cell = run.cell
    chosen = None if profile is None else chosen_profile(profile)
    checker = Checker(cell.dialect if cell.scenario.executor == "scripted" else None, profile=chosen)
    findings = [finding for exchange in exchanges for finding in checker.feed(exchange)]
    views = checker.views(exchanges[0].group if exchanges else "", cell.dialect)
    hits = [
        *run_hits,
        *_client(run, exchanges, findings),
        *_reads_the_same(run, views),
        *judge_run(cell.scenario, views, run.executor.log),
    ]
    findings += [hit.finding(dialect=cell.dialect, source=source) for hit in hits]
    return Verdict(
        cell=cell,
        source=source,
        findings=[_placed(finding, source, exchanges) for finding in _unexpected(cell, source, findings)],
        exchanges=len(exchanges),
        harness_errors=checker.summary.harness_errors,
        transcript=turns_as_run([view.delivered for view in views], run.executor.log),
        exercised=_own(cell, checker.summary.exercised),
    )


def _own(cell: Cell, shapes: Mapping[ExchangeShape, int]) -> Mapping[ExchangeShape, int]:
    """The shapes of the exchanges with the endpoint, without those with a tool server of ours."""
    layers = {each.name for each in layers_of(cell.dialect)}
    return {shape: number for shape, number in shapes.items() if shape.dialect in layers}


def _placed(finding: Finding, source: str, exchanges: Sequence[Exchange]) -> Finding:
    """The finding with its source and with the exchange that it is about."""
    number = finding.exchange
    here = exchanges[number] if number is not None and number < len(exchanges) else None
    return replace(finding, source=source, traffic=finding.traffic or here)


def _unexpected(cell: Cell, source: str, findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings without those that the scenario must trigger; adds a finding for each that is missing.

    What a scenario tolerates in replies, such as arguments that are cut, belongs to what it is to exercise.
    """
    expect = cell.scenario.expect
    missing = any(finding.rule == "exercise-missing" for finding in findings)
    of_replies = replace(expect, tolerates=()) if missing else expect
    for finding in findings:
        if not is_provoked(finding, of_replies if finding.side == "response" else expect):
            yield excused(finding, cell.driver.name)
    for rule in expect.findings:
        if not any(finding.rule == rule for finding in findings):
            hit = Hit(None, f"the scenario should have triggered {rule}, but nothing did", rule, "no such finding")
            yield RunFinding("exercise-missing", None, hit).finding(dialect=cell.dialect, source=source)


def _client(run: CellRun, exchanges: Sequence[Exchange], findings: Sequence[Finding]) -> Iterator[RunFinding]:
    """An SDK that raised on a response, or did not raise on an error; missing exchanges are reported elsewhere.

    Where the server refused a request in which there is no error, the server is at fault, not the SDK that says so.
    """
    faulty = {each.exchange for each in findings if each.side == "request" and each.severity is Severity.ERROR}
    for number, played in enumerate(run.conversations):
        later, fails = run.conversations[number + 1 :], played.conversation.fails
        last = (later[0].first if later else len(run.capture.requests)) - 1
        if last in run.misses or (played.error is None) is (fails is None):
            continue
        client, redactor = run.cell.driver.name, Redactor(run.secrets)
        response = exchanges[last].response if 0 <= last < len(exchanges) else None
        status = 0 if response is None else response.status
        at = last if last >= 0 else None
        if fails is not None:
            wanted = f"an error of status {fails.status}"
            accepted = 0 < status < 400 and fails.status < 500  # what fails later may have begun with a success
            rule = "refusal-missing" if accepted else "client-error-missing"
            message = f"{client} did not raise for the provider's error response"
            if accepted:
                message = f"the server answered status {status} to a request that providers refuse"
            yield RunFinding(rule, at, Hit(None, message, wanted, "no error", side="response"))
        elif response is None or status < 400:
            text = redactor.text(str(played.error)).split("\n")[0][:200]
            message = f"{client} raised {type(played.error).__name__}: {text}"
            hit = Hit(None, message, "the client reads the response", type(played.error).__name__, side="response")
            yield RunFinding("client-error-unexpected", at, hit)
        elif last not in faulty:
            yield RunFinding("refusal-unexpected", at, _refusal(response, redactor))


def _refusal(response: Response, redactor: Redactor) -> Hit:
    words = " ".join(redactor.text(words_of(response)).split())[:200]
    message = f"the server answered status {response.status} to a request without an error"
    message = f"{message}: {words}" if words else message
    return Hit(None, message, "a reply", f"status {response.status}", side="response")


def _reads_the_same(run: CellRun, views: Sequence[View]) -> Iterator[RunFinding]:
    """Compares the SDK's reading of the responses with the wire: the calls that it ran, and the final text."""
    conversations = run.conversations
    if any(each.error is not None for each in conversations):
        return
    ours = made_calls(views)
    theirs = [call for each in conversations for call in each.reading.calls]
    for (number, call), other in zip(ours, theirs, strict=False):
        without_id = call.id is None or (other.id is None and views[0].dialect.optional_ids)
        named = call.name == other.name and (without_id or call.id == other.id)
        sent, read = readable(call.arguments), readable(other.arguments)
        if not named or not same(sent, read):
            seen = f"{other.name} {brief(read)} {other.id}"
            wire = f"{call.name} {brief(sent)} {call.id}"
            hit = Hit(call.pointer, "the SDK returned a different tool call than the wire has", wire, seen)
            yield RunFinding("client-reading-mismatch", number, hit)
    if len(ours) != len(theirs):
        message = "the SDK returned a different number of tool calls than the wire has"
        yield RunFinding("client-reading-mismatch", None, Hit(None, message, str(len(ours)), str(len(theirs))))
    yield from _same_answer(conversations[-1], views)


def _same_answer(played: ConversationRun, views: Sequence[View]) -> Iterator[RunFinding]:
    last = last_reply(views)
    if last is not None and played.reading.finished and last.text.strip() != played.reading.answer.strip():
        hit = Hit(
            last.pointer,
            "the SDK returned a different answer text than the wire has",
            brief(last.text),
            brief(played.reading.answer),
        )
        yield RunFinding("client-reading-mismatch", views[-1].number, hit)
