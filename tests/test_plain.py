"""Plain traffic: to pass over it spares time, and changes no finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.plain import Plain
from conformance.judge.rule import all_rules, plain_of, rules_for
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.registry import all_dialects
from tests.cassettes import SHIPPED

_KNOWING = [name for name in all_dialects() if any(isinstance(each, Plain) for each in plain_of(name).values())]


def _both(exchanges: list[Exchange]) -> tuple[list[Finding], list[Finding]]:
    passing, looking = Checker(), Checker(passes_plain=False)
    return (
        [finding for exchange in exchanges for finding in passing.feed(exchange)],
        [finding for exchange in exchanges for finding in looking.feed(exchange)],
    )


def _examples() -> Iterator[Any]:
    for rule in all_rules().values():
        for example in (*rule.conforming, *rule.violating):
            if set(rule.dialects) & set(_KNOWING) or not rule.dialects:
                yield example


def test_some_dialect_knows_plain_traffic() -> None:
    assert _KNOWING


@pytest.mark.parametrize("name", _KNOWING)
def test_only_rules_of_its_own_dialect_pass_over_what_is_plain_to_it(name: str) -> None:
    own = {rule.id for rules in rules_for(name).values() for rule in rules if name in rule.dialects}
    assert {rule for rule, plain in plain_of(name).items() if isinstance(plain, Plain)} <= own


def _schemas(name: str) -> set[Plain]:
    return {plain for plain in plain_of(name).values() if isinstance(plain, Plain)}


@pytest.mark.parametrize("name", _KNOWING)
def test_schemas_of_plain_traffic_use_no_word_that_draft_4_does_not_know(name: str) -> None:
    later = {"const", "if", "then", "else", "contains", "prefixItems", "$defs", "dependentRequired"}
    for plain in _schemas(name):
        assert not later & set(_keywords(plain._schema()))


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


def test_what_is_no_json_is_not_plain() -> None:
    plain = Plain(lambda _: object(), dict)
    assert not plain.admits(None)  # type: ignore[arg-type]


def test_one_point_nought_is_no_plain_integer() -> None:
    plain = Plain(lambda view: view, lambda: {"type": "integer"})
    assert plain.admits(1)  # type: ignore[arg-type]
    assert not plain.admits(1.0)  # type: ignore[arg-type]
    assert not plain.admits(True)  # type: ignore[arg-type]


def test_findings_of_every_example_are_the_same_when_nothing_is_passed_over() -> None:
    count = 0
    for example in _examples():
        one, other = _both(example.exchanges())
        assert one == other
        count += 1
    assert count > len(all_rules())


@pytest.mark.parametrize("name", _KNOWING)
def test_findings_of_shipped_cassettes_are_the_same_when_nothing_is_passed_over(name: str) -> None:
    exchanges = list(read([str(SHIPPED / name)]))
    one, other = _both(exchanges)
    assert one == other


@pytest.mark.parametrize("name", _KNOWING)
def test_most_of_our_own_traffic_is_plain(name: str) -> None:
    """A schema that admits nothing would only cost time."""
    exchanges = list(read([str(SHIPPED / name)]))
    for plain in _schemas(name):
        views = [View(exchange, all_dialects()[name]) for exchange in exchanges]
        judged = [view for view in views if view.ok]
        assert sum(map(plain.admits, judged)) > len(judged) / 4


@pytest.mark.parametrize(
    "file", ["openai-chat", "openai-compatible", "openai-responses", "anthropic-messages", "gemini-generate", "mistral"]
)
def test_findings_of_real_recordings_are_the_same_when_nothing_is_passed_over(file: str, corpus: Path) -> None:
    exchanges = list(read([str(corpus / f"{file}.jsonl.gz")]))[::3]
    one, other = _both(exchanges)
    assert one == other
