"""Every rule against its own examples: they are its proof."""

import re

import pytest

from conformance.judge.proofs.example import Example, base_names
from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects
from tests.judged import judge

RULES = pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)


FOUND: dict[str, dict[str, list[Finding]]] = {}
"""The findings in each example judged so far, by rule: most rules share their conforming examples."""
PATTERN = re.compile(
    r"/\*?\[!?[a-z_.]*[=\]]|[a-z_]\|[a-z]|\b(request|response|events?|header|client|server)(\[| /\S*\*)"
)
"""What no finding shows: the notation of places in `judge/relations`."""


def findings(rule: Rule, example: Example) -> list[Finding]:
    """What the rule reports in the example."""
    found = FOUND.get(repr(example))
    if found is None:
        found = FOUND[repr(example)] = {}
        for each in judge(example):
            found.setdefault(each.rule, []).append(each)
    return found.get(rule.id, [])


def places(rule: Rule, example: Example) -> list[str]:
    """Where the rule reports a finding in the example."""
    return [
        " ".join(str(piece) for piece in (each.exchange, each.side, each.pointer) if piece is not None)
        for each in findings(rule, example)
    ]


@RULES
def test_a_violating_example_trips_its_rule_at_its_place(rule: Rule) -> None:
    found = {number: places(rule, example) for number, example in enumerate(rule.violating)}
    assert found == {number: [example.at] for number, example in enumerate(rule.violating)}


@RULES
def test_a_finding_names_a_place_in_words(rule: Rule) -> None:
    shown = [f"{each.message} {each.expected}" for example in rule.violating for each in findings(rule, example)]
    assert [each for each in shown if PATTERN.search(each)] == []


@RULES
def test_a_conforming_example_does_not_trip_its_rule(rule: Rule) -> None:
    found = {number: places(rule, example) for number, example in enumerate(rule.conforming)}
    assert found == {number: [] for number, _ in enumerate(rule.conforming)}


@pytest.mark.parametrize("base", [f"{dialect}/{name}" for dialect in all_dialects() for name in base_names(dialect)])
def test_a_base_of_examples_has_no_finding_at_all(base: str) -> None:
    assert judge(Example(base)) == []


@RULES
def test_a_rule_has_both_kinds_of_examples_and_says_what_it_is_for(rule: Rule) -> None:
    assert rule.violating
    assert rule.conforming
    assert rule.statement.endswith(".")
    assert rule.why
    assert rule.cites


@pytest.mark.parametrize(
    ("rule", "number", "words"),
    [
        ("messages-request-header-missing", 0, ("header anthropic-version is missing", "a version", "no such header")),
        (
            "messages-request-header-missing",
            3,
            ("no credential was sent", "x-api-key, or authorization with a bearer", "neither header"),
        ),
        ("mcp-parameter-header-invalid", 0, ("this is no name of a header", "the name of a header", '""')),
        ("mcp-parameter-header-invalid", 1, ("another parameter has this header", "the name of a header", '"region"')),
        (
            "mcp-parameter-header-invalid",
            2,
            ("the parameter is no string, integer or boolean", "the name of a header", '"Latitude"'),
        ),
        (
            "mcp-parameter-header-invalid",
            3,
            ("not only `properties` lead to this parameter", "the name of a header", '"Place"'),
        ),
    ],
)
def test_a_finding_contains_which_of_several_things_is_wrong(rule: str, number: int, words: tuple[str, ...]) -> None:
    [found] = (each for each in judge(all_rules()[rule].violating[number]) if each.rule == rule)
    assert (found.message, found.expected, found.actual) == words
