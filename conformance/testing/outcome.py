"""The result of judging one test: its exchanges, and the cassettes that it used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from conformance.cassette.traffic import Log, Sent, vcr_request, vcr_response
from conformance.inputs import interactions
from conformance.judge.selection import Selection
from conformance.judge.summary import Summary
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.testing.choice import Choice
from conformance.testing.contacts import unseen
from conformance.testing.vcr_tap import body_of, path_of


@dataclass(slots=True)
class Outcome:
    """The findings that count, and the counts. `recorded` are the findings that the cassette on disk also shows."""

    selection: Selection
    dialect: str | None = None
    summary: Summary = field(default_factory=Summary)
    findings: list[Finding] = field(default_factory=list)
    recorded: list[Finding] = field(default_factory=list)
    sent: Sequence[Sent] = ()
    unseen: list[str] = field(default_factory=list)
    """What was sent to a model's API and not observed."""

    @property
    def failing(self) -> list[Finding]:
        """The findings that fail the test."""
        least = Severity.WARNING if self.selection.strict else Severity.ERROR
        return [each for each in self.findings if each.severity >= least]

    def add(self, findings: Iterable[Finding]) -> None:
        """Adds and counts the findings that the selection keeps."""
        for each in findings:
            if self.selection.keeps(each):
                self.findings.append(each)
                self.summary.count(each)

    def counts(self) -> dict[str, Any]:
        """The counts as plain values, which a worker of pytest-xdist can send."""
        rules: dict[str, int] = {}
        for each in self.findings:
            if each.severity is Severity.WARNING:
                rules[each.rule] = rules.get(each.rule, 0) + 1
        counts = {**self.summary.as_json(), "unseen": self.unseen}
        return {**counts, "internal_errors": list(self.summary.harness_errors), "rules": rules}


def judge_log(log: Log, selection: Selection, asked: Choice, source: str) -> Outcome:
    """Judges the traffic, and the cassettes as they are on disk; `source` names traffic without a cassette."""
    live, on_disk = asked.checker(), asked.checker()
    kept = [each for each in log.sent if not each.elsewhere]
    outcome = Outcome(selection, asked.dialect, sent=kept, unseen=list(unseen(log)))
    found: list[Finding] = []
    for sent in outcome.sent:
        found += live.feed(sent.exchange(shown_path(path_of(sent.cassette)) if sent.cassette is not None else source))
    own = {_cause(each) for each in found}
    for tape in log.tapes:
        recorded = [each for exchange in taped(tape) for each in on_disk.feed(exchange)]
        outcome.recorded += recorded
        found += [each for each in recorded if _cause(each) not in own]
    outcome.add(found)
    _count(outcome.summary, live.summary, on_disk.summary)
    return outcome


def judge_exchanges(exchanges: Iterable[Exchange], selection: Selection, asked: Choice) -> Outcome:
    """Judges exchanges that were already read."""
    checker = asked.checker()
    outcome = Outcome(selection, asked.dialect)
    outcome.add(each for exchange in exchanges for each in checker.feed(exchange))
    outcome.recorded = outcome.findings
    _count(outcome.summary, checker.summary)
    return outcome


def is_recorded(finding: Finding, outcome: Outcome) -> bool:
    """Whether `conformance check` also reports the finding."""
    return any(_cause(finding) == _cause(each) and each.source == finding.source for each in outcome.recorded)


def shown_path(path: str) -> str:
    """A path as an argument of a command: relative if it is below the working directory."""
    try:
        return str(Path(path).absolute().relative_to(Path.cwd()))
    except ValueError:
        return path


def taped(tape: Any) -> tuple[Exchange, ...]:
    """The exchanges in a cassette of vcrpy, as in its file."""
    pairs = [
        {
            "request": vcr_request(request.method, request.uri, request.headers.items(), body_of(request)[0]),
            "response": vcr_response(response),
        }
        for request, response in tape.data
    ]
    path = shown_path(path_of(tape))
    own = "conformance_version" in (getattr(tape, "_metadata", None) or {})
    return tuple(replace(each, group=f"cassette {path}") for each in interactions.exchanges_of(pairs, path, own=own))


def _cause(finding: Finding) -> tuple[Any, ...]:
    return finding.rule, finding.side, finding.pointer, finding.message


def _count(summary: Summary, *parts: Summary) -> None:
    """The counts of the live exchanges; of a cassette only the internal errors."""
    if parts[0].exchanges:
        summary.add(parts[0])
        for part in parts[1:]:
            summary.harness_errors += part.harness_errors
    else:
        for part in parts:
            summary.add(part)
