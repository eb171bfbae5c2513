"""Measures `diff` of sets: how often it alarms when nothing changed, and how soon it finds what did (`make drift`).

Nights are rendered in process by the reference server, with `--vary`'s variation; the requests are those of the shipped
cassettes, with the ids and the texts of the answers that they repeat put in. A night is compared with the 14 nights
before, as the nightly job does: alone, and together with the two nights before it.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from conformance.campaign.statistics import wilson
from conformance.cassette.load import Cassette, load_cassette
from conformance.diff.difference import Grade
from conformance.diff.observed import Observed, observe
from conformance.diff.sets import CellSet
from conformance.diff.shift import Shift
from conformance.diff.shifts import CONFIDENCE, provider_shifts
from conformance.diff.turns import matched
from conformance.judge.view import View
from conformance.matrix.cells import Filter, all_cells
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import record
from conformance.model.behaviour import Behaviour
from conformance.model.data_files import data_dir
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.registry import all_dialects, claimants
from conformance.model.rendered import Delivery
from conformance.reference.answering import Circumstances, answer, answer_to
from conformance.reference.behaviours import all_behaviours
from conformance.reference.server import ReferenceServer
from conformance.reference.variation import Variation
from conformance.scenario.load import all_scenarios

SAMPLES, WINDOW, TOGETHER = 10, 14, 3
DRIVERS = {"anthropic-messages": "anthropic", "gemini": "google-genai"}
POOL = ("weather", "parallel-weather", "small-talk", "no-arguments", "tool-error")
NULL = (
    ("openai-chat", "parallel-weather", "sync"),
    ("openai-chat", "weather", "sync"),
    ("anthropic-messages", "parallel-weather", "stream"),
)
"""The cells of the nights without a change: two that are counted together, and one that streams parallel calls."""
INSTEAD = {"three-cities": "parallel-weather", "thinking": "reasoning"}
"""Shipped scenarios for those that only the tests have."""
Cell = tuple[str, str, str]
"""Dialect, scenario and mode."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A behaviour that a share of the recordings has."""

    behaviour: Behaviour
    share: float


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
        rendered = answer(request, all_scenarios(), behaviours, vary)
        response = Response(rendered.status, Headers([*rendered.headers, ("date", seed)]), Body(rendered.body))
        exchanges.append(replace(exchange, request=request, response=response))
        names |= _renamed(exchange, exchanges[-1])
    return observe(replace(recorded, exchanges=tuple(exchanges)))


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


Night = dict[Cell, list[Observed]]


def night(cells: Iterable[Cell], name: str, fault: Fault | None = None) -> Night:
    """The recordings of one night."""
    return {cell: [sample(cell, f"{name}/{number}", fault) for number in range(SAMPLES)] for cell in cells}


def compared(before: Sequence[Night], now: Sequence[Night], confidence: float = CONFIDENCE) -> list[Shift]:
    """The shifts to look at between some nights and others."""
    cells = [
        CellSet(
            (dialect, scenario, "", mode),
            old=[run for each in before for run in each[dialect, scenario, mode]],
            new=[run for each in now for run in each[dialect, scenario, mode]],
        )
        for dialect, scenario, mode in now[0]
    ]
    return [each for each in provider_shifts(cells, confidence)[0] if each.grade > Grade.NOISE]


def alarms(nights: deque[Night]) -> list[Shift]:
    """What the nightly job would report: tonight against the 14 nights before, then the last three nights."""
    history = list(nights)
    return compared(history[-1 - WINDOW : -1], history[-1:]) or compared(
        history[-TOGETHER - WINDOW : -TOGETHER], history[-TOGETHER:]
    )


def quiet_nights(number: int, seed: str) -> Iterator[list[Shift]]:
    """The alarms of nights on which nothing changed."""
    nights: deque[Night] = deque(maxlen=WINDOW + TOGETHER)
    for each in range(number + WINDOW + TOGETHER - 1):
        nights.append(night(NULL, f"{seed}/quiet/{each}"))
        if len(nights) == nights.maxlen:
            yield alarms(nights)


def http_nights(number: int, seed: str) -> Iterator[list[Shift]]:
    """The alarms of quiet nights that the official client records over HTTP."""
    (cell,) = all_cells(Filter(("parallel-weather",), ("openai-chat",), ("openai",), stream=False))
    dialect = cell.dialect
    key = dialect, cell.scenario.id, cell.mode
    nights: deque[Night] = deque(maxlen=WINDOW + TOGETHER)
    scenarios, vary = all_scenarios(), Circumstances(vary=Variation(seed))

    def respond(request: Request, _: str, behaviours: Sequence[Behaviour]) -> Delivery:
        return answer_to(request, scenarios, behaviours, vary).delivery

    with ReferenceServer(scenarios, responder=respond) as server, tempfile.TemporaryDirectory() as folder:
        model = all_dialects()[dialect].reference_model or "model"
        endpoint = Endpoint("reference", server.origin, model, "a-key-of-nobody", "reference")
        for _ in range(number + WINDOW + TOGETHER - 1):
            runs = []
            for _ in range(SAMPLES):
                record(cell, endpoint, Path(folder))
                runs.append(observe(load_cassette(Path(folder) / cell.relative_path)))
            nights.append({key: runs})
            if len(nights) == nights.maxlen:
                yield alarms(nights)


def shown_in(behaviour: Behaviour) -> Cell | None:
    """A cell that shows a behaviour."""
    mode = "stream" if behaviour.streamed else "sync"
    known = ("openai-chat", "openai-responses", "anthropic-messages", "gemini")
    for dialect in (*known, *all_dialects()):
        cell = dialect, INSTEAD.get(behaviour.scenario, behaviour.scenario), mode
        if behaviour.concerns(all_dialects()[dialect]) and cassette(cell) is not None and _alters(behaviour, cell):
            return cell
    return None


