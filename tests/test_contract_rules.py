"""Rules in Python and rows that tell under the same id say the same of the rules' own examples."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

import pytest

from conformance.judge.contract import Contract, Violation
from conformance.judge.contract.reading import situation_of
from conformance.judge.example import Example
from conformance.judge.rule import all_rules
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Malformed
from tests.contract_silence import bodies
from tests.test_contract_admission import DIALECTS

BEYOND_ROWS = {
    # Between two places: order, identity, sums, an event's name; or whether the response is completed.
    ("responses-added-item-incomplete", "put /0/response/events/2/data/item/arguments"),
    ("responses-added-item-incomplete", "put /0/response/events/6/data/item/status"),
    ("responses-event-item-unknown", "put /0/response/events/3/data/item_id"),
    ("responses-event-item-unknown", "put /0/response/events/3/data/output_index"),
    ("responses-event-item-unknown", "swap /0/response/events/7"),
    ("responses-event-name-mismatch", "put /0/response/events/3/event"),
    ("responses-event-name-mismatch", "drop /0/response/events/3/event"),
    ("responses-output-item-malformed", "put /0/response/body/output/1/id"),
    ("responses-sequence-number-wrong", "put /0/response/events/5/data/sequence_number"),
    ("responses-sequence-number-wrong", "drop /0/response/events/5/data/sequence_number"),
    ("responses-usage-malformed", "put /0/response/body/usage/total_tokens"),
    # A body that is no JSON is not for a contract.
    ("responses-error-malformed", "put /0/response/body"),
    # Told under another id: an event that is no object, and an item of `input` that is none.
    ("responses-event-malformed", "put /0/response/events/3/data"),
    ("responses-input-item-malformed", "put /0/request/body/input/0"),
}
"""Examples of rules that rows share their ids with, and that rows alone do not find: rule and first edit."""


def _contracts(dialect: str) -> list[Contract]:
    module = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    return [each for each in vars(module).values() if isinstance(each, Contract)]


def _told(example: Example, dialect: str) -> Iterator[Violation]:
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for exchange in example.exchanges():
        view = View(exchange, all_dialects()[dialect])
        if view.dialect in claimants(exchange.request):
            for contract, value in bodies(view, contracts):
                yield from contract.violations(value, situation_of(view))


def _shared() -> list[tuple[str, str]]:
    return [
        (dialect, rule)
        for dialect in DIALECTS
        for rule in sorted({rule for contract in _contracts(dialect) for rule in contract.rules()} & all_rules().keys())
    ]


def _first_edit(example: Example) -> str:
    return f"{example.edits[0].action} {example.edits[0].pointer}" if example.edits else ""


@pytest.mark.parametrize(("dialect", "name"), _shared())
def test_a_row_finds_what_the_rule_of_its_name_finds(dialect: str, name: str) -> None:
    rule = all_rules()[name]
    violating = [each for each in rule.violating if each.base.startswith(f"{dialect}/")]
    for example in (each for each in violating if (name, _first_edit(each)) not in BEYOND_ROWS):
        bodies_parse = all(
            not isinstance(View(each, all_dialects()[dialect]).response, Malformed) or each.response.is_event_stream
            for each in example.exchanges()
        )
        assert not bodies_parse or name in {each.rule for each in _told(example, dialect)}, example.edits
    for example in (each for each in rule.conforming if each.base.startswith(f"{dialect}/")):
        assert [each for each in _told(example, dialect) if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_deviation_leads_to_rows(dialect: str) -> None:
    for contract in _contracts(dialect):
        for deviation in contract.deviations:
            deviation.put(contract.node)
            assert deviation.evidence


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_entry_has_a_rule_and_a_citation(dialect: str) -> None:
    for contract in _contracts(dialect):
        listed = list(contract.entries())
        assert listed
        assert all(each.rule and each.cite for each in listed)
        assert all((each.rule or "").startswith(f"{contract.prefix}-") for each in listed)
