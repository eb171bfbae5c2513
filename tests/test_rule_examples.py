"""Every rule against its own examples: they are its proof."""

import pytest

from conformance.judge.example import Example, base_names
from conformance.judge.rule import Rule, all_rules
from conformance.model.registry import all_dialects
from tests.judged import judge


def examples(kind: str) -> list[object]:
    return [
        pytest.param(rule, example, id=f"{rule.id}-{number}")
        for rule in all_rules().values()
        for number, example in enumerate(getattr(rule, kind))
    ]


@pytest.mark.parametrize(("rule", "example"), examples("violating"))
def test_a_violating_example_trips_its_rule_at_its_place(rule: Rule, example: Example) -> None:
    places = [
        " ".join(str(piece) for piece in (finding.exchange, finding.side, finding.pointer) if piece is not None)
        for finding in judge(example)
        if finding.rule == rule.id
    ]
    assert places == [example.at]


@pytest.mark.parametrize(("rule", "example"), examples("conforming"))
def test_a_conforming_example_does_not_trip_its_rule(rule: Rule, example: Example) -> None:
    assert [finding for finding in judge(example) if finding.rule == rule.id] == []


@pytest.mark.parametrize("base", [f"{dialect}/{name}" for dialect in all_dialects() for name in base_names(dialect)])
def test_a_base_of_examples_has_no_finding_at_all(base: str) -> None:
    assert judge(Example(base)) == []


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_a_rule_has_both_kinds_of_examples_and_says_what_it_is_for(rule: Rule) -> None:
    assert rule.violating
    assert rule.conforming
    assert rule.statement.endswith(".")
    assert rule.why
    assert rule.cites
