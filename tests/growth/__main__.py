"""`make scaling`: the exponents of CPU time from 1,000 to 8,000 of each structural dimension of each dialect.

`python -m tests.growth --dialect mcp --work judge --only tools` measures some of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from conformance.model.registry import all_dialects
from tests.growth.dimensions import Dimension, dimensions
from tests.growth.measuring import WORKS, Work, exponent, seconds

SMALL, LARGE = 1_000, 8_000
LIMIT = 1.2
NOISE = 0.1
"""Seconds below which a time says nothing about growth."""
HANG = 2.0
"""Seconds that the small size may take."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what grows too fast, and how many dimensions were tried and failed; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialect", action="append", choices=list(all_dialects()), help="only this dialect")
    parser.add_argument("--work", action="append", choices=list(WORKS), help="only this work")
    parser.add_argument("--only", default="", help="only dimensions with this text in their name")
    chosen = parser.parse_args(arguments)
    tried = failed = 0
    for dialect in chosen.dialect or all_dialects():
        for dimension in dimensions(dialect):
            if chosen.only not in dimension.name:
                continue
            for name in chosen.work or WORKS:
                tried += 1
                problem = problem_of(dimension, WORKS[name])
                if problem:
                    failed += 1
                    sys.stdout.write(f"{name}: {dimension.name}: {problem}\n")
                    sys.stdout.flush()
    sys.stdout.write(f"scaling: {tried} dimensions tried, {failed} failed\n")
    return 1 if failed else 0


def problem_of(dimension: Dimension, work: Work) -> str:
    """What is wrong with the growth of a dimension; empty if nothing is. A failure is measured three times."""
    found = ""
    for _ in range(3):
        small = seconds(dimension, SMALL, work)
        if small > HANG:
            found = f"{small:.1f} s at {SMALL}"
            continue
        large = seconds(dimension, LARGE, work)
        if large < NOISE or exponent((small, large), (SMALL, LARGE)) < LIMIT:
            return ""
        found = f"exponent {exponent((small, large), (SMALL, LARGE)):.2f} ({small:.2f} s, {large:.2f} s)"
    return found


if __name__ == "__main__":
    sys.exit(main())
