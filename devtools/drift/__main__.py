"""`make drift`: prints what was tried and what failed; ends with 1 if an aim is missed."""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor

from conformance.reference.behaviours import all_behaviours
from devtools.drift.nights import SAMPLES, Cell
from devtools.drift.power import ALONE, DOWN, FIRST, NOISE, SHARES, History, Score, Trial, shown_in, trials
from devtools.drift.quiet import MATRICES, http_nights, quiet_nights, upper_bound

BOUND = 0.01
"""At most this share of the nights may alarm when nothing changed."""


def main() -> int:
    """Measures, and prints a line for each result."""
    parser = argparse.ArgumentParser(prog="python -m devtools.drift", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="render about a tenth of the nights")
    parser.add_argument("--nights", type=int, help="number of nights without a change (default: 1000)")
    parser.add_argument("--repeat", type=int, default=1, help="how often each behaviour is tried (default: 1)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--only", nargs="*", default=[], help="only these behaviours, and no quiet nights")
    options = parser.parse_args()
    quiet = options.nights if options.nights is not None else 80 if options.quick else 1000
    good = True
    with ProcessPoolExecutor(options.jobs) as pool:
        if quiet and not options.only:
            good &= _quiet(pool, quiet, options.seed, strict=not options.quick)
            good &= not sum(map(bool, _over_http(2 if options.quick else 20, options.seed)))
        good &= _power(pool, options.seed, options.repeat, options.only)
    return 0 if good else 1


def _quiet(pool: Executor, number: int, seed: str, *, strict: bool) -> bool:
    start = time.monotonic()
    each = -(-number // len(MATRICES))
    runs = [pool.submit(_alarmed, cells, each, seed) for cells in MATRICES]
    alarmed = 0
    for cells, run in zip(MATRICES, runs, strict=True):
        found = run.result()
        alarmed += len(found)
        write(f"  {each} nights of {', '.join(' / '.join(cell) for cell in cells)}: {len(found)} with an alarm")
        for night, messages in found:
            write(f"    night {night}: {'; '.join(messages[:3])}")
    total, bound = each * len(MATRICES), upper_bound(alarmed, each * len(MATRICES))
    write(
        f"nothing changed: {alarmed} of {total} nights with an alarm (95 % upper bound {bound:.2%}; aim: at most "
        f"{BOUND:.0%}), {SAMPLES} samples of 3 cells, {time.monotonic() - start:.0f} s"
    )
    return bound <= BOUND or not strict


def _alarmed(cells: Sequence[Cell], number: int, seed: str) -> list[tuple[int, list[str]]]:
    return [(night, found) for night, found in enumerate(quiet_nights(cells, number, seed)) if found]


def _over_http(number: int, seed: str) -> Iterator[list[str]]:
    found = list(http_nights(number, seed))
    write(f"nothing changed, over HTTP: {sum(map(bool, found))} of {number} nights with an alarm")
    yield from found


def _power(pool: Executor, seed: str, repeat: int, only: Sequence[str]) -> bool:
    start = time.monotonic()
    names = [name for name in all_behaviours() if not only or name in only]
    places = dict(zip(names, pool.map(_shown, names), strict=True))
    groups: dict[tuple[str, str], list[tuple[str, Cell]]] = defaultdict(list)
    for name, cell in places.items():
        if cell is not None:
            groups[cell[0], cell[2]].append((name, cell))
    hidden = [name for name, cell in places.items() if cell is None]
    write(f"not tried, because no shipped cassette shows it ({len(hidden)}): {', '.join(hidden) or 'none'}")
    batches = [(group, f"{seed}-{turn}") for turn in range(repeat) for group in groups.values()]
    scores = {title: Score(title) for title in (FIRST, *SHARES.values(), *ALONE.values(), NOISE, DOWN)}
    for found in pool.map(_tried, batches):
        for title, name, good in found:
            scores[title].add(name, good=good)
    for score in scores.values():
        write(str(score))
    write(f"{len(names) - len(hidden)} behaviours, each tried {repeat} times, {time.monotonic() - start:.0f} s")
    return all(score.met for score in scores.values())


def _shown(name: str) -> Cell | None:
    return shown_in(all_behaviours()[name])


def _tried(batch: tuple[Sequence[tuple[str, Cell]], str]) -> list[Trial]:
    group, seed = batch
    history = History(seed)
    return [trial for name, cell in group for trial in trials(name, cell, history, seed)]


def write(text: str) -> None:
    """Prints a line at once."""
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    raise SystemExit(main())
