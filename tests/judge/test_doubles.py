"""No rule twice: what allows two rules at one place is written once, and no two rules make the same statement."""

from __future__ import annotations

from collections import Counter, defaultdict

from conformance.judge.rule import all_rules
from conformance.model.registry import all_dialects
from devtools.doubles import KINDS, reasons


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
