"""Mutants that are not faults, as data in `specs/mutants.yaml`: what the contract allows, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from conformance.model.data_files import load_yaml
from devtools.mutants.trial import Outcome

Kind = tuple[str, str, str, str]
_PARTLY = "?"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one operator may do at one kind of place. In the place, `*` matches one step of a pointer or a part of
    it, `**` any number of steps, and `|` separates alternative steps.

    `partly`: in some exchanges another part shows the fault, so that a rule catches it. Then the entry only excuses
    what escapes. In recordings of others every entry is treated like that; `foreign` entries apply only there.
    """

    dialects: tuple[str, ...]
    sides: tuple[str, ...]
    place: str
    operator: str
    partly: bool
    reason: str
    foreign: bool = False

    def means(self, kind: Kind) -> bool:
        """Whether the entry applies to mutants of a kind (dialect, operator, side, place)."""
        dialect, operator, side, place = kind
        here = operator == self.operator and dialect in self.dialects and (not self.sides or side in self.sides)
        return here and fits(place, self.place)

    def __str__(self) -> str:
        return f"{self.operator} at {self.place} in {', '.join(self.dialects)} ({self.reason})"


def fits(place: str, wanted: str) -> bool:
    """Whether a mutant's place matches the pattern."""
    return _fits(tuple(place.split("/")), tuple(wanted.split("/")))


def _fits(steps: Sequence[str], wanted: Sequence[str]) -> bool:
    if not wanted:
        return not steps
    if wanted[0] == "**":
        return any(_fits(steps[number:], wanted[1:]) for number in range(len(steps) + 1))
    if not steps:
        return False
    here = any(fnmatchcase(steps[0], each.replace("[", "[[]")) for each in wanted[0].split("|"))
    return here and _fits(steps[1:], wanted[1:])


@cache
def all_allowances() -> tuple[Allowance, ...]:
    """The entries of the lists, one for each operator and place."""
    data = load_yaml("mutants.yaml")
    return tuple(each for name in ("equivalent", "foreign") for entry in data[name] for each in _read(entry, name))


def _read(entry: Mapping[str, Any], name: str) -> Iterator[Allowance]:
    for place, operators in entry["free"].items():
        for operator in operators:
            yield Allowance(
                dialects=tuple(entry["dialects"]),
                sides=tuple(entry.get("sides") or ()),
                place=place,
                operator=operator.removesuffix(_PARTLY),
                partly=operator.endswith(_PARTLY),
                reason=entry["reason"],
                foreign=name == "foreign",
            )


@cache
def allowances_of(kind: Kind) -> tuple[int, ...]:
    """The numbers of the entries that apply to a kind of mutants."""
    return tuple(number for number, each in enumerate(all_allowances()) if each.means(kind))


@dataclass
class Ledger:
    """The outcomes of the mutants that the list covers, to find entries that are out of date."""

    caught: Counter[Kind] = field(default_factory=Counter)
    excused: Counter[Kind] = field(default_factory=Counter)
    samples: dict[Kind, Outcome] = field(default_factory=dict)
    abroad: Counter[Kind] = field(default_factory=Counter)

    def excuses(self, outcome: Outcome) -> bool:
        """Whether the list excuses a mutant: it escaped, and an entry allows it.

        A recording of others cannot disprove an entry: it may contain what the entry does not consider.
        """
        kind = (outcome.dialect, outcome.operator, outcome.side, outcome.pattern)
        if not outcome.ours:
            found = bool(allowances_of(kind)) and not outcome.caught
            self.abroad.update([kind] if found and not outcome.free else [])
            return found
        if all(all_allowances()[number].foreign for number in allowances_of(kind)):
            return False
        if outcome.caught:
            self.caught[kind] += 1
            self.samples.setdefault(kind, outcome)
        elif not outcome.free:
            self.excused[kind] += 1
        return not outcome.caught

    def unused_abroad(self) -> Iterator[str]:
        """The entries about recordings of others that excuse no mutant of them."""
        used = {number for kind in self.abroad for number in allowances_of(kind)}
        for number, each in enumerate(all_allowances()):
            if each.foreign and number not in used:
                yield f"excuses nothing: {each}"

    def stale(self, dialects: Iterable[str], *, whole: bool) -> Iterator[str]:
        """The entries that are out of date: they excuse what is caught, or (in a whole run) nothing at all.

        In a whole run, a `partly` entry is also out of date if its mutants are never caught.
        """
        judged = set(dialects)
        kinds: dict[int, list[Kind]] = {}
        for kind in sorted({*self.caught, *self.excused}):
            for number in allowances_of(kind):
                kinds.setdefault(number, []).append(kind)
        for number, each in enumerate(all_allowances()):
            if each.foreign:
                continue
            mine = kinds.get(number, [])
            for kind in mine:
                if self.caught[kind] and not each.partly:
                    sample = self.samples[kind]
                    yield f"{', '.join(sample.rules)} catches {' '.join(kind)} in {sample.subject}, excused by: {each}"
            if not whole or not judged.issuperset(each.dialects):
                continue
            if not any(self.excused[kind] for kind in mine):
                yield f"excuses nothing: {each}"
            elif each.partly and not any(self.caught[kind] for kind in mine):
                yield f"always excuses, remove its `?`: {each}"
