"""The floor: each dialect's contract held against its documents, and the reasons of the lines that remain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from conformance.contract import Contract, Situation
from conformance.judge.contracted import contracts_of
from devtools.documents.comparing import Comparison
from devtools.documents.documented import Documented
from devtools.documents.lines import HEADINGS, Line
from devtools.documents.reading import EXPECTED, Documents
from devtools.documents.reasons import Reasons
from devtools.documents.revisions import of_revisions

_TOLD_AT_REPLY = (
    (re.compile(r":response\.[\w.]+/response"), ""),
    (re.compile(r":response\.output_item\.\w+/item"), "/output/*"),
    (re.compile(r":response\.content_part\.\w+/part"), "/output/*:message/content/*"),
    (re.compile(r":message_start/message"), ""),
    (re.compile(r":content_block_start/content_block"), "/content/*"),
)
"""Where an event has what the reply has: a difference is reported there alone."""


def floor(documents: Documents) -> Iterator[Line]:
    """All lines, also those whose row explains itself."""
    for dialect in EXPECTED:
        yield from of_dialect(dialect, documents)
    yield from of_revisions(documents.revisions)


def of_dialect(dialect: str, documents: Documents) -> Iterator[Line]:
    """The lines of one dialect, each once."""
    reported: set[tuple[str, str, str]] = set()
    for name, contract in bodies_of(dialect):
        specs, theirs = documents.of(f"{dialect} {name}"), documents.of(f"{dialect} {name}", vendors=True)
        if specs:
            for line in Comparison(dialect, contract, Documented.of(theirs)).lines(Documented.of(specs)):
                if not reported.intersection((place, line.kind, line.text) for place in _places(line.place)):
                    reported.add((line.place, line.kind, line.text))
                    yield line


def of_vendors(documents: Documents, dialect: str = "openai-chat") -> Iterator[tuple[str, Line]]:
    """What the documents of other providers have and the contract has not, with the rows of `specs/documented` in it.

    What only the contract has is none of it: only the owner of the format documents that.
    """
    for vendor in documents.vendors:
        for name, contract in bodies_of(dialect):
            spec = vendor.bodies.get(f"{dialect} {name}")
            if spec is not None:
                node = contract.resolved(Situation(provider=vendor.profile)).node
                lines = Comparison(dialect, contract).lines(Documented.of([spec]), node)
                yield from ((vendor.profile, each) for each in lines if each.heading != HEADINGS["undocumented"])


def _places(place: str) -> Iterator[str]:
    yield place
    for pattern, instead in _TOLD_AT_REPLY:
        found = pattern.match(place)
        if found is not None:
            yield instead + place[found.end() :]


def bodies_of(dialect: str) -> Iterator[tuple[str, Contract]]:
    """The contracts of a dialect by what they are about."""
    contracts = contracts_of(dialect)
    if contracts is not None:
        yield from ((each.subject, each) for each in contracts.every)


@dataclass
class Outcome:
    """The lines of each body: those that remain without a reason, and how many have which."""

    remaining: list[Line] = field(default_factory=list)
    counts: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    """By dialect, body, heading and reason."""

    @staticmethod
    def of(lines: Iterable[Line], reasons: Reasons) -> Outcome:
        found = Outcome()
        for line in lines:
            because = line.because or reasons.reason(str(line))
            found.counts[line.dialect, line.subject, line.heading, because] += 1
            if not because:
                found.remaining.append(line)
        return found
