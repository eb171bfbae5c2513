"""What providers send now, and the reference server does not: nothing but what `tests/data/faithful.yaml` lists.

`test_reference_is_real` compares with all recordings of a dialect, so it does not see a field that providers began
to send lately. Here are those since April 2026, of the model generation that the reference server plays.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from fnmatch import fnmatchcase
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cassette.load import load_cassette
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects
from devtools.places import TEST_DATA
from tests.cassettes import SHIPPED
from tests.reference.test_reference_is_real import CELLS, CORPORA, _due, messages

LISTED = yaml.safe_load((TEST_DATA / "faithful.yaml").read_text(encoding="utf-8"))
SINCE = "2026-04-01"
GENERATIONS = {
    "openai-chat": "",
    "openai-responses": "",
    "anthropic-messages": r"claude-[a-z]+-(4-[6-9]|[5-9])",
    "gemini": r"gemini-3",
}
"""How the models' names begin that a dialect is compared with; the families of OpenAI differ in no field of these."""
MOST = 0.85
"""What stands in this share of the recent messages is sent always: older generations and options are among them."""
MOST_RECORDERS = 0.75
"""Recorders drop headers, so a header that is always sent stands in this share of the recordings."""
FEWEST = 8
"""How many messages of a kind name what providers always send."""


@dataclass
class Real:
    """What recent recordings have: how often each path, each kind of message and each header; every pair of events."""

    seen: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    headers: Counter[str] = field(default_factory=Counter)
    responses: int = 0
    pairs: set[tuple[str, str]] = field(default_factory=set)


def _recent(dialect: str, record: dict[str, Any]) -> bool:
    model = str(record.get("model") or "")
    headers = {name.lower(): value for name, value in (record["response"].get("headers") or {}).items()}
    date = max(_day(record.get("recorded_at")), _day(headers.get("date")))
    return date >= SINCE and re.match(GENERATIONS[dialect], model) is not None


def _day(value: Any) -> str:
    """The day of a date, in the form of a log or of an HTTP header; empty if it is neither."""
    text = str(value[0] if isinstance(value, list) and value else value)
    if re.match(r"\d{4}-\d\d-\d\d", text):
        return text[:10]
    with suppress(TypeError, ValueError):
        return parsedate_to_datetime(text).date().isoformat()
    return ""


@cache
def real(corpus: Path, dialect: str) -> Real:
    file, vendor = CORPORA[dialect]
    found = Real()
    with gzip.open(corpus / file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["vendor"] != vendor:
                continue
            exchange = Exchange.of(record)
            found.pairs |= set(_pairs(exchange))
            if not _recent(dialect, record) or not exchange.response.ok:
                continue
            names = {name.lower() for name, _ in exchange.response.headers}
            if len(names) > 3:  # others are recorders that drop headers
                found.responses += 1
                found.headers.update(names)
            for message in messages(exchange):
                found.seen.update(message)
                found.labels.update({path.split(" ")[0] for path in message})
    return found


def _pairs(exchange: Exchange) -> Iterator[tuple[str, str]]:
    """The types of consecutive events of a stream, without repetitions of one type."""
    dialect = next((each for each in all_dialects().values() if each.claims(exchange.request)), None)
    events = dialect.readers.sse_events(exchange) if dialect is not None and exchange.response.ok else None
    kinds = ["begin"]
    for event in events or ():
        value = event.json
        kinds.append(str(value.get("type", value.get("object", ""))) if isinstance(value, dict) else event.data)
    yield from pairwise(kinds)


@cache
def ours(dialect: str) -> tuple[Exchange, ...]:
    played = [cell for cell in CELLS if cell.dialect == dialect]
    return tuple(each for cell in played for each in load_cassette(SHIPPED / cell.relative_path).exchanges)


def _explained(missing: set[str], listed: dict[str, str]) -> tuple[set[str], set[str]]:
    """What no entry explains, and the entries that explain nothing."""
    used = {pattern for pattern in listed for each in missing if fnmatchcase(each, pattern)}
    return {each for each in missing if not any(fnmatchcase(each, pattern) for pattern in used)}, set(listed) - used


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_fields_that_providers_always_send_are_sent_or_listed(dialect: str, corpus: Path) -> None:
    found = real(corpus, dialect)
    missing = set()
    for exchange in ours(dialect):
        for message in messages(exchange):
            label = next(iter(message)).split(" ")[0]
            if found.labels[label] < FEWEST:
                continue
            due = (path for path, n in found.seen.items() if n >= MOST * found.labels[label])
            missing |= {path for path in due if path.startswith(f"{label} ") and _due(path, message)}
    assert _explained(missing, LISTED[dialect].get("fields", {})) == (set(), set())


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_headers_that_providers_always_send_are_sent_or_listed(dialect: str, corpus: Path) -> None:
    found = real(corpus, dialect)
    assert found.responses >= FEWEST
    usual = {name for name, count in found.headers.items() if count >= MOST_RECORDERS * found.responses}
    sent = [{name.lower() for name, _ in each.response.headers} for each in ours(dialect) if each.response.ok]
    missing = {name for names in sent for name in usual - names}
    assert _explained(missing, LISTED[dialect].get("headers", {})) == (set(), set())


@pytest.mark.parametrize("dialect", GENERATIONS)
def test_no_event_follows_another_that_it_never_follows(dialect: str, corpus: Path) -> None:
    found = real(corpus, dialect)
    extra = {f"{a} > {b}" for each in ours(dialect) for a, b in _pairs(each) if (a, b) not in found.pairs}
    assert _explained(extra, LISTED[dialect].get("order", {})) == (set(), set())
