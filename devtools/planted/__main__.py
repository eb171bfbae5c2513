"""`python -m devtools.planted`: plants faults in a copy of the judge, and counts which tests find them.

Each fault is shown with what found it: `quick` is what `make test` chooses, `full` what only `make full` runs,
`nothing` what no test finds, most often because the changed code does the same. The exit code is 1 if `quick` found
less than the share that it should of what was found at all. Tests that start processes are left out of both, and so
are tests that fail without a fault.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from devtools.planted.faults import Fault, faults_of, files
from devtools.planted.reached import Reached, reached, sampled
from devtools.planted.tree import Tree, changed

SHARE = 0.95
"""Of the faults that are found at all, `make test` finds at least so many."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plants the faults, one at a time; 0 if the tests of `make test` find enough of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=50, metavar="N", help="how many (50)")
    parser.add_argument("--seed", type=int, default=26, help="which ones (26)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="go on with this one, counted from 0")
    parser.add_argument("--coverage", type=Path, metavar="FILE", help="what tests reach; is made if it is not there")
    parser.add_argument("--timeout", type=float, default=1800, metavar="SECONDS", help="how long tests may take (1800)")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="planted-"))
    try:
        tree = Tree(folder)
        lines = reached(tree, given.coverage or folder / "coverage")
        more = sampled(tree)
        faults = drawn(tree.root, lines, given.faults, given.seed)
        counts: Counter[str] = Counter()
        for number, fault in list(enumerate(faults))[given.first :]:
            found, by = tried(tree, fault, lines[fault.path][fault.begin[0]], more, given.timeout)
            counts[found] += 1
            sys.stdout.write(f"{number:2} {found:7} {fault}\n           {by}\n")
            sys.stdout.flush()
    finally:
        shutil.rmtree(folder)
    known = counts["quick"] + counts["full"]
    sys.stdout.write(
        f"{counts['quick']} of {known} that are found are found by `make test`; {counts['nothing']} by none\n"
    )
    return 0 if counts["quick"] >= SHARE * known else 1


def drawn(root: Path, lines: Reached, count: int, seed: int) -> list[Fault]:
    """Faults at lines that some test reaches: a line is drawn, then one of its faults; the same for the same seed."""
    chance = random.Random(seed)
    chosen: list[Fault] = []
    by_file = {
        path: [each for each in faults_of(path, (root / path).read_text(encoding="utf-8")) if _at(lines, each)]
        for path in files(root)
        if path in lines
    }
    places = [(path, line) for path, found in by_file.items() for line in sorted({each.begin[0] for each in found})]
    for path, line in chance.sample(places, min(count, len(places))):
        chosen.append(chance.choice([each for each in by_file[path] if each.begin[0] == line]))
    return chosen


def _at(lines: Reached, fault: Fault) -> frozenset[str]:
    return lines.get(fault.path, {}).get(fault.begin[0], frozenset())


def tried(tree: Tree, fault: Fault, tests: frozenset[str], more: frozenset[str], timeout: float) -> tuple[str, str]:
    """Whether `quick`, `full` or `nothing` finds the fault, and the first test that failed."""
    file = tree.root / fault.path
    with changed(file, fault.planted(file.read_text(encoding="utf-8"))):
        if failed := tree.run(tests, "-x", timeout=timeout):
            return "quick", failed[0]
        if tests & more and (failed := tree.run(tests & more, "-x", full=True, timeout=timeout)):
            return "full", failed[0]
    return "nothing", f"{len(tests)} tests passed"


if __name__ == "__main__":
    sys.exit(main())
