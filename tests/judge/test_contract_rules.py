"""Rules in Python and rows that tell under the same id say the same of the rules' own examples."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

from conformance.contract import Contract, Violation
from conformance.judge.proofs.example import Example
from conformance.judge.rule import all_rules
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Malformed
from conformance.profiles.profiles import all_profiles
from devtools.contract_silence import bodies
from tests.contract.test_contract_admission import DIALECTS

BETWEEN = {
    "gemini-error-malformed": "also the HTTP status",
    "messages-delta-type-mismatch": "also the type of the block that a delta is for",
    "messages-event-name-mismatch": "also the name of the event",
    "messages-tool-choice-invalid": "also the names of the declared tools",
}
"""Rules of which a part lies between places: rows find some of their examples, code the others."""


def _contracts(dialect: str) -> list[Contract]:
    module = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    return [each for each in vars(module).values() if isinstance(each, Contract)]


def _reported(example: Example, dialect: str) -> Iterator[Violation]:
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for exchange in example.exchanges():
        view = View(exchange, all_dialects()[dialect])
        if view.endpoint is not None or view.dialect in claimants(exchange.request):
            for contract, value, situation in bodies(view, contracts):
                yield from contract.violations(value, situation)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_row_finds_what_the_rule_of_its_name_finds(dialect: str) -> None:
    shared = {rule for contract in _contracts(dialect) for rule in contract.rules()} & all_rules().keys()
    assert shared
    for name in sorted(shared):
        _agree(dialect, name)


def _agree(dialect: str, name: str) -> None:
    """The rows and the rule of one name find the same of the rule's examples in the dialect."""
    rule = all_rules()[name]
    found = 0
    for example in (each for each in rule.violating if each.base.startswith(f"{dialect}/")):
        bodies_parse = all(
            not isinstance(View(each, all_dialects()[dialect]).response, Malformed) or each.response.is_event_stream
            for each in example.exchanges()
        )
        hit = name in {each.rule for each in _reported(example, dialect)}
        found += hit
        assert not bodies_parse or hit or name in BETWEEN, (name, example.edits)
    assert found, name
    for example in (each for each in rule.conforming if each.base.startswith(f"{dialect}/")):
        assert [each for each in _reported(example, dialect) if each.severity is Severity.ERROR] == [], name


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_deviation_leads_to_rows(dialect: str) -> None:
    for contract in _contracts(dialect):
        for provider in all_profiles():
            node = contract.node
            for deviation in contract.rows_of(provider):
                node = deviation.put(node)  # in what the ones before it allow
                assert deviation.evidence


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_entry_has_a_rule_and_a_citation(dialect: str) -> None:
    for contract in _contracts(dialect):
        listed = list(contract.entries())
        assert listed
        assert all(each.rule and each.number for each in listed)
        assert all((each.rule or "").startswith(f"{contract.prefix}-") for each in listed)
