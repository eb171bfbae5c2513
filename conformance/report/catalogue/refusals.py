"""Which statement a provider's refusal is about: `specs/refusals.yaml`, and how well its entries fit a text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from conformance.model.data_files import load_yaml
from conformance.report.catalogue.words import whole, words

FITS = 0.8
"""The share of a set's weight that a text must have. At most one word of little weight may be missing."""
_CODE = 5.0
"""The weight of an error code: about that of two rare words."""
_ELSEWHERE = 0.7
"""The factor for texts with signs of other dialects only."""

_Set = tuple[frozenset[str], ...]
"""Words of which all should be there; each is a choice of words that mean the same."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An entry of the file. `statements` is empty if no rule is about it; then `about` is its subject."""

    statements: tuple[str, ...]
    about: str
    sets: tuple[_Set, ...]
    codes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fit:
    """A refusal that fits a text. `score` grows with the number of words that agree, and with how rare they are."""

    refusal: Refusal
    score: float
    agreeing: tuple[str, ...]


@cache
def all_refusals() -> tuple[Refusal, ...]:
    """The entries of the file in their order."""
    return tuple(
        Refusal(
            tuple(entry.get("statements", ())),
            entry.get("about", ""),
            tuple(_set(line) for line in entry["words"]),
            frozenset(str(code) for code in entry.get("codes", ())),
        )
        for entry in load_yaml("refusals.yaml")["refusals"]
    )


def dialects_in(text: str) -> frozenset[str]:
    """The dialects that the text shows signs of, by its names of fields and its places."""
    signs: Mapping[str, list[str]] = load_yaml("refusals.yaml")["dialects"]
    return frozenset(name for name, patterns in signs.items() if any(re.search(each, text) for each in patterns))


def fitting(text: str, dialect_of: Mapping[str, str]) -> list[Fit]:
    """The refusals that fit a text, best first.

    Args:
        text: What a provider or a person reports as wrong.
        dialect_of: The dialect of each statement, by its number; a statement of every dialect is not in it.
    """
    signs = dialects_in(text)
    there = words(text) | {whole(name) for name in signs}
    plain = set(re.findall(r"[\w-]+", text))
    found: list[Fit] = []
    for refusal in all_refusals():
        score, agreeing = max((_weighed(each, there) for each in refusal.sets), default=(0.0, ()))
        codes = refusal.codes & plain
        score += _CODE * bool(codes and (score or refusal.about))  # one code serves many fields, so it needs words too
        at_home = {dialect_of[name] for name in refusal.statements if name in dialect_of}
        if signs and at_home and not at_home & signs:
            score *= _ELSEWHERE
        if score:
            found.append(Fit(refusal, score, (*agreeing, *sorted(codes))))
    return sorted(found, key=lambda fit: -fit.score)


def with_code(code: str) -> tuple[Refusal, ...]:
    """The refusals that a provider sends with this error code."""
    return tuple(refusal for refusal in all_refusals() if code in refusal.codes)


def _set(line: str) -> _Set:
    choices = (frozenset(whole(word) for word in place.split("|") if words(word)) for place in line.split())
    return tuple(dict.fromkeys(choice for choice in choices if choice))


def _weighed(wanted: _Set, there: frozenset[str]) -> tuple[float, tuple[str, ...]]:
    """The weight of the words that agree, and the words; nothing if there are too few."""
    agreeing = [choice for choice in wanted if choice & there]
    weight, whole_weight = sum(map(_weight, agreeing)), sum(map(_weight, wanted))
    if weight < FITS * whole_weight:
        return 0.0, ()
    # What fits wholly comes before a longer set of which a word is missing.
    return weight * (weight / whole_weight) ** 2, tuple(dict.fromkeys(min(choice & there) for choice in agreeing))


def _weight(choice: frozenset[str]) -> float:
    return math.log(1 + len(_counts()) / _counts()[choice])


@cache
def _counts() -> Counter[frozenset[str]]:
    """The number of sets with each choice: common ones have less weight."""
    return Counter(choice for refusal in all_refusals() for each in refusal.sets for choice in set(each))
