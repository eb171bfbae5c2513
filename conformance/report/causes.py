"""Findings by cause: one entry for the same fault, however many exchanges, cells and files show it.

As large as there are causes, whatever the number of findings: of each, the first finding is kept and the others are
counted. A rule whose findings all differ has a last cause that takes the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from conformance.judge.cause import CauseKey, cause_of
from conformance.model.finding import Finding, Severity
from conformance.model.frozen import dataclass
from conformance.model.printable import count
from conformance.model.source import split_source
from conformance.report.base import Case
from conformance.report.statements import file_of, statement

if TYPE_CHECKING:
    from conformance.report.excerpt import Excerpt

_PER_RULE = 40
"""The most causes of one rule; the last one collects all further findings."""
_NAMED = 3
"""How many files are kept by name."""


_Key = tuple[CauseKey, "str | None"]
"""What distinguishes causes: the fault, and the rule that explains it."""


@dataclass(slots=True)
class Cause:
    """One fault. `first` is its first finding and `number` the number of that one in the report, from 0.

    `count` is how many findings it has; they occur `occurrences` times in all. `because` is the rule that
    explains every one of them: where the same fault stands by itself, it is another cause.
    """

    key: CauseKey
    first: Finding
    number: int
    excerpt: Excerpt | None
    because: str | None
    count: int = 0
    occurrences: int = 0
    files: int = 0
    names: list[str] = field(default_factory=list)
    dialects: dict[str, None] = field(default_factory=dict)
    rest: bool = False
    """Whether it collects all further causes of its rule."""
    _file: str | None = None

    def add(self, finding: Finding) -> None:
        """Counts one of its findings. Those of one file are consecutive."""
        self.count += 1
        self.occurrences += finding.occurrences
        if self.rest and self.because != finding.because:
            self.because = None
        if finding.dialect is not None:
            self.dialects[finding.dialect] = None
        file = file_of(finding)
        if file != self._file:
            self._file = file
            self.files += 1
            if len(self.names) < _NAMED:
                self.names.append(file)

    @property
    def rule(self) -> str:
        return self.first.rule

    @property
    def severity(self) -> Severity:
        return self.first.severity

    @property
    def place(self) -> str | None:
        return self.key.place

    @property
    def where(self) -> str:
        """The side and the place: `response /choices/*/message`; empty if neither is known."""
        return " ".join(filter(None, (self.first.side, self.place)))

    @property
    def message(self) -> str:
        return f"{self.first.message}; and others like it" if self.rest else self.first.message

    @property
    def holds(self) -> str | None:
        """The statement of the rule."""
        return statement(self.rule, self.first.dialect)

    @property
    def fix(self) -> str | None:
        """What to change: the finding's own advice, or the statement of the rule."""
        return self.first.fix or self.holds

    @property
    def file(self) -> str | None:
        """The file of the first finding, if it is one."""
        return next((name for name in self.names[:1] if name and Path(name).is_file()), None)


@dataclass(frozen=True, slots=True)
class Block:
    """A cause with those that follow from it. `number` counts from 1: the worst cause is 1."""

    number: int
    cause: Cause
    follow: tuple[Cause, ...]

    @property
    def severity(self) -> Severity:
        """The worst of them: a fault of the wire that a client fails on is as grave as that failure."""
        return max(each.severity for each in (self.cause, *self.follow))


