"""The tokens that a response counts are read in every dialect: a budget cannot hold what is not counted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance import load
from conformance.model.registry import layers_of
from conformance.model.token_counts import counts_of
from devtools.places import ROOT
from tests.cassettes import SHIPPED

WEATHER = sorted(SHIPPED.glob("*/weather/reference--*.yaml"))
COUNTS = re.compile(r'"(usage|usageMetadata|eval_count)"')


def has_counts(dialect: str) -> bool:
    """Whether the contract of a dialect's endpoint has counts."""
    return any(COUNTS.search(path.read_text()) for path in (ROOT / "specs" / "wire" / dialect).glob("*.schema.json"))


@pytest.mark.parametrize("path", WEATHER, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_reply_of_a_cassette_has_counted_tokens(path: Path) -> None:
    host = layers_of(path.parts[-3])[0].name
    if not has_counts(host):
        pytest.skip(f"{host} counts no tokens")
    for exchange in load(path):
        counts = counts_of(exchange)
        assert counts.input, exchange.request.url
        assert counts.output, exchange.request.url


def test_the_dialects_of_the_large_providers_count_tokens() -> None:
    counting = {path.parts[-3] for path in WEATHER if has_counts(layers_of(path.parts[-3])[0].name)}
    assert counting >= {"anthropic-messages", "bedrock-converse", "gemini", "openai-chat", "openai-responses", "qwen3"}
