"""What is explained by the index of rules is what the dialects have."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from conformance.judge.rule import Rule, all_rules, find_rule, rule_names, rules_citing
from conformance.judge.rule_index import rule_index
from conformance.report.catalogue.contract import all_statements, find_statement
from conformance.report.catalogue.special_cases import found_cases, special_cases


def _facts(rule: Rule) -> Mapping[str, Any]:
    fields = {each.name: getattr(rule, each.name) for each in dataclasses.fields(rule) if each.name != "judge"}
    return {**fields, "statement": rule.statement, "why": rule.why, "cites": rule.cites}


def test_a_rule_of_the_index_is_that_of_its_dialect() -> None:
    assert len(rule_index()) > 500
    for name in rule_index():
        found = find_rule(name)
        assert found is not None
        assert _facts(found) == _facts(all_rules()[name])


def test_the_names_of_the_index_and_of_what_is_always_loaded_are_those_of_all_rules() -> None:
    assert rule_names() == list(all_rules())
    assert find_rule("no-such-rule") is None


def test_a_statement_is_found_with_the_rules_that_cite_it() -> None:
    cited = {each.id: each.cites for each in all_rules().values()}
    citing = {number: [rule for rule, numbers in cited.items() if number in numbers] for number in all_statements()}
    assert {number: [each.id for each in rules_citing(number)] for number in citing} == citing
    assert {number: find_statement(number) for number in citing} == all_statements()
    assert find_statement("ANY-999") is None


def test_the_special_cases_are_those_that_the_contracts_have() -> None:
    found = {number: list(map(str, cases)) for number, cases in found_cases().items()}
    assert {number: list(map(str, cases)) for number in all_statements() if (cases := special_cases(number))} == found
