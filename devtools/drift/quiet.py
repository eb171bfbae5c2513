"""Nights on which nothing changed: each report about them is a false alarm."""

from __future__ import annotations

import math
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.cassette.load import load_cassette
from conformance.diff.drift.observed import observe
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import record
from conformance.model.registry import all_dialects
from conformance.reference.server import ReferenceServer, Unjudged
from conformance.reference.variation import Variation
from conformance.scenario.load import all_scenarios
from devtools.drift.job import HISTORY, alarms
from devtools.drift.nights import SAMPLES, Cell, Night, night

MATRICES: tuple[tuple[Cell, ...], ...] = tuple(
    (
        (dialect, "parallel-weather", mode),
        (dialect, "weather", mode),
        (dialect, "small-talk", "stream" if mode == "sync" else "sync"),
    )
    for dialect, mode in (
        ("openai-chat", "sync"),
        ("anthropic-messages", "stream"),
        ("openai-responses", "sync"),
        ("gemini", "stream"),
        ("openai-chat", "stream"),
        ("anthropic-messages", "sync"),
        ("openai-responses", "stream"),
        ("gemini", "sync"),
    )
)
"""What is recorded each night: two cells that are counted together, and one of the other mode."""


def quiet_nights(cells: Sequence[Cell], number: int, seed: str) -> Iterator[list[str]]:
    """The alarms of each night."""
    nights: deque[Night] = deque(maxlen=HISTORY + 1)
    for each in range(number + HISTORY):
        nights.append(night(cells, f"{seed}/quiet/{each}"))
        if len(nights) == nights.maxlen:
            yield alarms(list(nights))


def http_nights(number: int, seed: str) -> Iterator[list[str]]:
    """The alarms of nights that the official client records over HTTP."""
    (cell,) = all_cells(Filter(("parallel-weather",), ("openai-chat",), ("openai",), stream=False))
    key = cell.dialect, cell.scenario.id, cell.mode
    nights: deque[Night] = deque(maxlen=HISTORY + 1)
    scenarios = all_scenarios()
    varied = Unjudged(scenarios, Variation(seed))
    with ReferenceServer(scenarios, service=varied) as server, tempfile.TemporaryDirectory() as folder:
        model = all_dialects()[cell.dialect].reference_model or "model"
        endpoint = Endpoint("reference", server.origin, model, "a-key-of-nobody", "reference")
        for _ in range(number + HISTORY):
            runs = []
            for _ in range(SAMPLES):
                record(cell, endpoint, Path(folder))
                runs.append(observe(load_cassette(Path(folder) / cell.relative_path)))
            nights.append({key: runs})
            if len(nights) == nights.maxlen:
                yield alarms(list(nights))


def upper_bound(events: int, trials: int, confidence: float = 0.95) -> float:
    """The largest share that is not refuted by so few events (Clopper and Pearson, Biometrika 26 (1934), 404-413)."""
    if events >= trials:
        return 1.0
    low, high = events / trials, 1.0
    while high - low > 1e-9:
        share = (low + high) / 2
        chance = math.fsum(
            math.comb(trials, each) * share**each * (1 - share) ** (trials - each) for each in range(events + 1)
        )
        low, high = (share, high) if chance > 1 - confidence else (low, share)
    return high
