"""`make scaling`: the exponents of CPU time from 1,000 to 8,000 of each structural dimension of each dialect.

Each dimension is judged, reported and redacted. What may grow too fast is measured again, three times in all:
other processes only ever make a time longer, so the shortest ones count. What is left grows too fast only if it still
does from 4,000 to 8,000: a limit between the sizes, past which there is something to report, is a step and no growth.
`python -m devtools.growth --dialect mcp --only tools` measures some of them.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Sequence

from conformance.model.registry import all_dialects
from devtools.growth.measuring import WORKS
from devtools.growth.problems import dimensions_of, problems_in


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what grows too fast, and how many dimensions were tried and failed; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialect", action="append", choices=list(all_dialects()), help="only this dialect")
    parser.add_argument("--only", default="", help="only dimensions with this text in their name")
    parser.add_argument("--jobs", type=int, default=1, help="processes: CPU time is measured, so they may share a core")
    chosen = parser.parse_args(arguments)
    tasks = [
        (dialect, number)
        for dialect in chosen.dialect or all_dialects()
        for number, dimension in enumerate(dimensions_of(dialect))
        if chosen.only in dimension.name
    ]
    if not tasks:
        parser.error(f"no dimension has {chosen.only!r} in its name")
    failed = 0
    with multiprocessing.get_context("spawn").Pool(chosen.jobs) as pool:
        for tried, lines in enumerate(pool.imap(problems_in, tasks, chunksize=4), 1):
            failed += len(lines)
            sys.stdout.write("".join(lines))
            sys.stdout.flush()
            if tried % 100 == 0:
                sys.stderr.write(f"{tasks[tried - 1][0]}: {tried} of {len(tasks)} tried, {failed} failed\n")
    works = len(tasks) * len(WORKS)
    sys.stdout.write(f"scaling: {works} tried ({len(tasks)} dimensions, {', '.join(WORKS)}), {failed} failed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
