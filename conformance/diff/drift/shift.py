"""One shift between two sets of recordings, with how often before and after, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from conformance.campaign.statistics import rate
from conformance.diff.difference import Grade
from conformance.diff.drift.grading import TYPES
from conformance.diff.drift.observed import Key
from conformance.diff.drift.significance import Share
from conformance.diff.places import similar
from conformance.model.printable import count

_PLAIN = ("field", "argument", "rule")
_FEWEST = 3
"""From so many recordings on each side on, what is otherwise in all of them is named."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of both sides: how many recordings have one, the median, and the middle half."""

    old: tuple[float, ...]
    new: tuple[float, ...]

    def text(self) -> str:
        return f"median {_number(median(self.old))} before, {_number(median(self.new))} now"


@dataclass(frozen=True, slots=True)
class Shift:
    """What appears, vanishes or shifts. `cells` are those that show it, of `pooled` if they are counted together.

    `also` are other observations that changed in the very same recordings: the same cause.
    """

    key: Key
    outcome: str
    grade: Grade
    cells: tuple[str, ...]
    seen: Share | Numbers
    p: float
    pooled: bool = False
    also: tuple[str, ...] = ()
    sure: bool = True
    """Whether it is more than chance can be."""
    became: str = ""
    """The field that took the place of one that is gone."""

    @property
    def subject(self) -> str:
        """What is observed, in words."""
        if self.became:
            return f"field {_field(self.key.name)} became {_field(self.became)}"
        return subject(self.key, self.outcome)

    @property
    def names(self) -> set[tuple[str, str]]:
        """The topics and names that it is about."""
        return {(self.key.topic, self.key.name), (self.key.topic, self.became)}

    @property
    def what(self) -> str:
        """The shift without its numbers."""
        if self.became:
            return self.subject
        if isinstance(self.seen, Numbers):
            return f"{self.subject} {'rose' if self.rose else 'fell'}"
        verb = (
            "appeared"
            if not self.seen.old
            else "vanished"
            if not self.seen.new
            else "is more frequent"
            if self.rose
            else "is less frequent"
        )
        return f"{self.subject} {verb}"

    @property
    def message(self) -> str:
        """The shift in one sentence."""
        if isinstance(self.seen, Numbers):
            return f"{self.what}: {self.seen.text()}"
        share = self.seen
        before, now = f"{share.old} of {share.old_total}", f"{share.new} of {share.new_total}"
        few = "" if self.sure else "; too few to be sure"
        return f"{self.what}: {before} recordings before, {now} now{few}"

    @property
    def is_plain(self) -> bool:
        """Whether a field, an argument or a rule never varied before, and is otherwise in every recording since.

        It deserves a look, although so few recordings may be like that by chance.
        """
        seen = self.seen
        if self.key.topic not in _PLAIN or not isinstance(seen, Share) or min(seen.old_total, seen.new_total) < _FEWEST:
            return False
        return {seen.old / seen.old_total, seen.new / seen.new_total} == {0.0, 1.0}

    def for_review(self) -> Shift:
        """The same for review at most, and with the reason."""
        return replace(self, grade=min(self.grade, Grade.REVIEW), sure=False)

    @property
    def interval(self) -> str:
        """The Wilson 95 % intervals of both shares."""
        if isinstance(self.seen, Numbers):
            return f"{count(len(self.seen.old), 'number')} before, {len(self.seen.new)} now"
        old, new = rate(self.seen.old, self.seen.old_total), rate(self.seen.new, self.seen.new_total)
        return f"{old['low']:.0%}-{old['high']:.0%} before, {new['low']:.0%}-{new['high']:.0%} now (95 %)"

    @property
    def rose(self) -> bool:
        """Whether it is more frequent now, or larger."""
        if isinstance(self.seen, Numbers):
            return median(self.seen.new) >= median(self.seen.old)
        return self.seen.new * self.seen.old_total >= self.seen.old * self.seen.new_total

    def shown(self, clean: Callable[[str], str]) -> Shift:
        """The shift with every recorded value passed through `clean`."""
        key = self.key._replace(name=clean(self.key.name))
        became, also = clean(self.became), tuple(map(clean, self.also))
        return replace(self, key=key, outcome=clean(self.outcome), also=also, became=became)

    def as_json(self) -> dict[str, Any]:
        """The shift as an object of the JSON report."""
        seen: dict[str, Any]
        if isinstance(self.seen, Numbers):
            seen = {
                side: {"n": len(values), "median": median(values), "low": min(values), "high": max(values)}
                for side, values in (("old", self.seen.old), ("new", self.seen.new))
            }
        else:
            seen = {
                "old": rate(self.seen.old, self.seen.old_total),
                "new": rate(self.seen.new, self.seen.new_total),
            }
        return {
            "grade": str(self.grade),
            "side": "response",
            "topic": self.key.topic,
            "name": self.key.name,
            "scope": self.key.scope,
            "answer": self.key.place,
            "outcome": self.outcome,
            "message": self.message,
            "p": self.p,
            "pooled": self.pooled,
            "sure": self.sure,
            "cells": list(self.cells),
            "also": list(self.also),
            **seen,
        }


