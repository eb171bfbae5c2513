"""Gates: they spare time, and change no finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.checker import Checker
from conformance.dialects import all_dialects
from conformance.exchange import Exchange
from conformance.finding import Finding
from conformance.gate import Gate
from conformance.inputs import read
from conformance.rule import all_rules, gates_of, rules_for
from conformance.view import View
from tests.cassettes import SHIPPED

_GATED = [name for name in all_dialects() if gates_of(name)]


def _both(exchanges: list[Exchange]) -> tuple[list[Finding], list[Finding]]:
    gated, ungated = Checker(), Checker(gated=False)
    return (
        [finding for exchange in exchanges for finding in gated.feed(exchange)],
        [finding for exchange in exchanges for finding in ungated.feed(exchange)],
    )


def _examples() -> Iterator[Any]:
    for rule in all_rules().values():
        for example in (*rule.conforming, *rule.violating):
            if set(rule.dialects) & set(_GATED) or not rule.dialects:
                yield example


def test_some_dialect_has_gates() -> None:
    assert _GATED


@pytest.mark.parametrize("name", _GATED)
def test_a_gate_stands_before_rules_of_its_own_dialect(name: str) -> None:
    own = {rule.id for rules in rules_for(name).values() for rule in rules if name in rule.dialects}
    assert set(gates_of(name)) <= own


@pytest.mark.parametrize("name", _GATED)
def test_gates_use_no_word_that_draft_4_does_not_know(name: str) -> None:
    later = {"const", "if", "then", "else", "contains", "prefixItems", "$defs", "dependentRequired"}
    for gate in set(gates_of(name).values()):
        assert not later & set(_keywords(gate._schema()))


def _keywords(schema: Any) -> Iterator[str]:
    """The words of a schema, without the names of its properties."""
    if isinstance(schema, list):
        for each in schema:
            yield from _keywords(each)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            named = key in ("properties", "definitions") and isinstance(value, dict)
            if key != "enum":
                yield from _keywords(list(value.values()) if named else value)


def test_a_gate_admits_nothing_that_is_no_json() -> None:
    gate = Gate(lambda _: object(), dict)
    assert not gate.admits(None)  # type: ignore[arg-type]


def test_one_point_nought_is_no_integer_to_a_gate() -> None:
    gate = Gate(lambda view: view, lambda: {"type": "integer"})
    assert gate.admits(1)  # type: ignore[arg-type]
    assert not gate.admits(1.0)  # type: ignore[arg-type]
    assert not gate.admits(True)  # type: ignore[arg-type]


def test_findings_of_every_example_are_the_same_without_gates() -> None:
    count = 0
    for example in _examples():
        one, other = _both(example.exchanges())
        assert one == other
        count += 1
    assert count > len(all_rules())


@pytest.mark.parametrize("name", _GATED)
def test_findings_of_shipped_cassettes_are_the_same_without_gates(name: str) -> None:
    exchanges = list(read([str(SHIPPED / name)]))
    one, other = _both(exchanges)
    assert one == other


@pytest.mark.parametrize("name", _GATED)
def test_most_of_our_own_traffic_is_plain(name: str) -> None:
    """A gate that admits nothing would only cost time."""
    exchanges = list(read([str(SHIPPED / name)]))
    for gate in set(gates_of(name).values()):
        views = [View(exchange, all_dialects()[name]) for exchange in exchanges]
        judged = [view for view in views if view.ok]
        assert sum(map(gate.admits, judged)) > len(judged) / 4


@pytest.mark.parametrize(
    "file", ["openai-chat", "openai-compatible", "openai-responses", "anthropic-messages", "gemini-generate", "mistral"]
)
def test_findings_of_real_recordings_are_the_same_without_gates(file: str, corpus: Path) -> None:
    exchanges = list(read([str(corpus / f"{file}.jsonl.gz")]))[::3]
    one, other = _both(exchanges)
    assert one == other
