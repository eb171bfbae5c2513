"""The benchmark's pieces do what they say; what they take is for `make bench` to tell."""

from __future__ import annotations

import json

from conformance.inputs import read
from devtools import bench
from tests.cassettes import SHIPPED

_LINES = [
    json.dumps(bench._record(exchange))
    for dialect in ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
    for exchange in read([str(SHIPPED / dialect / "weather")])
    if "mistralai" not in exchange.source  # answered in Mistral's form, which is not that of OpenAI's schema
]


def test_the_lines_of_shipped_cassettes_are_exchanges() -> None:
    assert len(_LINES) > 20
    bench._parse(_LINES)
    bench._check(_LINES)


def test_every_reply_is_valid_for_both_validators_and_some_of_each_dialect_for_its_sdk() -> None:
    replies = list(bench._replies(_LINES))
    assert {dialect for dialect, _, _ in replies} == set(bench._models())
    assert {kind for _, kind, _ in replies} == {"response", "event"}
    assert all(bench._compiled(*reply) and bench._explained(*reply) for reply in replies)
    # Pings have no model, and openai's response refuses one without the newest field of its usage.
    taken = {dialect for dialect, kind, value in replies if bench._model(dialect, kind, value)}
    assert taken == set(bench._models())


def test_works_are_timed_in_turns() -> None:
    turns: list[str] = []
    medians = bench._medians(2, lambda: turns.append("one"), lambda: turns.append("other"))
    assert turns == ["one", "other"] * 3
    assert len(medians) == 2
