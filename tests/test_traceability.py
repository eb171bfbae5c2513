"""Every statement of the contract is a rule, or a test of ours, or says why not; every citation leads to one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conformance.catalogue.contract import all_statements
from conformance.catalogue.contract_pages import Statement
from conformance.judge.rule import all_rules
from conformance.model.finding import Severity
from tests.test_corrections import ACCEPTED
from tests.traceability import FILE, citing, declared, load, names, problems, refreshed, written

Entry = dict[str, Any]


def test_every_statement_is_held_and_every_citation_leads_to_one() -> None:
    assert list(problems(load())) == [], "or run `python -m tests.traceability`"


def test_every_statement_of_the_pages_has_an_entry_and_no_entry_is_made_up() -> None:
    assert set(load()) == set(all_statements())


def test_every_number_that_a_rule_cites_is_a_heading() -> None:
    cited = {name for rule in all_rules().values() for name in rule.requirements}
    assert cited - set(all_statements()) == set()


def test_every_heading_that_is_not_planned_is_held() -> None:
    held = {name for name, entry in load().items() if set(entry) - {"planned", "severity_note", "corrected"}}
    assert {name for name, each in all_statements().items() if not each.planned} == held


def test_what_was_corrected_is_held_by_a_test_of_its_own() -> None:
    numbers = {word for case in ACCEPTED for word in case.split() if word in all_statements()}
    assert numbers == {name for name, entry in load().items() if names(entry.get("corrected"))}


def test_the_rules_of_a_statement_that_is_not_verified_warn_at_most() -> None:
    unverified = [name for name, statement in all_statements().items() if not statement.verified]
    assert unverified
    for name in unverified:
        assert [rule.id for rule in citing().get(name, ()) if declared(rule, name) is Severity.ERROR] == [], name


def test_the_file_is_as_the_refresh_writes_it() -> None:
    assert FILE.read_text(encoding="utf-8") == written(refreshed(load()))


# The check itself: each fault that it is there for, put in.


def _no_entry(entries: dict[str, Entry]) -> None:
    del entries["OAC-Q-001"]


def _nothing(entries: dict[str, Entry]) -> None:
    entries.clear()


def _rule_too_many(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["rules"].append("chat-messages-empty")


def _rule_unknown(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["rules"] = ["chat-nothing"]


def _held_by_nothing(entries: dict[str, Entry]) -> None:
    del entries["OAR-S-013"]["property"]


def _test_unknown(entries: dict[str, Entry]) -> None:
    entries["OAR-S-013"]["property"] = "tests/test_tolerance.py::test_nothing"


def _test_elsewhere(entries: dict[str, Entry]) -> None:
    entries["OAR-S-013"]["property"] = "conformance/rule.py::test_nothing"


def _excluded_with_rule(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["excluded"] = "it cannot be seen"


def _excluded_without_reason(entries: dict[str, Entry]) -> None:
    entries["LCB-R-001"] = {"excluded": " "}


def _note_gone(entries: dict[str, Entry]) -> None:
    del entries["OAC-R-004"]["severity_note"]


def _note_empty(entries: dict[str, Entry]) -> None:
    entries["GEM-C-001"]["severity_note"] = ""


def _row_unknown(entries: dict[str, Entry]) -> None:
    entries["11.1.1"]["rows"] = ["nothing"]


def _planned_without_page(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["planned"] = True


def _made_up(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-999"] = {"excluded": "it cannot be seen"}


def _same_as_nothing(entries: dict[str, Entry]) -> None:
    entries["D13"]["same_as"] = ["D08"]


def _key_unknown(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["comment"] = "why not"


FAULTS: list[tuple[Callable[[dict[str, Entry]], None], str]] = [
    (_no_entry, "OAC-Q-001 has no entry; run `python -m tests.traceability`"),
    (_nothing, "OAC-Q-001 has no entry"),
    (_rule_too_many, "OAC-Q-002: write `rules: [chat-credential-missing"),
    (_rule_unknown, "OAC-Q-002: write `rules: [chat-credential-missing"),
    (_held_by_nothing, "OAR-S-013: nothing holds it"),
    (_test_unknown, "OAR-S-013: there is no test tests/test_tolerance.py::test_nothing"),
    (_test_elsewhere, "OAR-S-013: there is no test conformance/rule.py::test_nothing"),
    (_excluded_with_rule, "OAC-Q-002: `excluded` is for a statement that nothing holds"),
    (_excluded_without_reason, "LCB-R-001: nothing holds it"),
    (_note_gone, "OAC-R-004 is of severity warning, no rule above info"),
    (_note_empty, "GEM-C-001: `severity_note` says nothing"),
    (_row_unknown, "11.1.1: write `rows: [id-value, "),
    (_planned_without_page, "OAC-Q-002: write `planned: true` where its page says so"),
    (_made_up, "OAC-Q-999 is no statement of docs/contract"),
    (_same_as_nothing, "D13: D08 is no entry that says what holds it"),
    (_key_unknown, "OAC-Q-002: there is no key 'comment'"),
]


@pytest.mark.parametrize(("fault", "told"), FAULTS, ids=[fault.__name__.strip("_") for fault, _ in FAULTS])
def test_a_fault_in_the_file_is_told_with_what_to_write(fault: Callable[[dict[str, Entry]], None], told: str) -> None:
    entries = copy.deepcopy(load())
    fault(entries)
    assert any(problem.startswith(told) for problem in problems(entries)), list(problems(entries))


def _not_verified(statement: Statement) -> Statement:
    return replace(statement, verified=False)


def _milder(statement: Statement) -> Statement:
    return replace(statement, severity="warning")


def _without(statements: dict[str, Statement]) -> None:
    del statements["OAC-Q-002"]


PAGE_FAULTS: list[tuple[Callable[[dict[str, Statement]], None], str]] = [
    (
        lambda pages: pages.update({"OAC-Q-002": _not_verified(pages["OAC-Q-002"])}),
        "OAC-Q-002 is not verified, and chat-credential-missing is an error",
    ),
    (
        lambda pages: pages.update({"OAC-Q-002": _milder(pages["OAC-Q-002"])}),
        "OAC-Q-002 is of severity warning, chat-credential-missing above it",
    ),
    (
        lambda pages: pages.update({"OAC-Q-002": replace(pages["OAC-Q-002"], status="planned")}),
        "OAC-Q-002: it is held; remove `status: planned`",
    ),
    (_without, "OAC-Q-002 has no heading in docs/contract, and is cited by chat-credential-missing"),
]


@pytest.mark.parametrize(("fault", "told"), PAGE_FAULTS, ids=["not verified", "milder", "planned and held", "without"])
def test_a_page_that_the_rules_do_not_agree_with_is_told(
    fault: Callable[[dict[str, Statement]], None], told: str
) -> None:
    statements = dict(all_statements())
    fault(statements)
    assert any(problem.startswith(told) for problem in problems(load(), statements)), list(problems(load(), statements))
