"""What a request repeats is judged once, and reported as if it were judged anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest

from conformance.judge import view as view_module
from conformance.judge.checker import Checker
from conformance.judge.repeated import Snapshot, most_repeated
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from tests.conversations import CONVERSATIONS, Record
from tests.sampling import amount

_TURNS = 12
DIALECTS = sorted(CONVERSATIONS)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many items requests repeated, of those that were judged in the test."""
    seen: list[int] = []

    def watched(now: Snapshot | None, earlier: Sequence[Snapshot | None]) -> tuple[int, int] | None:
        found = most_repeated(now, earlier)
        seen.extend([found[1]] if found is not None else [])
        return found

    monkeypatch.setattr(view_module, "most_repeated", watched)
    return seen


def _reported(records: list[Record], *, anew: bool) -> list[tuple[Any, ...]]:
    checker = Checker(asks_all=anew)
    findings = [finding for each in records for finding in checker.feed(Exchange.of(deepcopy(each), source="x:1"))]
    assert not checker.summary.harness_errors
    return [_all_of(each) for each in findings]


def _all_of(finding: Finding) -> tuple[Any, ...]:
    return finding, finding.occurrences, tuple(finding.tally.places)


def _same(records: list[Record]) -> list[tuple[Any, ...]]:
    reported = _reported(records, anew=False)
    assert reported == _reported(records, anew=True)
    return reported


@pytest.mark.parametrize("dialect", DIALECTS)
def test_conversation_of_an_agent_is_silent_and_repeats_all_requests(dialect: str, found: list[int]) -> None:
    make, _ = CONVERSATIONS[dialect]
    assert _same(make(_TURNS, 3)) == []
    assert found == sorted(found)
    assert len(found) == _TURNS - 1


def _edits(key: str) -> Iterator[Any]:
    """Edits of a history, as functions of an item."""

    def put(name: str, value: Any) -> Any:
        return lambda item: item.__setitem__(name, value)

    def drop(item: Record) -> None:
        if item:
            item.pop(max(item))

    def inner(item: Record) -> None:
        within = next((each for each in item.values() if isinstance(each, list) and each), None)
        if within is not None and isinstance(within[0], dict) and within[0]:
            within[0].pop(min(within[0]))

    yield from (put("role", "user"), put("role", "assistant"), put("role", "model"), put("content", []), drop, inner)
    yield from (put("content", ""), put("tool_calls", []), put("tool_call_id", None), put("call_id", "call_1"))
    yield from (put("cache_control", {"type": "ephemeral"}), put(key, 1), put("parts", [{"text": 1}]))
    yield put("type", "item_reference")


def _spoilt(records: list[Record], key: str, seed: int) -> list[Record]:
    """The conversation with edits, of which most stay from one request on, and some concern one request alone."""
    chance = random.Random(seed)
    records = deepcopy(records)
    edits = list(_edits(key))
    for _ in range(chance.randint(1, 4)):
        since = chance.randrange(len(records))
        place = chance.randrange(len(records[since]["request"]["body"][key]))
        until = len(records) if chance.random() < 0.7 else since + 1
        edit, kind = chance.choice(edits), chance.random()
        for record in records[since:until]:
            items = record["request"]["body"][key]
            if kind < 0.7:
                edit(items[place])
            elif kind < 0.85:
                items.insert(place, deepcopy(items[-1]))
            elif len(items) > place + 1:
                del items[place]
    if chance.random() < 0.3:
        for record in records[chance.randrange(len(records)) :]:
            record["request"]["body"]["tools"] = record["request"]["body"]["tools"][:1]
    if chance.random() < 0.3:
        chance.choice(records)["response"]["status"] = 400
    return records


@pytest.mark.parametrize("dialect", DIALECTS)
def test_spoilt_histories_are_reported_as_if_judged_anew(dialect: str, found: list[int]) -> None:
    make, key = CONVERSATIONS[dialect]
    seeds = amount(12, 5, risk="a spoilt history whose repetition is judged otherwise, and that is drawn rarely")
    reported = [_same(_spoilt(make(_TURNS, 3), key, seed)) for seed in range(seeds)]
    assert len(found) > seeds // 2 * _TURNS
    assert len({finding.rule for findings in reported for finding, *_ in findings}) > seeds // 4


@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_conversations_of_one_run_repeat_each_their_own(dialect: str, found: list[int]) -> None:
    make, key = CONVERSATIONS[dialect]
    one, other = make(6, 3), make(6, 3)
    for number, each in enumerate(other):
        each["request"]["body"][key][0] = {**each["request"]["body"][key][0], "role": "user", "parts": [{"text": "?"}]}
        each["id"] = f"o{number}"
    _same([each for pair in zip(one, other, strict=True) for each in pair])
    assert len(found) == 10


def test_value_that_changes_in_place_is_judged_again() -> None:
    records = CONVERSATIONS["openai-chat"][0](4, 1)
    body = records[3]["request"]["body"]
    checker = Checker()
    for number, record in enumerate(records):
        record["request"]["body"] = {**body, "messages": body["messages"][: 2 + 2 * number]}
        if number == 2:
            body["messages"][3]["tool_call_id"] = "call_other"
        reported = {finding.rule for finding in checker.feed(Exchange.of(record))}
        assert ("tool-result-orphaned" in reported) == (number == 2)


@pytest.mark.parametrize(("one", "other"), [(1, True), (1, 1.0), (0, False), ("1", 1)])
def test_values_of_different_types_are_no_repetition(one: Any, other: Any, found: list[int]) -> None:
    records = CONVERSATIONS["openai-chat"][0](3, 1)
    for record, value in zip(records, (one, other, other), strict=True):
        record["request"]["body"]["messages"][1]["name"] = value
    _same(records)
    assert found == [1, 4]


def test_items_that_are_no_objects_keep_the_places_of_the_others() -> None:
    records = CONVERSATIONS["openai-responses"][0](4, 1)
    for record in records:
        body = record["request"]["body"]
        body["input"][:0] = ["Hello.", {"type": "item_reference", "id": "fc_unknown"}, 7]
        body["store"] = False
        body["input"].append({"type": "reasoning", "id": "rs_1", "summary": []})
    reported = _same(records)
    assert {finding.pointer for finding, *_ in reported} >= {
        f"/input/{len(records[0]['request']['body']['input']) - 1}"
    }
