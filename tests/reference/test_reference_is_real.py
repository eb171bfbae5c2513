"""The reference server is held to the real wire: its key paths and value kinds are those of real recordings."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.matrix.cells import Cell
from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects
from tests.cassettes import PLAYED, SHIPPED, some

CORPORA = {
    "openai-chat": ("openai-chat.jsonl.gz", "openai"),
    "openai-responses": ("openai-responses.jsonl.gz", "openai"),
    "anthropic-messages": ("anthropic-messages.jsonl.gz", "anthropic"),
    "gemini": ("gemini-generate.jsonl.gz", "google"),
}
CELLS = [
    cell
    for cell in PLAYED
    if cell.dialect in CORPORA and cell.scenario.executor == "scripted" and cell.scenario.id != "provider-errors"
]
"""Cells whose exchanges are all with the provider, and answered."""
TERMINAL = ("response.completed", "response.incomplete", "response.failed")
"""Events that carry the same response; the second and third are too rare in recordings to be known by themselves."""

FREE = {"input", "args", "arguments", "parameters", "input_schema", "schema", "metadata", "tools", "instructions"}
"""Keys below which a user's own data stands."""
NEARLY_ALL = 0.97


def paths(value: Any, at: str = "") -> Iterator[str]:
    """The key paths of a JSON value, each with the kind of what stands there."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{at}/{key}: {jsontext.kind(each)}"
            if key not in FREE:
                yield from paths(each, f"{at}/{key}")
    elif isinstance(value, list):
        for each in value:
            yield from paths(each, f"{at}/*{_kind_of_item(each)}")


def _kind_of_item(value: Any) -> str:
    """Items of an array are compared with items of the same type only: a text block with text blocks."""
    if isinstance(value, dict):
        named = value.get("type")
        return (
            f"({named})" if isinstance(named, str) else f"({'+'.join(sorted(value.keys() & {'text', 'functionCall'}))})"
        )
    return ""


def messages(exchange: Exchange) -> Iterator[set[str]]:
    """Each JSON message of a successful answer, as its set of paths; of a stream, one for each event."""
    dialect = next((each for each in all_dialects().values() if each.claims(exchange.request)), None)
    if dialect is None or not exchange.response.ok:
        return
    events = dialect.readers.sse_events(exchange)
    values = [exchange.response.body.json] if events is None else [event.json for event in events]
    for value in values:
        if isinstance(value, dict):
            label = str(value.get("type", value.get("object", ""))) if events is not None else "sync"
            label = "terminal" if label in TERMINAL else label
            yield {f"{label} {path}" for path in paths(value)}


@cache
def real(corpus: Path, dialect: str) -> tuple[Counter[str], Counter[str]]:
    """How often each path stands in official recordings, and how often each of their messages' labels."""
    if dialect not in CORPORA:
        pytest.skip(f"the corpus holds no recordings of {dialect}")
    file, vendor = CORPORA[dialect]
    seen: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    with gzip.open(corpus / file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["vendor"] != vendor:
                continue
            for message in messages(Exchange.of(record)):
                seen.update(message)
                labels.update({path.split(" ")[0] for path in message})
    return seen, labels


@pytest.mark.parametrize("cell", some(CELLS), ids=lambda cell: cell.id)
def test_the_reference_sends_nothing_that_no_provider_sends(cell: Cell, corpus: Path) -> None:
    seen, _ = real(corpus, cell.dialect)
    ours = {
        path for each in load_cassette(SHIPPED / cell.relative_path).exchanges for m in messages(each) for path in m
    }
    assert ours - seen.keys() == set()


@pytest.mark.parametrize("cell", some(CELLS), ids=lambda cell: cell.id)
def test_the_reference_sends_what_nearly_every_provider_answer_has(cell: Cell, corpus: Path) -> None:
    seen, labels = real(corpus, cell.dialect)
    for exchange in load_cassette(SHIPPED / cell.relative_path).exchanges:
        for message in messages(exchange):
            label = next(iter(message)).split(" ")[0]
            usual = {path for path, count in seen.items() if path.startswith(f"{label} ")}
            usual = {path for path in usual if seen[path] >= NEARLY_ALL * labels[label]}
            assert {path for path in usual if _due(path, message)} == set()


def _due(path: str, message: set[str]) -> bool:
    """Whether a path is missing from a message that has what the path is part of."""
    place = path.rpartition(":")[0]
    holder = place.rpartition("/")[0]
    there = any(each.startswith(f"{holder}/") for each in message) or holder.endswith(" ")
    return there and not any(each.startswith((f"{place}:", f"{place}/")) for each in message)
