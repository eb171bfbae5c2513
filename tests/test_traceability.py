"""Every statement of the contract is a rule, or a test of ours, or says why not; every citation leads to one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from conformance.model.finding import Severity
from tests.traceability import (
    CATALOGUE,
    FILE,
    citing,
    corrected,
    declared,
    load,
    names,
    numbered,
    problems,
    refreshed,
    unnumbered,
    written,
)

Entry = dict[str, Any]


@pytest.fixture
def catalogue() -> str:
    """The text of the catalogue, where it is present."""
    if not CATALOGUE.is_file():
        pytest.skip("the contract catalogue is not beside this checkout (../shared/WIRE.md)")
    return CATALOGUE.read_text(encoding="utf-8")


def test_every_statement_is_held_and_every_citation_leads_to_one() -> None:
    assert list(problems(load())) == [], "or run `python -m tests.traceability`"


def test_every_statement_of_the_catalogue_has_an_entry_and_no_entry_is_made_up(catalogue: str) -> None:
    wanted = {*numbered(catalogue), *unnumbered(catalogue)}
    assert len(numbered(catalogue)) == catalogue.count(" | v: ") + catalogue.count(" | u ")
    assert wanted == {name for name, entry in load().items() if "statement" not in entry}


def test_severity_and_verification_are_those_of_the_catalogue(catalogue: str) -> None:
    entries = load()
    stated = {name: (each.severity, each.verified) for name, each in numbered(catalogue).items()}
    assert stated == {
        name: (entry["severity"], entry["verified"]) for name, entry in entries.items() if "severity" in entry
    }


def test_what_was_corrected_is_held_by_a_test_of_its_own(catalogue: str) -> None:
    numbers = {name for name in corrected(catalogue) if name in numbered(catalogue)}
    assert numbers == {name for name, entry in load().items() if names(entry.get("corrected"))}


def test_a_statement_of_our_own_says_what_it_is_and_where_it_is_from() -> None:
    own = {name: entry for name, entry in load().items() if "statement" in entry}
    assert own
    for name, entry in own.items():
        assert entry["statement"].strip(), name
        assert entry["source"].strip(), name
        assert entry.get("rules"), name


def test_the_rules_of_a_statement_that_is_not_verified_warn_at_most() -> None:
    unverified = [name for name, entry in load().items() if entry.get("verified") is False]
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
    entries["LCB-R-001"] = {"severity": "error", "verified": True, "excluded": " "}


def _note_gone(entries: dict[str, Entry]) -> None:
    del entries["OAC-R-004"]["severity_note"]


def _note_empty(entries: dict[str, Entry]) -> None:
    entries["GEM-C-001"]["severity_note"] = ""


def _not_verified(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["verified"] = False


def _key_unknown(entries: dict[str, Entry]) -> None:
    entries["OAC-Q-002"]["comment"] = "why not"


FAULTS: list[tuple[Callable[[dict[str, Entry]], None], str]] = [
    (_no_entry, "OAC-Q-001 has no entry; add `rules: ["),
    (_nothing, "OAC-Q-001 has no entry"),
    (_rule_too_many, "OAC-Q-002: write `rules: [chat-credential-missing"),
    (_rule_unknown, "OAC-Q-002: write `rules: [chat-credential-missing"),
    (_held_by_nothing, "OAR-S-013: nothing holds it"),
    (_test_unknown, "OAR-S-013: there is no test tests/test_tolerance.py::test_nothing"),
    (_test_elsewhere, "OAR-S-013: there is no test conformance/rule.py::test_nothing"),
    (_excluded_with_rule, "OAC-Q-002: `excluded` is for a statement without a rule"),
    (_excluded_without_reason, "LCB-R-001: nothing holds it"),
    (_note_gone, "OAC-R-004 is of severity warning, no rule above info"),
    (_note_empty, "GEM-C-001: `severity_note` says nothing"),
    (_not_verified, "OAC-Q-002 is not verified, and chat-credential-missing is an error"),
    (_key_unknown, "OAC-Q-002: there is no key 'comment'"),
]


@pytest.mark.parametrize(("fault", "told"), FAULTS, ids=[fault.__name__.strip("_") for fault, _ in FAULTS])
def test_a_fault_in_the_file_is_told_with_what_to_write(fault: Callable[[dict[str, Entry]], None], told: str) -> None:
    entries = copy.deepcopy(load())
    fault(entries)
    assert any(problem.startswith(told) for problem in problems(entries)), list(problems(entries))