class Causes:
    """Collects the findings of a report. With `keep_traffic`, the first finding of each cause keeps its exchange."""

    def __init__(self, *, keep_traffic: bool = False) -> None:
        self._causes: dict[_Key, Cause] = {}
        self._by_rule: Counter[tuple[str, Severity]] = Counter()
        self._keep_traffic = keep_traffic
        self._last: str | None = None
        self.files = 0
        """The number of files or cells that were judged; `unit` is which of the two."""
        self.unit = "file"
        self.findings = 0

    def judged(self, source: str, case: Case | None = None) -> None:
        """Counts the file or cell of a judged exchange; those of one file are consecutive."""
        if case is not None:
            self.unit = "cell"
        if (case is None and self.unit == "cell") or (case is not None and case.skipped is not None):
            return  # a file that is not a cell, or a cell that was not run
        file = split_source(source)[0]
        if file != self._last:
            self._last = file
            self.files += 1

    def add(self, finding: Finding) -> Cause:
        """Counts a finding, and returns its cause."""
        key = cause_of(finding), finding.because
        cause = self._causes.get(key)
        if cause is None:
            cause = self._new(key, finding)
        cause.add(finding)
        self.findings += 1
        return cause

    def _new(self, identity: _Key, finding: Finding) -> Cause:
        from conformance.report.excerpt import excerpt_of

        key = identity[0]
        about = key.rule, key.severity
        if self._by_rule[about] >= _PER_RULE:
            key = CauseKey(*about, None, None, "")
            identity = key, None
            if identity in self._causes:
                return self._causes[identity]
        self._by_rule[about] += 1
        excerpt = excerpt_of(finding)
        first = finding if self._keep_traffic else replace(finding, traffic=None)
        rest = key.wording == "" and key.place is None and self._by_rule[about] > _PER_RULE
        cause = Cause(key, first, self.findings, excerpt, finding.because, rest=rest)
        self._causes[identity] = cause
        return cause

    def __len__(self) -> int:
        return len(self._causes)

    def in_order(self) -> list[Cause]:
        """Every cause, in the order in which they came."""
        return list(self._causes.values())

    def blocks(self) -> list[Block]:
        """The causes, the worst and most frequent first, each with those that follow from it."""
        follow: dict[int, list[Cause]] = {}
        roots: list[Cause] = []
        for cause in self._causes.values():
            root = self._root(cause)
            if root is cause:
                roots.append(cause)
            else:
                follow.setdefault(id(root), []).append(cause)

        blocks = [
            Block(0, root, tuple(sorted(follow.get(id(root), ()), key=lambda each: -each.count))) for root in roots
        ]
        blocks.sort(key=lambda each: (-list(Severity).index(each.severity), -each.cause.count, each.cause.number))
        return [replace(each, number=number) for number, each in enumerate(blocks, 1)]

    def _root(self, cause: Cause) -> Cause:
        """The first cause in the chain that explains this one; this one if nothing explains it."""
        seen = [cause]
        while seen[-1].because is not None:
            here = seen[-1]
            able = [each for each in self._causes.values() if each.rule == here.because and each not in seen]
            if not able:
                break
            seen.append(max(able, key=lambda each: (each.key.side == here.key.side, each.count)))
        return seen[-1] if seen[-1].because is None else cause


class CauseReport:
    """What the reports that are written at the end, by cause, have in common; each has a `close` of its own."""

    shows_sources = False

    def __init__(self, stream: IO[str], *, keep_traffic: bool = False) -> None:
        self._stream = stream
        self._causes = Causes(keep_traffic=keep_traffic)

    def judged(self, source: str, case: Case | None = None) -> None:
        self._causes.judged(source, case)

    def finding(self, finding: Finding) -> None:
        self._causes.add(finding)


def how_often(cause: Cause, causes: Causes) -> str:
    """How many findings, and in how many of the files: `12 times in 3 of 10 files`."""
    times = "once" if cause.count == 1 else f"{cause.count} times"
    if cause.occurrences > cause.count:
        times += f" ({cause.occurrences} places)"
    if causes.files <= 1:
        return times
    if cause.files == causes.files:
        return f"{times} in all {causes.files} {causes.unit}s"
    return f"{times} in {cause.files} of {count(max(causes.files, cause.files), causes.unit)}"


def sums(blocks: Iterable[Block]) -> str:
    """How many causes of which severity: `4 causes: 3 of severity error, 1 of severity warning`."""
    numbers = Counter(block.severity for block in blocks)
    parts = [f"{numbers[each]} of severity {each}" for each in reversed(Severity) if numbers[each]]
    return f"{count(sum(numbers.values()), 'cause')}: {', '.join(parts)}"
