"""The tokens that a response counts are read in every dialect: a budget cannot hold what is not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import load
from conformance.model.token_counts import counts_of
from tests.cassettes import SHIPPED

WEATHER = sorted(SHIPPED.glob("*/weather/reference--*.yaml"))


@pytest.mark.parametrize("path", WEATHER, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_reply_of_a_cassette_has_counted_tokens(path: Path) -> None:
    for exchange in load(path):
        counts = counts_of(exchange)
        assert counts.input, exchange.request.url
        assert counts.output, exchange.request.url
