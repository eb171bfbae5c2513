"""`make fuzz`: breaks inputs for a time, in one process for each core.

No input may end in a traceback, an internal error, a hang of more than two seconds, or growing memory.
`python -m devtools.fuzzing --seconds 60 --jobs 2 --seed 5` tries the same inputs again, as far as the time goes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from devtools.fuzzing.campaign import campaign
from devtools.fuzzing.counts import NIGHT, WANTED, added
from devtools.places import ROOT

_KEPT = ROOT / ".fuzz"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints each failure, and how many inputs were tried and failed, now and in all; 1 if any failed now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--count", action="store_true", help="add this run to the counts that are committed")
    parser.add_argument("--seed", type=int, default=None, help="by default, another one each time")
    chosen = parser.parse_args(arguments)
    _KEPT.mkdir(exist_ok=True)
    first = chosen.seed if chosen.seed is not None else random.randrange(1 << 32)
    numbers = [first + (job << 32) for job in range(chosen.jobs)]
    with ProcessPoolExecutor(chosen.jobs, get_context("spawn")) as pool:
        reported = list(pool.map(campaign, numbers, repeat(chosen.seconds), repeat(_KEPT)))
    tried, failed, grown = (
        sum(one[0] for one in reported),
        sum(one[1] for one in reported),
        max(one[2] for one in reported),
    )
    total = _total(_KEPT / "total.json", tried, failed)
    sys.stdout.write(
        f"fuzz: {tried} inputs tried, {failed} failed, {grown >> 20} MiB more memory; "
        f"in all {total['tried']} tried, {total['failed']} failed\n"
    )
    if chosen.count:
        counts = added(int(chosen.seconds), chosen.jobs, tried, failed)
        sys.stdout.write(
            f"fuzz: {counts['tried']} inputs in {len(counts['runs'])} counted runs, {counts['failed']} failed; "
            f"{counts['rate']} a second, so {WANTED:,} take {counts['nights']} nights of {NIGHT} s\n"
        )
    return 1 if failed else 0


def _total(path: Path, tried: int, failed: int) -> dict[str, int]:
    before = json.loads(path.read_text()) if path.exists() else {"tried": 0, "failed": 0}
    total = {"tried": before["tried"] + tried, "failed": before["failed"] + failed}
    path.write_text(json.dumps(total))
    return total


if __name__ == "__main__":
    sys.exit(main())
