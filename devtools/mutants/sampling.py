"""Which mutants are tried: chosen by a stable hash, so that the same seed gives the same mutants everywhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from devtools.mutants.operator import Fault, Operator, all_operators
from devtools.mutants.subject import Subject

Choice = tuple[Subject, Operator, Fault]
Group = tuple[str, str, str, str]

_ABROAD = 4
PER_EXCHANGE = 2
"""The most mutants of one operator and one kind of place from one exchange, so that other exchanges have some too."""


def rank(seed: int, *names: str) -> int:
    """A number that depends only on the seed and the names."""
    text = "\n".join((str(seed), *names))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def shuffled(subjects: Iterable[Subject], seed: int) -> list[Subject]:
    """The subjects in the order of their hash."""
    return sorted(subjects, key=lambda subject: rank(seed, subject.name))


def choose(
    subjects: Sequence[Subject], *, cap: int, home: str | None = None, operators: Sequence[Operator] | None = None
) -> Iterator[Choice]:
    """At most `cap` mutants for each operator and kind of place in each dialect, in the order of the subjects.

    A dialect that is not at `home` among the subjects, and also has mutants elsewhere, gets a quarter of them.
    """
    taken: Counter[Group] = Counter()
    for subject in subjects:
        here: Counter[Group] = Counter()
        for each in operators if operators is not None else all_operators():
            if not each.fits(subject):
                continue
            dialect = each.dialect_of(subject)
            most = cap if home in (None, dialect) else max(1, cap // _ABROAD)
            for fault in each.faults(subject):
                if fault.side == "request" and not subject.exchange.response.ok:
                    continue  # a refused request shows less than the same request with an answer
                group = (dialect, each.name, fault.side, fault.pattern)
                if taken[group] < most and here[group] < PER_EXCHANGE:
                    here[group] += 1
                    taken[group] += 1
                    yield subject, each, fault
