"""The judgements of two trees, held against each other. Pure: no file, no process."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from devtools.same import renames
from devtools.same.dump import DETAILS
from devtools.same.renames import SEVERITIES

Key = TypeVar("Key")


class Place(NamedTuple):
    source: str
    exchange: int | None = None
    side: str | None = None
    pointer: str | None = None


class Found(NamedTuple):
    """What must not change of a finding."""

    place: Place
    rule: str
    severity: str


class Count(NamedTuple):
    """Something that is counted of an exchange: that it was read, that no dialect claims it, …"""

    part: str
    what: str
    source: str


@dataclass
class Judgement:
    """What one tree made of all inputs. `details` are the other fields of the findings, by place and rule."""

    found: Counter[Found] = field(default_factory=Counter)
    counts: Counter[Count] = field(default_factory=Counter)
    harness_errors: Counter[str] = field(default_factory=Counter)
    details: dict[tuple[Place, str], list[Mapping[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[Mapping[str, Any]]) -> Judgement:
        """From the objects that `dump.judge` yields."""
        made = cls()
        for line in lines:
            for what, count in line["counts"].items():
                made.counts[Count(line["part"], what, line["source"])] += count
            made.harness_errors.update(line["harness_errors"])
            for each in line["findings"]:
                place = Place(each["source"], each["exchange"], each["side"], each["pointer"])
                made.found[Found(place, each["rule"], each["severity"])] += 1
                made.details.setdefault((place, each["rule"]), []).append(each)
        return made

    def totals(self) -> dict[str, Counter[str]]:
        """What was counted in each part, in the order in which the parts were judged."""
        totals: dict[str, Counter[str]] = {}
        for count, number in self.counts.items():
            totals.setdefault(count.part, Counter())[count.what] += number
        return totals


class Change(NamedTuple):
    """A detail of one rule's findings that reads differently now."""

    rule: str
    old: str | None
    new: str | None


@dataclass
class Comparison:
    """All differences; those in `details` are no difference of judgement.

    A finding that only changed its severity is in `severities` with its new one, and neither vanished nor appeared.
    `collapsed` counts findings that merged rules made at a place where another one of them made one too.
    """

    vanished: Counter[Found] = field(default_factory=Counter)
    appeared: Counter[Found] = field(default_factory=Counter)
    severities: Counter[tuple[Found, str]] = field(default_factory=Counter)
    counts: dict[Count, tuple[int, int]] = field(default_factory=dict)
    harness_errors: dict[str, tuple[int, int]] = field(default_factory=dict)
    details: dict[str, Counter[Change]] = field(default_factory=dict)
    collapsed: int = 0

    @property
    def same(self) -> bool:
        """Whether no judgement changed."""
        return not (self.vanished or self.appeared or self.severities or self.counts or self.harness_errors)


def compare(old: Judgement, new: Judgement, mapping: renames.Mapping) -> Comparison:
    """The differences between what the two trees found, once the older one's findings have the newer one's ids."""
    due = expected(old.found, mapping)
    result = Comparison(vanished=due - new.found, appeared=new.found - due, collapsed=old.found.total() - due.total())
    _pair_severities(result)
    errors = Counter({_reworded(text, mapping): count for text, count in old.harness_errors.items()})
    result.harness_errors = _unequal(errors, new.harness_errors)
    result.counts = _unequal(old.counts, new.counts)
    result.details = _details(old, new, mapping)
    return result


def expected(found: Counter[Found], mapping: renames.Mapping) -> Counter[Found]:
    """What the newer tree has to find.

    Where several merged rules fired at one place, they count as one rule that fired as often as the one of them that
    fired most, with the highest severities. A finding that only one of them made stays as it is.
    """
    due: Counter[Found] = Counter()
    merged: dict[tuple[Place, str], dict[str, list[str]]] = {}
    for each, count in found.items():
        rule, severity = mapping.finding(each.rule, each.severity)
        if rule in mapping.merged:
            merged.setdefault((each.place, rule), {}).setdefault(each.rule, []).extend([severity] * count)
        else:
            due[Found(each.place, rule, severity)] += count
    for (place, rule), members in merged.items():
        ranked = [sorted(severities, key=SEVERITIES.index, reverse=True) for severities in members.values()]
        for row in zip_longest(*ranked, fillvalue=SEVERITIES[0]):
            due[Found(place, rule, max(row, key=SEVERITIES.index))] += 1
    return due


def _pair_severities(result: Comparison) -> None:
    """Takes what vanished and appeared at one place under one id as one finding whose severity changed."""
    appeared: dict[tuple[Place, str], list[Found]] = {}
    for each in result.appeared.elements():
        appeared.setdefault((each.place, each.rule), []).append(each)
    for each in list(result.vanished.elements()):
        partners = appeared.get((each.place, each.rule))
        if partners:
            other = partners.pop(0)
            result.severities[each, other.severity] += 1
            result.vanished[each] -= 1
            result.appeared[other] -= 1
    result.vanished, result.appeared = +result.vanished, +result.appeared


def _unequal(old: Counter[Key], new: Counter[Key]) -> dict[Key, tuple[int, int]]:
    return {key: (old[key], new[key]) for key in {**old, **new} if old[key] != new[key]}


def _reworded(text: str, mapping: renames.Mapping) -> str:
    """A harness error with the rule's new id in it."""
    return re.sub(r"[\w-]+", lambda word: mapping.rule(word[0]), text)


def _details(old: Judgement, new: Judgement, mapping: renames.Mapping) -> dict[str, Counter[Change]]:
    """The details of findings that both trees made, where the newer one words them differently."""
    before: dict[tuple[Place, str], list[Mapping[str, Any]]] = {}
    for (place, rule), findings in old.details.items():
        before.setdefault((place, mapping.rule(rule)), []).extend(findings)
    changes: dict[str, Counter[Change]] = {name: Counter() for name in DETAILS}
    for key, findings in before.items():
        for name in DETAILS if key in new.details else ():
            changes[name].update(_changes(key[1], name, findings, new.details[key]))
    return changes


def _changes(
    rule: str, name: str, old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]
) -> Iterator[Change]:
    was, now = Counter(each[name] for each in old), Counter(each[name] for each in new)
    if was == now:
        return
    gone, come = sorted((was - now).elements(), key=str), sorted((now - was).elements(), key=str)
    yield from (Change(rule, *pair) for pair in zip_longest(gone[: len(come)], come))
