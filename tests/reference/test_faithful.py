"""What providers send now, and the reference server does not: nothing but what `tests/data/faithful.yaml` lists.

`test_reference_is_real` compares with all recordings of a dialect, so it does not see a field that providers began
to send lately. Here are those since April 2026, of the model generation that the reference server plays.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

import pytest
import yaml

from conformance.cassette.load import load_cassette
from conformance.model.exchange import Exchange
from devtools import shapes
from devtools.places import TEST_DATA
from devtools.shapes import GENERATIONS, messages, pairs
from tests.cassettes import SHIPPED
from tests.reference.test_reference_is_real import CELLS, compared_with, due

LISTED = yaml.safe_load((TEST_DATA / "faithful.yaml").read_text(encoding="utf-8"))
MOST = 0.85
"""What stands in this share of the recent messages is sent always: older generations and options are among them."""
MOST_RECORDERS = 0.75
"""Recorders drop headers, so a header that is always sent stands in this share of the recordings."""
FEWEST = 8
"""How many messages of a kind name what providers always send."""


@cache
def ours(dialect: str) -> tuple[Exchange, ...]:
    played = [cell for cell in CELLS if compared_with(cell) == dialect]
    return tuple(each for cell in played for each in load_cassette(SHIPPED / cell.relative_path).exchanges)


def _explained(missing: set[str], listed: dict[str, str]) -> tuple[set[str], set[str]]:
    """What no entry explains, and the entries that explain nothing."""
    used = {pattern for pattern in listed for each in missing if fnmatchcase(each, pattern)}
    return {each for each in missing if not any(fnmatchcase(each, pattern) for pattern in used)}, set(listed) - used


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_fields_that_providers_always_send_are_sent_or_listed(dialect: str) -> None:
    found = shapes.load(dialect)
    missing = set()
    for exchange in ours(dialect):
        for message in messages(exchange):
            label = next(iter(message)).split(" ")[0]
            if found.recent.labels[label] < FEWEST:
                continue
            always = (path for path, n in found.recent.seen.items() if n >= MOST * found.recent.labels[label])
            missing |= {path for path in always if path.startswith(f"{label} ") and due(path, message)}
    assert _explained(missing, LISTED[dialect].get("fields", {})) == (set(), set())


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_headers_that_providers_always_send_are_sent_or_listed(dialect: str) -> None:
    found = shapes.load(dialect)
    assert found.responses >= FEWEST
    usual = {name for name, count in found.headers.items() if count >= MOST_RECORDERS * found.responses}
    sent = [{name.lower() for name, _ in each.response.headers} for each in ours(dialect) if each.response.ok]
    missing = {name for names in sent for name in usual - names}
    assert _explained(missing, LISTED[dialect].get("headers", {})) == (set(), set())


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_no_event_follows_another_that_it_never_follows(dialect: str) -> None:
    found = shapes.load(dialect)
    extra = {f"{a} > {b}" for each in ours(dialect) for a, b in pairs(each) if (a, b) not in found.pairs}
    assert _explained(extra, LISTED[dialect].get("order", {})) == (set(), set())
