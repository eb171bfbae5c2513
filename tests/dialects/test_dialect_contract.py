"""What every dialect promises: it reads anything without raising, and leaves other dialects' requests alone."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.judge.checker import Checker
from conformance.judge.proofs.bases import main_bases
from conformance.judge.proofs.example import Edit, Example, base_names, drop, put
from conformance.model import pointer as pointers
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claimants, layers_of
from tests.sampling import fewer, sample

BASES = [f"{dialect}/{name}" for dialect in all_dialects() for name in main_bases(dialect)]
DRAWN = sample(
    BASES,
    lambda base: (base.partition("/")[0], "stream" in base),
    lambda base: base.partition("/")[2],
    risk="a reader that fails on broken input in one kind of exchange, which other dialects have too and read",
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
WORDS = st.sampled_from(
    [
        "",
        "function",
        "tool",
        "assistant",
        "stop",
        "{",
        "null",
        "[]",
        '{"a":',
        "\ud800",
        "\ufffd",
        "0",
        "[DONE]",
        "error",
    ]
)
JSON = st.recursive(
    SCALARS | WORDS | st.integers(min_value=-(10**30), max_value=10**30) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, at: str) -> Iterator[str]:
    """Every place of a JSON value, itself included."""
    yield at
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from places(inner, pointers.join(at, step))


def bodies(base: str) -> list[str]:
    """Every place in the bodies and events of a base."""
    found: list[str] = []
    for number, record in enumerate(Example(base).document()):
        for side in ("request", "response"):
            if "body" in record[side]:
                found += places(record[side]["body"], f"/{number}/{side}/body")
        for event, each in enumerate(record["response"].get("events", ())):
            found += places(each["data"], f"/{number}/response/events/{event}/data")
    return found


def judged(exchanges: list[Exchange], dialect: str | None = None) -> Checker:
    checker = Checker(dialect)
    for exchange in exchanges:
        for finding in checker.feed(exchange):
            json.dumps(finding.as_json())
    return checker


@pytest.mark.parametrize("base", DRAWN)
@fewer(by=5)
@given(data=st.data())
def test_garbage_at_any_place_is_judged_without_a_harness_error(base: str, data: st.DataObject) -> None:
    edits: list[Edit] = []
    for place in data.draw(st.lists(st.sampled_from(bodies(base)), min_size=1, max_size=2)):
        if any(place.startswith(edit.pointer) for edit in edits):
            continue
        gone = data.draw(st.integers(0, 4)) == 0 and not place.endswith(("/body", "/data"))
        edits.append(drop(place) if gone else put(place, data.draw(JSON)))
    edits.sort(key=lambda edit: [token.zfill(9) for token in edit.pointer.split("/")], reverse=True)
    checker = judged(Example(base, tuple(edits)).exchanges())
    assert checker.summary.harness_errors == []


@pytest.mark.parametrize("base", DRAWN)
@fewer(by=5)
@given(data=st.data())
def test_a_body_cut_off_anywhere_is_judged_without_a_harness_error(base: str, data: st.DataObject) -> None:
    records = Example(base).records()
    for record in records:
        for side in ("request", "response"):
            body = record[side].get("body")
            text = body if isinstance(body, (str, bytes)) else json.dumps(body)
            record[side]["body"] = text[: data.draw(st.integers(0, len(text)))]
    checker = judged([Exchange.of(record, complete=True, group="cut") for record in records])
    assert checker.summary.harness_errors == []


FORCED = sample(
    ((name, base) for name in all_dialects() for base in BASES),
    lambda forced: (forced[0], forced[1].partition("/")[0], "stream" in forced[1]),
    lambda forced: forced[1],
    risk="a dialect that fails on one exchange of another, and on no other one of it",
)


@pytest.mark.parametrize("name", all_dialects())
def test_a_dialect_that_is_forced_upon_anothers_exchanges_is_judged_without_a_harness_error(name: str) -> None:
    for base in [base for forced, base in FORCED if forced == name]:
        records = Example(base).records()
        edits: tuple[Any, ...] = (None, 0, "x", [1], {})
        for edit in edits:
            for record in records:
                record["request"]["body"] = record["request"]["body"] if edit is None else edit
            exchanges = [Exchange.of(record, complete=True, group="forced") for record in records]
            assert judged(exchanges, name).summary.harness_errors == [], base


@pytest.mark.parametrize("base", BASES)
def test_exactly_one_dialect_and_its_carrier_claim_a_base(base: str) -> None:
    claimed_whole = False
    for exchange in Example(base).exchanges():
        layers = [dialect.name for dialect in layers_of(base.partition("/")[0], exchange.request)]
        claimed = [name for name, dialect in all_dialects().items() if dialect.claims(exchange.request)]
        found = [dialect.name for dialect in claimants(exchange.request)]
        assert sorted(claimed) == sorted(found)
        assert found in (layers, layers[:1])  # a run may ask the carrier's model for something else in between
        claimed_whole = claimed_whole or found == layers
    assert claimed_whole


@pytest.mark.parametrize("name", all_dialects())
@given(value=JSON)
def test_reading_is_total(name: str, value: Any) -> None:
    dialect = all_dialects()[name]
    exchange = Example(f"{name}/{base_names(name)[0]}").exchanges()[0]
    dialect.readers.read_request(exchange.request, value)
    dialect.readers.read_reply(value)
