"""Every rule against its own examples: they are its proof."""

import re

import pytest

from conformance.judge.proofs.example import Example, base_names
from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects
from devtools.doubles import doubles, reasons
from tests.judged import judge, judged

PATTERN = re.compile(
    r"/\*?\[!?[a-z_.]*[=\]]|[a-z_]\|[a-z]|\b(request|response|events?|header|client|server)(\[| /\S*\*)"
)
"""What no finding shows: the notation of places in `judge/relations`."""
TRIPPED: dict[str, frozenset[str]] = {}
"""The rules that report something in each conforming example judged so far: most rules share theirs."""


def tripped(example: Example) -> frozenset[str]:
    """The rules that report something in a conforming example."""
    name = repr(example)
    if name not in TRIPPED:
        TRIPPED[name] = frozenset(each.rule for each in judge(example))
    return TRIPPED[name]


def place(finding: Finding) -> str:
    return " ".join(str(piece) for piece in (finding.exchange, finding.side, finding.pointer) if piece is not None)


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_a_rule_trips_at_the_place_of_each_violating_example_in_words_and_in_no_conforming_one(rule: Rule) -> None:
    violating, conforming = rule.violating, rule.conforming
    assert violating
    assert conforming
    assert rule.statement.endswith(".")
    assert rule.why
    assert rule.cites
    found = [[each for each in findings if each.rule == rule.id] for findings in judged(rule.id)]
    assert [[place(each) for each in findings] for findings in found] == [[example.at] for example in violating]
    shown = [f"{each.message} {each.expected}" for findings in found for each in findings]
    assert [each for each in shown if PATTERN.search(each)] == []
    assert [number for number, example in enumerate(conforming) if rule.id in tripped(example)] == []


@pytest.mark.parametrize("base", [f"{dialect}/{name}" for dialect in all_dialects() for name in base_names(dialect)])
def test_a_base_of_examples_has_no_finding_at_all(base: str) -> None:
    assert judge(Example(base)) == []


def test_a_finding_names_the_rule_of_the_one_that_makes_it_inevitable() -> None:
    explained = {
        (finding.because, finding.rule)
        for rule in all_rules()
        for findings in judged(rule)
        for finding in findings
        if finding.because is not None
    }
    assert ("tool-call-name-invalid", "tool-call-undeclared") in explained
    assert len(explained) > 40


def test_two_rules_find_something_at_one_place_only_for_a_written_reason() -> None:
    written = {each.pair for each in reasons()}
    assert {pair: found[0].example for pair, found in doubles().items() if pair not in written} == {}


def test_a_reason_that_no_example_needs_is_taken_out() -> None:
    assert [each.rules for each in reasons() if each.pair not in doubles()] == []


@pytest.mark.parametrize(
    ("rule", "number", "words"),
    [
        ("messages-request-header-missing", 0, ("header anthropic-version is missing", "a version", "nothing")),
        (
            "messages-request-header-missing",
            3,
            ("no credential was sent", "x-api-key, or authorization with a bearer", "nothing"),
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
