"""A request that was judged by itself needs no second judgement: only the comparison with its run is missing."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.judge.alone import Alone
from conformance.judge.checker import Checker
from conformance.judge.contracted import refused
from conformance.judge.rule import all_rules
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.registry import claimants, has_part
from tests.sampling import amount, every

_RISK = "a rule that alone judges a request in another way by itself"
_STEP = amount(1, 4, risk=_RISK)


def found(exchanges: Sequence[Exchange], *, alone: bool) -> list[tuple[Finding, int]]:
    """The findings in the requests of a run, each with its occurrences."""
    checker = Checker(requests_only=True)
    findings = []
    for exchange in exchanges:
        views = [Alone(exchange.request, dialect) for dialect in claimants(exchange.request)] if alone else []
        for view in views:
            list(refused(view))
            list(checker.judge_alone(view))
        findings += [each for each in checker.feed(exchange, views) if each.side == "request"]
    assert checker.summary.harness_errors == []
    return [(each, each.occurrences) for each in findings]


def test_the_findings_of_a_run_are_the_same_with_requests_that_were_judged_alone() -> None:
    compared = 0
    for rule in every(all_rules().values(), _STEP, risk=_RISK):
        for example in rule.violating[:1]:
            exchanges = example.exchanges()
            if any(exchange.request.is_line for exchange in exchanges):
                continue  # what a server judges alone came over HTTP
            if all(has_part(each.name, "render") for exchange in exchanges for each in claimants(exchange.request)):
                usual = found(exchanges, alone=False)
                assert found(exchanges, alone=True) == usual, rule.id
                compared += len(usual)
    assert compared > 300 // _STEP