def _number(value: float) -> str:
    return f"{value:g}"


_TOPICS = {
    "header": "header {name}",
    "stop": "stop reason {outcome}",
    "id": "{name} id of the form {outcome}",
    "rule": "a finding of {outcome}",
    "status": "status {outcome}",
    "parts": "an answer of {outcome}",
    "fact": "{name} {outcome} in the text",
    "exchanges": "a run of {outcome} exchanges",
    "number": "{name}",
    "unusual": "{name}s unlike those of most recordings of the cell",
}
_EVENTS = {
    "": "an answer as {outcome}",
    "order": "in the stream, {outcome}",
    "stop": "the stop reason {outcome} in its event",
    "ids": "the id of a call {outcome} in its fragments",
    "last": "a last event {outcome}",
}
_CALLS = {"number": "{outcome} calls", "names": "calls of {outcome}", "order": "the order {outcome}"}


def subject(key: Key, outcome: str) -> str:
    """An observation in words."""
    name = _field(key.name)
    if key.topic in ("field", "argument"):
        return f"{key.topic} {name}: {outcome}"
    if key.topic == "header" and outcome not in ("present", "absent"):
        return f"header {name}: {outcome}"
    if key.topic == "header":
        return f"header {name} {outcome}"
    form = {"events": _EVENTS, "call": _CALLS}.get(key.topic, {}).get(key.name) or _TOPICS.get(key.topic)
    return (form or "{name}: {outcome}").format(name=name, outcome=outcome)


def _field(name: str) -> str:
    """The name of what is observed; that an event without a type has it is not worth a word."""
    return name.removeprefix("event/").strip("/") or "the body"


def best(shifts: Sequence[Shift]) -> Shift:
    """The most informative of several observations of one cause, with the grade of the worst.

    A field comes before the findings about it, and what it became before that it is gone.
    """
    head = min(shifts, key=_order)
    gone = [each for each in shifts if each.key.topic == "field" and each.outcome == "absent" and each.rose]
    new = [each for each in shifts if each.key.topic == "field" and each.outcome in TYPES and each.rose]
    pairs = ((one, other.key.name) for one in gone for other in new if _is_renamed(one.key.name, other.key.name))
    head, name = next(pairs, (head, ""))
    return replace(head, grade=max(each.grade for each in shifts), became=name)


def _is_renamed(old: str, new: str) -> bool:
    (around, _, was), (beside, _, name) = old.rpartition("/"), new.rpartition("/")
    return around == beside and was != name and similar(was, name)


def _order(each: Shift) -> tuple[object, ...]:
    return (
        each.grade is Grade.NOISE,
        each.key.topic == "rule",
        -each.grade,
        _ORDER.index(each.key.topic),
        len(each.key.name),
        each.outcome in ("absent", "none"),
        not each.rose,
        each.outcome not in ("present", *TYPES),
        each.outcome,
    )


_ORDER = (
    "status",
    "stop",
    "call",
    "parts",
    "argument",
    "unusual",
    "field",
    "header",
    "events",
    "id",
    "rule",
    "exchanges",
    "fact",
    "number",
)