def _alters(behaviour: Behaviour, cell: Cell) -> bool:
    """Whether the behaviour changes anything that is observed in the cell; all noise counts."""
    if behaviour.grade == "noise":
        return True
    usual, changed = (sample(cell, "shown", fault) for fault in (None, Fault(behaviour, 1.0)))
    return (usual.outcomes, usual.numbers) != (changed.outcomes, changed.numbers)


def pool_of(cell: Cell) -> list[Cell]:
    """The cells of a dialect and mode that are compared together."""
    found = [(cell[0], scenario, cell[2]) for scenario in dict.fromkeys((cell[1], *POOL))]
    return [each for each in found if cassette(each) is not None]


@dataclass
class Score:
    """How many behaviours were tried and found, and the names of those that were not."""

    title: str
    aim: float
    tried: int = 0
    missed: list[str] | None = None

    def add(self, name: str, *, found: bool) -> None:
        self.tried += 1
        self.missed = [*(self.missed or []), *([] if found else [name])]

    def __str__(self) -> str:
        held = self.tried - len(self.missed or [])
        low, high = wilson(held, self.tried)
        told = f"; not: {', '.join(self.missed)}" if self.missed else ""
        return (
            f"{self.title}: {held} of {self.tried} ({held / max(1, self.tried):.0%}, {low:.0%}-{high:.0%}; "
            f"{f'aim {self.aim:.0%}' if self.aim else 'no aim'}){told}"
        )

    @property
    def met(self) -> bool:
        return self.tried - len(self.missed or []) >= self.aim * self.tried


def power(seed: str, names: Sequence[str] = ()) -> list[Score]:
    """Whether each behaviour is found: on the first night, and within three at a half and a tenth of the recordings."""
    first = Score("every answer, first night", 0.95)
    parts = {0.5: Score("half of the recordings, three nights", 0.95), 0.1: Score("a tenth, three nights", 0.6)}
    alone = {0.5: Score("half, seen in one cell only", 0.0), 0.1: Score("a tenth, seen in one cell only", 0.0)}
    silent = Score("noise between two recordings, also silent between sets", 0.0)
    before: dict[tuple[str, str], list[Night]] = {}
    for name, behaviour in all_behaviours().items():
        cell = shown_in(behaviour)
        if cell is None or (names and name not in names):
            if not names:
                say(f"  {name}: not tried, no cassette shows it")
            continue
        cells = pool_of(cell)
        history = before.setdefault((cell[0], cell[2]), [])
        for number in range(WINDOW):
            if number == len(history):
                history.append({})
            missing = [each for each in cells if each not in history[number]]
            history[number] |= night(missing, f"{seed}/before/{number}")
        past = [{each: one[each] for each in cells} for one in history]
        found = compared(past, [night(cells, f"{seed}/{name}", Fault(behaviour, 1.0))])
        if behaviour.grade == "noise":
            silent.add(name, found=not found)
            continue
        first.add(name, found=bool(found))
        touches = _touched(past, cells, Fault(behaviour, 1.0), f"{seed}/{name}/cells")
        for share in parts:
            nights = [
                night(cells, f"{seed}/{name}/{share}/{number}", Fault(behaviour, share)) for number in range(TOGETHER)
            ]
            hit = bool(compared(past, nights)) or any(compared(past, [each]) for each in nights)
            (parts if touches > 1 else alone)[share].add(name, found=hit)
    return [first, *parts.values(), *alone.values(), silent]


def _touched(past: Sequence[Night], cells: Sequence[Cell], fault: Fault, seed: str) -> int:
    """In how many of the cells the behaviour shows, each compared by itself."""
    number = 0
    for cell in cells:
        number += bool(compared([{cell: each[cell]} for each in past], [night([cell], seed, fault)]))
    return number


def say(text: str, *, flush: bool = True) -> None:
    """Prints a line."""
    print(text, flush=flush)  # noqa: T201


def main() -> int:
    """Prints what was tried and what failed; ends with 1 if an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100 nights instead of 1,000")
    parser.add_argument("--nights", type=int, help="number of nights without a change")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", nargs="*", default=[], help="only these behaviours, and no quiet nights")
    options = parser.parse_args()
    number = options.nights if options.nights is not None else 100 if options.quick else 1000
    good = True
    if not options.only and number:
        start = time.monotonic()
        alarmed: list[int] = []
        for each, shifts in enumerate(quiet_nights(number, options.seed)):
            if each and each % 100 == 0:
                say(f"  {each} nights, {len(alarmed)} alarmed, {time.monotonic() - start:.0f} s")
            if shifts:
                alarmed.append(each)
                say(f"  night {each}: {'; '.join(shift.message for shift in shifts[:3])}")
        low, high = wilson(len(alarmed), number)
        say(
            f"quiet nights: {len(alarmed)} of {number} alarmed ({low:.2%}-{high:.2%}; aim: at most 1 %), "
            f"{len(NULL)} cells x {SAMPLES} samples, {time.monotonic() - start:.0f} s",
        )
        good = high <= 0.01 or options.quick
        loud = sum(map(bool, http_nights(2 if options.quick else 20, options.seed)))
        say(f"quiet nights over HTTP: {loud} of {2 if options.quick else 20} alarmed")
        good = good and not loud
    for score in power(options.seed, options.only):
        say(str(score))
        good &= score.met
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
