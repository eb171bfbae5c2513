"""Measures `check --engine ray` on this machine: `make scale`, bounded to ten minutes.

The conversations of the corpus (or of the shipped cassettes, where it is absent), varied by a seed, in files of a
thousand. CPU time is that of all processes; on a shared machine only it means something, and ratios of it. The first
size is so small that its runs with workers are their start.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import monotonic

from conformance.inputs import read
from conformance.model.exchange import Exchange
from devtools.places import CORPUS, ROOT

_FILE = 1_000
_SECONDS = 600
_ALONE = 10_000
"""More exchanges are measured with workers only."""
_WORKERS = ("Ray, 1 worker", "Ray, 2 workers")
_RUNS = {
    "one process": (),
    **{name: ("--engine", "ray", "--jobs", str(jobs)) for jobs, name in enumerate(_WORKERS, 1)},
}


def main() -> None:
    """Prints a table of the runs that fit into the time, and how well two workers share what is not their start."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[200, 10_000, 50_000])
    end = monotonic() + _SECONDS
    print("| exchanges | run | wall s | CPU s | CPU ms per exchange | peak of a process, MiB |", flush=True)  # noqa: T201
    print("| ---: | --- | ---: | ---: | ---: | ---: |", flush=True)  # noqa: T201
    starts: dict[str, float] = {}
    shares: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for size in parser.parse_args().sizes:
            where = Path(folder, str(size))
            number = _written(where, size)
            walls: dict[str, float] = {}
            for name, words in _RUNS.items():
                if monotonic() < end and (words or size <= _ALONE):
                    walls[name] = _measure(number, name, [str(where), *words], end - monotonic())
            one, two = (walls.get(name, inf) - starts.get(name, 0) for name in _WORKERS)
            if starts and max(one, two) < inf:
                shares.append(f"Efficiency of two workers at {number} exchanges, start-up apart: {one / two / 2:.2f}")
            starts = starts or walls
    print("", *shares, sep="\n")  # noqa: T201


def _measure(number: int, name: str, words: list[str], seconds: float) -> float:
    """Prints the row of a run. Returns the seconds that it took, infinity if it did not end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = monotonic()
    command = [sys.executable, "-m", "devtools.scale_run", *words]
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        print(f"| {number} | {name} | more than the time left | | | |", flush=True)  # noqa: T201
        return inf
    if run.returncode not in (0, 1):
        print(f"| {number} | {name} | failed: {run.stderr.strip()[-200:]} | | | |", flush=True)  # noqa: T201
        return inf
    wall = monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    measured = json.loads(run.stderr.strip().splitlines()[-1])
    cpu = max(measured["cpu"], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    print(  # noqa: T201
        f"| {number} | {name} | {wall:.0f} | {cpu:.1f} | {1000 * cpu / number:.2f} | {measured['peak']:.0f} |",
        flush=True,
    )
    return wall


def _written(folder: Path, size: int) -> int:
    folder.mkdir()
    rows: Iterator[str] = itertools.islice(_varied(), size)
    number = 0
    for name in itertools.count():
        some = list(itertools.islice(rows, _FILE))
        if not some:
            return number
        number += len(some)
        (folder / f"{name:05}.jsonl").write_text("\n".join(some) + "\n", encoding="utf-8")
    return number


def _varied() -> Iterator[str]:
    """Lines of the same conversations over and over, each time under another name; in an order of the seed."""
    by_run: dict[object, list[Exchange]] = defaultdict(list)
    for number, each in enumerate(
        read(str(CORPUS / "openai-chat.jsonl.gz") if CORPUS.is_dir() else str(ROOT / "cassettes"))
    ):
        by_run[each.group or each.conversation or number].append(each)
    chance = random.Random(1)
    runs = list(by_run.values())
    for turn in itertools.count():
        chance.shuffle(runs)
        for number, run in enumerate(runs):
            yield from (_line(each, f"{turn}-{number}") for each in run)


def _line(each: Exchange, conversation: str) -> str:
    asked, answered = (
        body.json if body.parsed_by_recorder else body.text for body in (each.request.body, each.response.body)
    )
    return json.dumps({
        "conversation": conversation,
        "request": {
            "method": each.request.method,
            "url": each.request.url,
            "headers": each.request.headers.lists(),
            "body": asked,
        },
        "response": {
            "status": each.response.status,
            "headers": each.response.headers.lists(),
            "body": answered,
        },
    })  # fmt: skip


if __name__ == "__main__":
    os.nice(5)
    main()
