"""Every statement is held by a rule, a row or a test, or says why not; severities are those of the statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

import pytest

from conformance.commands.explain.contract import explained
from conformance.contract.brief import Held
from conformance.contract.citation import DEPRECATED, NULL_IN_REPLY, UNDOCUMENTED, Kind
from conformance.contract.rows import cite, refusal
from conformance.contract.statements import Statement
from conformance.diff.rows import FACTS, PLACES
from conformance.judge.rule import all_rules, rule
from conformance.model.finding import Severity
from conformance.report.catalogue.contract import all_statements
from conformance.report.catalogue.special_cases import Check, checks, special_cases
from devtools.places import ROOT
from tests.dialects.test_corrections import ACCEPTED

STATEMENTS = all_statements()
Statements = dict[str, Statement]
Holders = dict[str, tuple[str, ...]]


@cache
def marks() -> Mapping[str, tuple[str, ...]]:
    """The tests that hold each statement, by their marks."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.statement(" in text:
            for name, number in _marked(ast.parse(text).body):
                found.setdefault(number, []).append(f"{path.relative_to(ROOT)}::{name}")
    return {number: tuple(names) for number, names in found.items()}


def _marked(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _marked(node.body)
        elif isinstance(node, ast.FunctionDef):
            for each in node.decorator_list:
                if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.mark.statement":
                    yield from ((node.name, ast.literal_eval(number)) for number in each.args)


@cache
def holders() -> Mapping[str, tuple[str, ...]]:
    """What holds each statement: rules, rows of the comparison of recordings, and tests."""
    found: dict[str, dict[str, None]] = {}
    for each in all_rules().values():
        for number in each.cites:
            found.setdefault(number, {})[each.id] = None
    for row in (*FACTS.values(), *PLACES):
        found.setdefault(row.cite, {})[row.id] = None
    for number, names in marks().items():
        found.setdefault(number, {}).update(dict.fromkeys(names))
    return {number: tuple(names) for number, names in found.items()}


def problems(statements: Mapping[str, Statement], held: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What is wrong with what holds the statements."""
    yield from (f"{number} is no statement: {', '.join(by)}" for number, by in held.items() if number not in statements)
    for number, each in statements.items():
        ways = [bool(held.get(number)), bool(each.same_as), bool(each.excluded), each.planned]
        if not any(ways):
            yield f"{number}: nothing holds it; cite it, mark a test with it, or write `same_as` or `excluded`"
        if sum(ways) > 1:
            yield f"{number}: it is held; remove what says that it is not"
        for other in each.same_as:
            if other == number or not held.get(other):
                yield f"{number}: {other} is not held itself"


def test_every_statement_is_held_and_every_citation_leads_to_one() -> None:
    assert list(problems(STATEMENTS, holders())) == []


def _unknown(_: Statements, held: Holders) -> None:
    held["OAC-Q-999"] = ("a-rule",)


def _held_by_nothing(_: Statements, held: Holders) -> None:
    del held["OAC-Q-001"]


def _planned(statements: Statements, _: Holders) -> None:
    statements["OAC-Q-001"] = replace(statements["OAC-Q-001"], planned=True)


def _excluded(statements: Statements, _: Holders) -> None:
    statements["OAC-Q-001"] = replace(statements["OAC-Q-001"], excluded="it cannot be seen")


def _same_as_nothing(statements: Statements, held: Holders) -> None:
    del held["OAC-Q-001"]
    statements["OAC-Q-001"] = replace(statements["OAC-Q-001"], same_as=("OAC-Q-001",))


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (_unknown, "OAC-Q-999 is no statement: a-rule"),
        (_held_by_nothing, "OAC-Q-001: nothing holds it"),
        (_planned, "OAC-Q-001: it is held"),
        (_excluded, "OAC-Q-001: it is held"),
        (_same_as_nothing, "OAC-Q-001: OAC-Q-001 is not held itself"),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_a_fault_is_found(fault: Callable[[Statements, Holders], None], problem: str) -> None:
    statements, held = dict(STATEMENTS), dict(holders())
    fault(statements, held)
    assert [each for each in problems(statements, held) if each.startswith(problem)]


def test_what_was_corrected_is_held_by_a_test_of_its_own() -> None:
    numbers = {word for case in ACCEPTED for word in case.split() if word in STATEMENTS}
    assert numbers
    assert numbers <= {number for number, names in marks().items() if any("corrections" in name for name in names)}


def test_a_statement_that_is_not_verified_is_no_error() -> None:
    unverified = [each for each in STATEMENTS.values() if not each.verified]
    assert unverified
    assert [each.id for each in unverified if each.severity == "error"] == []


def _policy(check: Check) -> bool:
    """Whether the policy (docs/contract/policy.md) makes a row less severe than its statement."""
    mild: dict[Kind | None, frozenset[Severity]] = {
        "null": frozenset({NULL_IN_REPLY}),
        "deprecated": frozenset({DEPRECATED}),
        "value": frozenset(UNDOCUMENTED.values()),
        "missing": frozenset({Severity.WARNING}),
    }
    return check.severity in mild.get(check.kind, ())


def test_a_severity_other_than_the_statements_has_its_reason() -> None:
    found = list(checks())
    assert len(found) > 5_000
    differing = {each for each in found if str(each.severity) != STATEMENTS[each.number].severity}
    assert {each for each in differing if not each.because and not _policy(each)} == set()


def test_each_reason_is_shown_with_the_statement() -> None:
    for each in checks():
        if each.because and str(each.severity) != STATEMENTS[each.number].severity:
            cases = map(str, special_cases(each.number))
            start, end = f"{each.severity} for ", f": {each.because}"
            assert [case for case in cases if case.startswith(start) and each.rule in case and case.endswith(end)]


@pytest.mark.parametrize(
    ("number", "case"),
    [
        ("ANY-141", "warning for `tool-call-unanswered` in react: REA-C-001 has this severity"),
        ("GEM-C-003", "info for `tool-result-out-of-order`: another order was accepted"),
        ("OAC-S-005", "warning for `chunk-choice-repeated` in openai-chat, openai-completions: each entry"),
        ("OAC-Q-018", "warning for `chat-content-wrong-type` at `/messages/*/content`: "),
    ],
)
def test_a_special_case_names_rule_place_and_dialect(number: str, case: str) -> None:
    assert [each for each in map(str, special_cases(number)) if each.startswith(case)]
    assert f"    - {case}" in (ROOT / "docs/contract" / STATEMENTS[number].page).read_text(encoding="utf-8")
    assert case in " ".join(explained(STATEMENTS[number]).split())


def test_a_reason_is_given_only_where_the_severity_is_another_one() -> None:
    for each in all_rules().values():
        if each.because:
            assert {str(each.severity[""])} != {STATEMENTS[number].severity for number in each.numbers}, each.id
        for dialect, found in each.held.items():
            for statement, held in found:
                same = str(each.severity_in(dialect)) == statement.severity
                assert held == Held() if same else held.because, (each.id, statement.id)


def test_a_rule_or_a_row_cites_numbers_and_nothing_else() -> None:
    assert [each.id for each in all_rules().values() if any(" " in number for number in each.cites)] == []
    for make in (cite, refusal):
        with pytest.raises(ValueError, match="a source belongs to the statement"):
            make("OAC-Q-001 owner/repo#1")
    with pytest.raises(ValueError, match="a source belongs to the statement"):
        rule("a-rule", scope="request", cites="OAC-Q-001 owner/repo#1")


def test_a_severity_is_given_only_with_its_reason() -> None:
    for make in (cite, refusal):
        for words in ({"severity": Severity.INFO}, {"because": "it was accepted"}):
            with pytest.raises(ValueError, match="has its reason in `because`"):
                make("OAC-Q-001", **words)
    with pytest.raises(ValueError, match="has its reason in `because`"):
        rule("a-rule", scope="request", cites="OAC-Q-001", severity=Severity.INFO)
