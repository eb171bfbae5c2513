"""What one version did on one day: for each dialect and statement, whether it held, and where it did not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.judge.cause import CauseKey, cause_of
from conformance.judge.run_rules import run_rules
from conformance.model.finding import Finding, Severity
from conformance.report.site.layout import Kind
from conformance.report.site.outcomes import Outcome, outcomes

State = Literal["failed", "warned", "passed"]
"""Of a statement that was exercised: it has findings of severity error, of severity warning, or neither."""

_SHOWN = 3
"""How many causes of a statement are kept."""
_OURS = ("baseline-", "cassette-", "cell-", "exchange-", "exercise-", "request-drift")
"""The beginnings of rules about the harness, its files, or the scenario: they do not concern an implementation."""
_SIDES: Mapping[Kind | None, tuple[str | None, ...]] = {
    "server": ("response", None),
    "gateway": ("response", None),
    "client": ("request",),
    None: ("request", "response", None),
}
"""The sides of an exchange for which an implementation is responsible; None is for findings about a whole run."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A cause: its first finding, and the lines of the wire around its place."""

    finding: Finding
    excerpt: Mapping[str, Any] | None


@dataclass(slots=True)
class Statement:
    """One statement in one dialect. `exercised` is in how many exchanges it had something to judge, None if unknown."""

    rule: str
    counted: int | None = None
    failed: set[tuple[Any, ...]] = field(default_factory=set)
    warned: set[tuple[Any, ...]] = field(default_factory=set)
    shown: list[Shown] = field(default_factory=list)
    causes: set[CauseKey] = field(default_factory=set)

    @property
    def state(self) -> State:
        return "failed" if self.failed else "warned" if self.warned else "passed"

    @property
    def wrong(self) -> int:
        """In how many exchanges it did not hold: those with errors, or without any, those with warnings."""
        return len(self.failed or self.warned)

    @property
    def exercised(self) -> int | None:
        return None if self.counted is None else max(self.counted, len(self.failed | self.warned))


@dataclass(slots=True)
class Counts:
    """The statements of one dialect by their state. Those about whole runs are not among them."""

    passed: int = 0
    warned: int = 0
    failed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.warned + other.warned, self.failed + other.failed)

    @property
    def exercised(self) -> int:
        return self.passed + self.warned + self.failed

    def as_json(self) -> dict[str, int]:
        return {"passed": self.passed, "warned": self.warned, "failed": self.failed}


@dataclass(slots=True)
class Snapshot:
    """The statements of each dialect that was run, the outcomes beside them, and what judged them."""

    dialects: dict[str, dict[str, Statement]] = field(default_factory=dict)
    judged_by: set[str] = field(default_factory=set)
    outcomes: list[Outcome] = field(default_factory=list)
    exchanges: int = 0
    counts_unknown: bool = False
    """Whether a report lacks the counts of what was exercised."""

    def counts(self, dialect: str) -> Counts:
        """How many statements of a dialect held."""
        states = [each.state for each in self.dialects.get(dialect, {}).values() if each.counted is not None]
        return Counts(*(states.count(state) for state in ("passed", "warned", "failed")))

    @property
    def total(self) -> Counts:
        return sum(map(self.counts, self.dialects), Counts())


def snapshot_of(reports: Iterable[Mapping[str, Any]], kind: Kind | None) -> Snapshot:
    """The sum of some reports, as far as the implementation is responsible for what they found."""
    made = Snapshot()
    for number, report in enumerate(reports):
        made.judged_by.add(report.get("conformance_version", "unknown"))
        made.exchanges += report["summary"]["exchanges"]
        made.outcomes += outcomes(report)
        made.counts_unknown |= "exercised" not in report and not report.get("exercises")
        for dialect, sides in report.get("exercised", {}).items():
            statements = made.dialects.setdefault(dialect, {})
            for side, rules in sides.items():
                if side in _SIDES[kind]:
                    for rule, times in rules.items():
                        each = statements.setdefault(rule, Statement(rule))
                        each.counted = (each.counted or 0) + times
        _add_findings(made, report, _SIDES[kind], number)
    return made


def _add_findings(made: Snapshot, report: Mapping[str, Any], sides: tuple[str | None, ...], number: int) -> None:
    judged = report.get("exercised")
    excerpts = {cause["first"]: cause.get("excerpt") for cause in report["causes"]}
    for place, value in enumerate(report["findings"]):
        finding = Finding.from_json(value)
        about_run = finding.rule in run_rules()
        if finding.dialect is None or finding.severity is Severity.INFO or finding.rule.startswith(_OURS):
            continue
        if judged is not None and finding.dialect not in judged:
            continue  # of a tool server that took part in the run
        if finding.side not in sides and not (about_run and finding.side is None and None in sides):
            continue
        if finding.side is None and not about_run:
            continue
        statements = made.dialects.setdefault(finding.dialect, {})
        statement = statements.setdefault(finding.rule, Statement(finding.rule))
        wrong = statement.failed if finding.severity is Severity.ERROR else statement.warned
        wrong.add((number, finding.source, finding.conversation, finding.exchange))
        key = cause_of(finding)
        if key not in statement.causes and len(statement.causes) < _SHOWN:
            statement.causes.add(key)
            statement.shown.append(Shown(finding, excerpts.get(place)))
