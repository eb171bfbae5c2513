"""Nights of recordings, rendered in this process by the reference server with `--vary`'s variation.

The requests are those of the shipped cassettes, with the ids and the texts of the answers that they repeat put in.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache

from conformance.cassette.load import Cassette, load_cassette
from conformance.diff.drift.observed import Observed, observe
from conformance.judge.pairing import matched
from conformance.judge.view import View
from conformance.model.behaviour import Behaviour
from conformance.model.data_files import data_dir
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.registry import claimants
from conformance.reference.answering import answer_to
from conformance.reference.variation import Variation
from conformance.scenario.load import all_scenarios

SAMPLES = 10
DRIVERS = {"anthropic-messages": "anthropic", "gemini": "google-genai"}
Cell = tuple[str, str, str]
"""Dialect, scenario and mode."""
Night = dict[Cell, list[Observed]]


@dataclass(frozen=True, slots=True)
class Fault:
    """A behaviour that a share of the recordings has."""

    behaviour: Behaviour
    share: float


class UnrecordableError(Exception):
    """The connection was cut: `record` keeps no cassette of it."""


def night(cells: Iterable[Cell], name: str, fault: Fault | None = None) -> Night:
    """The recordings of one night."""
    return {cell: [sample(cell, f"{name}/{number}", fault) for number in range(SAMPLES)] for cell in cells}


def sample(cell: Cell, seed: str, fault: Fault | None = None) -> Observed:
    """The observations of one recording of a cell."""
    recorded = cassette(cell)
    assert recorded is not None
    struck = fault is not None and random.Random(seed).random() < fault.share
    behaviours = [fault.behaviour] if fault is not None and struck else []
    vary = Variation(seed)
    exchanges: list[Exchange] = []
    names: dict[str, str] = {}
    for exchange in recorded.exchanges:
        if not claimants(exchange.request):
            continue
        request = _repeating(exchange.request, names)
        sent = answer_to(request, all_scenarios(), behaviours, vary).delivery
        if sent.cut:
            raise UnrecordableError
        head = sent.rendered
        response = Response(head.status, Headers([*head.headers, ("date", seed)]), Body(sent.body))
        exchanges.append(replace(exchange, request=request, response=response))
        names |= _renamed(exchange, exchanges[-1])
    return observe(replace(recorded, exchanges=tuple(exchanges)))


@cache
def cassette(cell: Cell) -> Cassette | None:
    """The shipped cassette of a cell."""
    dialect, scenario, mode = cell
    folder = data_dir("cassettes") / dialect / scenario
    suffix = "--stream" if mode == "stream" else ""
    for driver in (DRIVERS.get(dialect, "openai"), "raw-http"):
        path = folder / f"reference--{driver}{suffix}.yaml"
        if path.exists():
            return load_cassette(path)
    return None


def _repeating(request: Request, names: dict[str, str]) -> Request:
    text = request.body.text or ""
    for old, new in names.items():
        text = text.replace(old, new)
    return replace(request, body=Body(text.encode()))


def _renamed(old: Exchange, new: Exchange) -> dict[str, str]:
    """The ids and the texts of the recorded answer with those of the new one."""
    turns = [View(each, claimants(each.request)[-1]).replies for each in (old, new)]
    names: dict[str, str] = {}
    with suppress(IndexError):
        one, other = turns[0][0], turns[1][0]
        for before, after in matched(one.calls, other.calls)[0]:
            if before.id and after.id:
                names[before.id] = after.id
        if one.id and other.id:
            names[one.id] = other.id
        if len(one.text) > 8 and other.text:
            names[json.dumps(one.text)[1:-1]] = json.dumps(other.text)[1:-1]
            names[json.dumps(one.text, ensure_ascii=False)[1:-1]] = json.dumps(other.text, ensure_ascii=False)[1:-1]
    return names
