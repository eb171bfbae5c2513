"""What judging a stream of exchanges needs, in one process or in several."""

from __future__ import annotations

import gc
from functools import cache

from conformance.judge.checker import Checker
from conformance.judge.rule import import_rules
from conformance.model.finding import Finding
from conformance.model.frozen import dataclass
from conformance.model.garbage import collect_seldom
from conformance.profiles.profiles import Profile

_GARBAGE = 10_000
"""From so many objects on, garbage is collected after a file."""
Judged = tuple[str, list[Finding]]
"""The source of an exchange, and its findings."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The user's choice for all exchanges: the dialect, and the provider whose profile applies."""

    dialect: str | None = None
    profile: Profile | None = None


def forget(checker: Checker) -> None:
    """After a file, of which no other has a part of a run: frees what is kept of its runs."""
    checker.forget()
    if gc.get_count()[0] > _GARBAGE:  # of views: the collector itself waits for many more
        gc.collect()


@cache
def freeze() -> None:
    """Loads the rules of all dialects, and excludes them from garbage collection, which would take a tenth of the time.

    It is done once in a process: what is garbage by then would never be freed.
    """
    import_rules()
    gc.freeze()
    collect_seldom()
