"""The reference server is held to the real wire: its key paths and value kinds are those of real recordings.

`tests/data/shapes.json` counts them; `python -m devtools.shapes` counts again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.cassette.load import load_cassette
from conformance.matrix.cells import Cell
from devtools import shapes
from devtools.shapes import CORPORA, messages
from tests.apart import apart
from tests.cassettes import PLAYED, SHIPPED, some

CELLS = [
    cell
    for cell in PLAYED
    if cell.dialect in CORPORA and cell.scenario.executor == "scripted" and cell.scenario.id != "provider-errors"
    # The corpus has too few recordings of the provider's own tools, and of connections over a WebSocket.
    if cell.scenario.native is None and cell.driver.name != "openai-websocket"
]
"""Cells whose exchanges are all with the provider, and answered."""
NEARLY_ALL = 0.97


def compared_with(cell: Cell) -> str:
    """Whose recordings a cell is compared with: the server answers the client of another provider as that one does."""
    own = f"{cell.dialect}/{getattr(cell.driver, 'provider', '')}"
    return own if own in CORPORA else cell.dialect


def test_the_counts_are_those_of_the_corpus(corpus: Path) -> None:
    assert apart(shapes.written, corpus) == shapes.FILE.read_text(encoding="utf-8"), "run `python -m devtools.shapes`"


@pytest.mark.parametrize("cell", some(CELLS), ids=lambda cell: cell.id)
def test_the_reference_sends_nothing_that_no_provider_sends(cell: Cell) -> None:
    seen = shapes.load(compared_with(cell)).every.seen
    ours = {
        path for each in load_cassette(SHIPPED / cell.relative_path).exchanges for m in messages(each) for path in m
    }
    assert ours - seen.keys() == set()


@pytest.mark.parametrize("cell", some(CELLS), ids=lambda cell: cell.id)
def test_the_reference_sends_what_nearly_every_provider_answer_has(cell: Cell) -> None:
    every = shapes.load(compared_with(cell)).every
    seen, labels = every.seen, every.labels
    for exchange in load_cassette(SHIPPED / cell.relative_path).exchanges:
        for message in messages(exchange):
            label = next(iter(message)).split(" ")[0]
            usual = {path for path, count in seen.items() if path.startswith(f"{label} ")}
            usual = {path for path in usual if seen[path] >= NEARLY_ALL * labels[label]}
            assert {path for path in usual if due(path, message)} == set()


def due(path: str, message: set[str]) -> bool:
    """Whether a path is missing from a message that has what the path is part of."""
    place = path.rpartition(":")[0]
    holder = place.rpartition("/")[0]
    there = any(each.startswith(f"{holder}/") for each in message) or holder.endswith(" ")
    return there and not any(each.startswith((f"{place}:", f"{place}/")) for each in message)
