"""Tries a mutant: judges it with the earlier exchanges of its run, and looks for findings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.registry import claimants
from conformance.profiles.documented import documented
from conformance.profiles.recognition import provider_of
from devtools.mutants.operator import Fault, Operator
from devtools.mutants.schema_freedom import is_free
from devtools.mutants.subject import Subject


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one mutant. `rules` are those that caught it; empty if it escaped.

    `broken` are internal errors; `free`: the dialect's schema allows what the mutant does. `foreign`: it
    escapes because it is in a recording of others: rules that judge what is missing (`needs_complete`) would have
    caught it in a recording of our own. `ours`: the exchange is from a recording of our own.
    """

    dialect: str
    operator: str
    side: str
    pattern: str
    place: str
    subject: str
    rules: tuple[str, ...]
    broken: tuple[str, ...] = ()
    free: bool = False
    foreign: bool = False
    ours: bool = True

    @property
    def caught(self) -> bool:
        return bool(self.rules)


def judged(
    earlier: tuple[Exchange, ...], *last: Exchange, dialect: str | None = None
) -> tuple[list[Finding], list[str]]:
    """The warnings and errors in the last exchanges of a run, and internal errors.

    Where a provider is judged by its own document, what only the owner of the format forbids is an info: it counts.

    A request that no dialect claims any more is judged as the dialect of its endpoint, which its client knows.
    """
    checker = Checker(dialect)
    for exchange in earlier:
        checker.feed(exchange)
    findings = [
        finding for exchange in last for finding in checker.feed(exchange) if finding.severity >= _least(exchange)
    ]
    return findings, checker.summary.harness_errors


def _least(exchange: Exchange) -> Severity:
    own = documented(provider_of(exchange.request.host) or "")
    return Severity.WARNING if own is None else Severity.INFO


def conforms(subject: Subject) -> bool:
    """Whether the unchanged exchange has no warning or error."""
    return bool(subject.layers) and judged(subject.earlier, subject.exchange) == ([], [])


def try_out(subject: Subject, operator: Operator, fault: Fault) -> Outcome:
    """Puts the fault in and judges."""
    mutant = fault.made()
    known = claimants(mutant.request)
    findings, broken = judged(subject.earlier, mutant, dialect=None if known else subject.envelope)
    if operator.two_sided and not findings:
        before, _ = judged((*subject.earlier, subject.exchange), *subject.later)
        after, broken = judged((*subject.earlier, mutant), *subject.later)
        usual = {finding.rule for finding in before}
        findings = [finding for finding in after if finding.rule not in usual]
    free = not findings and is_free(subject, operator.name, fault)
    return Outcome(
        dialect=operator.dialect_of(subject),
        operator=operator.name,
        side=fault.side,
        pattern=fault.pattern,
        place=fault.place,
        subject=subject.name,
        rules=tuple(dict.fromkeys(finding.rule for finding in findings)),
        broken=tuple(broken),
        free=free,
        ours=subject.exchange.complete,
        foreign=not findings and not free and _shows_at_home(subject, mutant, operator),
    )


def _shows_at_home(subject: Subject, mutant: Exchange, operator: Operator) -> bool:
    """Whether a mutant in a recording of others is caught when the run is judged as a recording of our own."""
    if subject.exchange.complete:
        return False
    later = _ours(subject.later) if operator.two_sided else ()
    earlier, (whole, changed) = _ours(subject.earlier), _ours((subject.exchange, mutant))
    before, _ = judged(earlier, whole, *later, dialect=subject.envelope)
    after, _ = judged(earlier, changed, *later, dialect=subject.envelope)
    return bool(Counter(each.rule for each in after) - Counter(each.rule for each in before))


def _ours(run: tuple[Exchange, ...]) -> tuple[Exchange, ...]:
    return tuple(replace(each, complete=True) for each in run)
