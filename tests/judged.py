"""Examples, each judged as a run of its own."""

from __future__ import annotations

from functools import cache

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.judge.rule import all_rules
from conformance.model.finding import Finding


def judge(example: Example) -> list[Finding]:
    checker = Checker()
    findings = [finding for exchange in example.exchanges() for finding in checker.feed(exchange)]
    assert checker.summary.harness_errors == []
    assert checker.summary.unclaimed == 0
    return findings


@cache
def judged(rule: str) -> tuple[tuple[Finding, ...], ...]:
    """The findings in each violating example of a rule: several tests look at them."""
    return tuple(tuple(judge(example)) for example in all_rules()[rule].violating)
