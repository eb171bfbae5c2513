"""The quick admission is never less strict than `check`, and the published schema never stricter than it."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.contract import Admission, Contract, Situation, check
from conformance.contract.citation import SILENT, Side
from conformance.contract.contract import Resolved
from conformance.contract.nodes import Node
from conformance.contract.notation import (
    Foreign,
    anything,
    array,
    at_most_one_of,
    bare,
    below,
    boolean,
    by,
    by_known,
    by_some,
    cases,
    cite,
    closed,
    excludes,
    filled,
    folded,
    holds,
    integer,
    is_,
    known,
    later,
    mapping,
    may,
    need,
    needs,
    null,
    number,
    obj,
    one_of,
    over,
    quoted,
    should,
    snaked,
    some_of,
    text,
    word,
)
from conformance.inputs import read
from conformance.judge.proofs.example import Example, base_names
from conformance.judge.view import View
from conformance.model.registry import all_dialects, claimants
from devtools.contract_silence import bodies
from devtools.places import CASSETTES
from tests.cassettes import PLAYED, some
from tests.sampling import sample

DIALECTS = [
    path.parent.name.replace("_", "-")
    for path in Path(importlib.import_module("conformance.dialects").__file__ or "").parent.glob("*/contract")
]
WORDS = ("fold", "a", "b", "type", "kind", "n", "low", "high", "x", "someName", "some_name", "list", "map", "either")

TREE: Node = later("tree", lambda: obj(a=need(text(1)), list=may(array(TREE, 1, 2))))
EVERYTHING = obj(
    excludes("a", "b"),
    needs("low", is_("x", True)),
    some_of("a", "b", "n"),
    below("n", "high"),
    at_most_one_of("a", "low", filled("list")),
    needs(over("n", 2), holds("list", "x")),
    {"": cite("Q")},
    a=may(text(1, 3)),
    b=may(text(pattern="[a-z]+") | integer(0, 3)),
    n=may(number(-1, 3)),
    low=may(integer()),
    high=should(number()),
    fold=may(folded("LOW", "HIGH") | quoted(integer(0, 3))),
    x=may(boolean | null, deprecated=cite(severity=SILENT)),
    list=may(array(word("x", "y") | known("z"), 1, 2, unique=True)),
    map=may(mapping(integer(), text(0, 4), 2)),
    type=may(by("type", {"a": obj(closed, n=need(integer())), "b": TREE}, absent="a")),
    kind=may(by_known("kind", {"a": obj(one_of("x", "n")), "b": obj(a=need(TREE, missing=cite(severity=SILENT)))})),
    either=may(
        cases(
            (bare("x"), obj(x=need(boolean))),
            ("a", obj(b=need(text()))),
            (is_("n", 1, 2), by_some("type", {"a": obj()})),
            otherwise=anything,
        )
    ),
    Foreign=may(Foreign("nothing")),
)
SPELLED = snaked(obj(someName=need(array(obj(someName=may(integer())), single=True))))

SEEDS: tuple[Any, ...] = (
    {"a": "x", "high": 9.5, "low": 1, "x": True},
    {"b": "ab", "high": 5, "list": ["x", "y"], "map": {"a": 1}},
    {"b": 3, "high": 5, "type": {"type": "a", "n": 1}, "kind": {"kind": "a", "x": 1}},
    {"b": "z", "high": 5, "type": {"type": "b", "a": "x", "list": [{"a": "y", "list": [{"a": "z"}]}]}},
    {"b": "z", "high": 5, "type": {"n": 1}, "kind": {"kind": "b"}, "either": {"a": 1, "b": "x"}},
    {"b": "z", "high": 5, "either": {"n": 1, "type": "a"}},
    {"someName": {"some_name": 1}, "high": 1, "a": ""},
    {"some_name": [{"someName": 1}, {}], "high": 1, "n": 0},
)
_NEW: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    3,
    4,
    1.0,
    12.0,
    2.5,
    "",
    "a",
    "b",
    "z",
    "x",
    "abcd",
    "low",
    "HIGH",
    "3",
    "A",
    "a\n",
    "\ud800",
    [],
    ["x"],
    {},
    ...,
)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _places(each, (*at, key))
    elif isinstance(value, list):
        for number_, each in enumerate(value):
            yield from _places(each, (*at, number_))


def _edited(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    """A value with another at a place; where the new one is `...`, the place is taken out."""
    if not place:
        return new
    edited = copy.deepcopy(value)
    holder = edited
    for step in place[:-1]:
        holder = holder[step]
    if new is ...:
        del holder[place[-1]]
    else:
        holder[place[-1]] = new
    return edited


def _edits(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every edit of a value: each place with each new value, and each object with each of the keys."""
    for place in _places(value):
        yield from ((place, new) for new in _NEW if place or new is not ...)
        holder = value
        for step in place:
            holder = holder[step]
        if isinstance(holder, dict):
            yield from (((*place, key), new) for key in keys if key not in holder for new in _NEW[:-1])


