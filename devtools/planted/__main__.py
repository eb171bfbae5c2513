"""`python -m devtools.planted`: plants faults in copies of the judge, and counts which tests find them.

Each fault is shown with what found it: `quick` is what `make test` chooses, `full` what only `make full` runs,
`nothing` what no test finds. The exit code is 1 if `quick` found less than the share that it should of what was found
at all. Tests that start processes are left out of both, and so are tests that fail without a fault. Faults that change
nothing anybody can see are listed in `equivalent.yaml`, each with its reason, and others are drawn instead.
"""

from __future__ import annotations

import argparse
import queue
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

from devtools.planted.equivalent import Equivalents, equivalents
from devtools.planted.faults import Fault, faults_of, files
from devtools.planted.reached import Reached, reached
from devtools.planted.tree import Tree
from devtools.planted.trials import Trial, Trials

SHARE = 0.95
"""Of the faults that are found at all, `make test` finds at least so many."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plants the faults, one in each copy at a time; 0 if the tests of `make test` find enough of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=50, metavar="N", help="how many (50)")
    parser.add_argument("--seed", type=int, default=26, help="which ones (26)")
    parser.add_argument("--only", type=int, nargs="*", metavar="N", help="of these only those, counted from 0")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many at once (2)")
    parser.add_argument("--coverage", type=Path, metavar="FILE", help="what tests reach; is made if it is not there")
    parser.add_argument(
        "--budget", type=float, default=600, metavar="SECONDS", help="for each fault and selection (600)"
    )
    given = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="planted-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        trees: queue.SimpleQueue[Tree] = queue.SimpleQueue()
        for number in range(given.jobs):
            trees.put(Tree(folder / str(number)))
        first = trees.get()
        lines = reached(first, given.coverage or folder / "coverage")
        trials = Trials(lines, given.budget)
        trees.put(first)
        faults = drawn(first.root, lines, given.faults, given.seed, equivalents())

        def tried(fault: Fault) -> Trial:
            tree = trees.get()
            try:
                return trials.tried(tree, fault)
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(given.jobs) as pool:
            chosen = given.only if given.only is not None else range(len(faults))
            running = {pool.submit(tried, faults[number]): number for number in chosen}
            for done in as_completed(running):
                trial = done.result()
                counts[trial.found] += 1
                sys.stdout.write(f"{running[done]:2} {trial.found:7} {faults[running[done]]}\n           {trial.by}\n")
                sys.stdout.flush()
    known = counts["quick"] + counts["full"]
    sys.stdout.write(
        f"{counts['quick']} of {known} that are found are found by `make test`; {counts['nothing']} by none\n"
    )
    return 0 if counts["quick"] >= SHARE * known else 1


def drawn(root: Path, lines: Reached, count: int, seed: int, left_out: Equivalents) -> list[Fault]:
    """Faults at lines that some test reaches: a line is drawn, then one of its faults; the same for the same seed."""
    chance = random.Random(seed)
    by_place: dict[tuple[str, int], list[Fault]] = {}
    for path in files(root):
        hit = lines.lines(path)
        for fault in faults_of(path, (root / path).read_text(encoding="utf-8")) if hit else []:
            if fault.begin[0] in hit:
                by_place.setdefault((path, fault.begin[0]), []).append(fault)
    places = chance.sample(sorted(by_place), len(by_place))
    return list(
        islice((fault for fault in (chance.choice(by_place[each]) for each in places) if fault not in left_out), count)
    )


if __name__ == "__main__":
    sys.exit(main())
