"""Values of one form have the same violations: only one of them has to be looked into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.contract import Contract
from conformance.contract.situation import ANYWHERE
from conformance.judge.contracted import contracts_of
from conformance.judge.proofs.example import Example, base_names
from conformance.model.registry import all_dialects
from tests.contract.test_wire_schemas import changed, places
from tests.sampling import amount, every
from tests.sdk_values import EXAMPLES

_RISK = "a value of one JSON type at one place that has the form of another, and other violations"
_STEP = amount(1, 4, risk=_RISK)
DIALECTS = [name for name in all_dialects() if (found := contracts_of(name)) is not None and found.chunk is not None]


def chunk_of(dialect: str) -> Contract:
    contracts = contracts_of(dialect)
    assert contracts is not None
    assert contracts.chunk is not None
    return contracts.chunk


def events(dialect: str) -> Iterator[Any]:
    """Events of the bases, as they are and with one value of each JSON type at each place."""
    for base in base_names(dialect):
        for exchange in Example(f"{dialect}/{base}").exchanges():
            for event in (all_dialects()[dialect].readers.sse_events(exchange) or ())[:6]:
                if isinstance(event.json, dict):
                    yield event.json
                    found = list(places(event.json))
                    changes = ((place, each) for place in found for each in EXAMPLES.values())
                    yield from (changed(event.json, *each) for each in every(changes, _STEP, risk=_RISK))


def reported(contract: Contract, value: Any) -> set[tuple[str, str, str]]:
    return {(each.pointer, each.kind, each.message) for each in contract.violations(value)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_values_of_one_form_have_the_same_violations(dialect: str) -> None:
    contract = chunk_of(dialect)
    forms = contract.resolved(ANYWHERE).forms
    known: dict[object, set[tuple[str, str, str]]] = {}
    shared = 0
    for value in events(dialect):
        form = forms.of(value)
        shared += form in known
        assert known.setdefault(form, reported(contract, value)) == reported(contract, value)
    assert shared > 50 // _STEP
    assert any(known.values())


def test_only_events_that_can_differ_are_looked_into() -> None:
    contract = chunk_of("openai-chat")
    first, *_ = events("openai-chat")
    texts = [changed(first, ("choices", 0, "delta"), {"content": text}) for text in ("a", "b", "c")]
    indexes = [changed(first, ("choices", 0, "index"), number) for number in (-1, 0, -1)]
    assert list(contract.different(texts)) == [0]
    assert list(contract.different(indexes)) == [0, 1]