@st.composite
def _values(draw: st.DrawFn) -> Any:
    """A seed with one to three edits."""
    value: Any = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 3))):
        value = _edited(value, *draw(st.sampled_from(list(_edits(value, (*WORDS, "Foreign"))))))
    return value


def _hold(made: Resolved, value: Any) -> None:
    if made.admission.admits(value):
        assert list(check(made.node, value, side=made.side)) == []


@pytest.mark.parametrize("side", ["request", "reply"])
@pytest.mark.parametrize("node", [EVERYTHING, SPELLED])
def test_of_edited_seeds_what_is_admitted_has_no_violation(node: Node, side: Side) -> None:
    made = Contract("t", "body", node, side, "DOC").resolved(Situation())
    assert sum(made.admission.admits(seed) for seed in SEEDS) > 0
    for seed in SEEDS:
        for place, new in _edits(seed, (*WORDS, "Foreign")):
            _hold(made, _edited(seed, place, new))


@given(value=_values())
@pytest.mark.parametrize("side", ["request", "reply"])
def test_what_is_admitted_has_no_violation(side: Side, value: Any) -> None:
    _hold(Contract("t", "body", EVERYTHING, side, "DOC").resolved(Situation()), value)


def test_what_has_no_violation_is_admitted_where_no_row_is_silent_or_below_another() -> None:
    node = obj(excludes("a", "b"), a=may(text(1, 3)), b=may(text() | integer(0, 3)), type=may(TREE), map=may(number(1)))
    made = Contract("t", "body", node, "request", "DOC").resolved(Situation())
    count = 0
    for seed in SEEDS:
        for place, new in _edits(seed, WORDS):
            edited = _edited(seed, place, new)
            if "\\ud800" not in json.dumps(edited) and not list(check(made.node, edited)):
                assert made.admission.admits(edited), edited
                count += 1
    assert count > 100


def _examples(dialect: str) -> Iterator[tuple[Contract, Any, Situation]]:
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for name in base_names(dialect):
        for exchange in Example(f"{dialect}/{name}").exchanges():
            view = View(exchange, all_dialects()[dialect])
            yield from bodies(view, contracts)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_conforming_examples_are_admitted(dialect: str) -> None:
    for contract, value, situation in _examples(dialect):
        if contract.subject != "error":
            assert [each for each in contract.violations(value, situation) if each.severity > "info"] == []


def _general(place: tuple[Any, ...]) -> tuple[Any, ...]:
    """A place without the numbers of array items."""
    return tuple("*" if isinstance(step, int) else step for step in place)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_of_edited_examples_what_is_admitted_has_no_violation(dialect: str) -> None:
    count = 0
    edits = (
        (contract, value, situation, place, new)
        for contract, value, situation in _examples(dialect)
        for place, new in _edits(value)
    )
    chosen = sample(
        edits,
        lambda each: (each[0].subject, _general(each[3]), type(each[4])),
        lambda each: (each[0].subject, repr(each[4])),
        risk="a place where one wrong value is admitted and others of its type are not",
    )
    asked: Resolved | None = None
    for contract, value, situation, place, new in sorted(chosen, key=lambda each: id(each[0].resolved(each[2]))):
        made = contract.resolved(situation)
        if asked is not made:  # one validator at a time: those of all contracts take 200 MB
            asked, validator = made, jsonschema_rs.Draft202012Validator(contract.schema(situation))
        edited = _edited(value, place, new)
        if "\\ud800" in json.dumps(edited):
            continue
        clean = not list(check(made.node, edited, side=contract.side))
        assert clean or not made.admission.admits(edited), (contract.subject, place, new)
        assert not clean or validator.is_valid(edited), (contract.subject, place, new)
        count += 1
    assert count > 200


@pytest.mark.parametrize("dialect", DIALECTS)
def test_schemas_of_a_contract_are_json_schemas(dialect: str) -> None:
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    found = [each for each in vars(contracts).values() if isinstance(each, Contract)]
    assert found
    for contract in found:
        schema = contract.schema()
        assert jsonschema_rs.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert json.loads(json.dumps(schema)) == schema


def test_events_are_admitted_in_one_question() -> None:
    admission = Admission(Contract("t", "event", obj(a=need(TREE)), "reply", "DOC").resolved(Situation()).node)
    assert admission.admits_all([{"a": {"a": "x"}}, {"a": {"a": "x", "list": [{"a": "y"}]}}])
    assert not admission.admits_all([{"a": {"a": "x"}}, {"a": {"a": "x", "list": [{"a": ""}]}}])


def test_shipped_cassettes_break_no_contract() -> None:
    asked = 0
    for exchange in read([str(CASSETTES / cell.relative_path) for cell in some(PLAYED)]):
        for dialect in {each.name for each in claimants(exchange.request)} & set(DIALECTS):
            contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
            for contract, value, situation in bodies(View(exchange, all_dialects()[dialect]), contracts):
                asked += 1
                assert [each for each in contract.violations(value, situation) if each.severity > "info"] == []
    assert asked
