"""No rule twice: two rules find something at one place of an example only for a written reason."""

from __future__ import annotations

from collections import Counter, defaultdict

from conformance.judge.rule import all_rules
from conformance.model.registry import all_dialects
from devtools.doubles import KINDS, doubles, reasons


def test_two_rules_find_something_at_one_place_only_for_a_written_reason() -> None:
    written = {each.pair for each in reasons()}
    assert {pair: found[0].example for pair, found in doubles().items() if pair not in written} == {}


def test_a_reason_that_no_example_needs_is_taken_out() -> None:
    assert [each.rules for each in reasons() if each.pair not in doubles()] == []


def test_a_reason_is_written_once_and_is_of_a_known_kind() -> None:
    assert [pair for pair, count in Counter(each.pair for each in reasons()).items() if count > 1] == []
    assert {each.kind for each in reasons()} == set(KINDS)
    assert all(each.reason for each in reasons())


def test_no_two_rules_of_a_dialect_make_the_same_statement() -> None:
    statements = defaultdict(list)
    for rule in all_rules().values():
        for dialect in filter(rule.judges, all_dialects()):
            statements[dialect, rule.scope, rule.statement.casefold()].append(rule.id)
    assert [ids for ids in statements.values() if len(ids) > 1] == []
