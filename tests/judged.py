"""An example, judged as a run of its own."""

from __future__ import annotations

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.model.finding import Finding


def judge(example: Example) -> list[Finding]:
    checker = Checker()
    findings = [finding for exchange in example.exchanges() for finding in checker.feed(exchange)]
    assert checker.summary.harness_errors == []
    assert checker.summary.unclaimed == 0
    return findings
