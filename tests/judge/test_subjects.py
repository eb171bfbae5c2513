"""What a rule is about: without any of that it is not asked, which spares time and changes no finding."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.rule import all_rules
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from tests.cassettes import PLAYED, SHIPPED, some
from tests.sampling import every


def _both(exchanges: list[Exchange]) -> tuple[list[Finding], list[Finding]]:
    passing, looking = Checker(), Checker(asks_all=True)
    return (
        [finding for exchange in exchanges for finding in passing.feed(exchange)],
        [finding for exchange in exchanges for finding in looking.feed(exchange)],
    )


ABOUT = [rule for rule in all_rules().values() if rule.about]


def test_only_rules_in_python_have_a_subject() -> None:
    assert len(ABOUT) > 40
    assert all(not rule.of_contract for rule in ABOUT)


def test_findings_of_every_example_are_the_same_when_every_rule_is_asked() -> None:
    count = 0
    rules = every(ABOUT, 3, risk="a rule whose subject leaves out one of its own examples")
    for rule in rules:
        for example in (*rule.conforming, *rule.violating):
            one, other = _both(example.exchanges())
            assert one == other
            count += 1
    assert count > len(rules)


@pytest.mark.parametrize("name", sorted(path.name for path in SHIPPED.iterdir() if path.is_dir()))
def test_findings_of_shipped_cassettes_are_the_same_when_every_rule_is_asked(name: str) -> None:
    cells = some(cell for cell in PLAYED if cell.dialect == name)
    one, other = _both(list(read([str(SHIPPED / cell.relative_path) for cell in cells])))
    assert one == other


@pytest.mark.parametrize(
    "file", ["openai-chat", "openai-compatible", "openai-responses", "anthropic-messages", "gemini-generate", "mistral"]
)
def test_findings_of_real_recordings_are_the_same_when_every_rule_is_asked(file: str, corpus: Path) -> None:
    recorded = islice(read([str(corpus / f"{file}.jsonl.gz")]), 0, None, 3)
    exchanges = every(recorded, 8, risk="a subject that only one real recording has")
    one, other = _both(exchanges)
    assert one == other
