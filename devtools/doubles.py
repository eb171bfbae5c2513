"""Rules that find something at the same place: `python -m devtools.doubles` lists them.

Every violating example of every rule is judged. Two rules that have a finding at one place (exchange, side, pointer) of
one example are a double finding. Either the example shows two faults, and should show one; or the two rules say the
same, and should be one; or there is a reason for both, in `specs/consequences.yaml`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

import yaml

from conformance.judge.rule import Rule, all_rules
from conformance.model.registry import all_dialects
from devtools.places import ROOT
from tests.judged import judged

if TYPE_CHECKING:
    from conformance.model.finding import Finding

FILE = ROOT / "specs" / "consequences.yaml"
KINDS = ("consequence", "two views", "contract")
_ALIKE = 0.6
"""The share of common words from which on two statements are listed as alike."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Double:
    """Two findings of one example at one place."""

    example: str
    findings: tuple[Finding, Finding]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two rules may find something at one place. The first one finds the fault, the second what follows from it."""

    rules: Pair
    kind: str
    reason: str

    @property
    def pair(self) -> Pair:
        return pair_of(*self.rules)


def pair_of(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


@cache
def reasons() -> tuple[Reason, ...]:
    entries = yaml.safe_load(FILE.read_text(encoding="utf-8"))["reasons"]
    return tuple(Reason(tuple(each["rules"]), each["kind"], each["reason"]) for each in entries)


@cache
def doubles() -> Mapping[Pair, Sequence[Double]]:
    """The double findings of all violating examples, by the two rules."""
    found: dict[Pair, list[Double]] = {}
    for rule in all_rules().values():
        for number, findings_of_one in enumerate(judged(rule.id)):
            for findings in _by_place(findings_of_one):
                for one, other in combinations(findings, 2):
                    made = Double(f"{rule.id} {number}", (one, other))
                    found.setdefault(pair_of(one.rule, other.rule), []).append(made)
    return dict(sorted(found.items()))


def _by_place(findings: Sequence[Finding]) -> Iterator[list[Finding]]:
    """The findings of each place, the first of each rule."""
    places: dict[tuple[int | None, str | None, str | None], dict[str, Finding]] = {}
    for each in findings:
        places.setdefault((each.exchange, each.side, each.pointer), {}).setdefault(each.rule, each)
    return (list(rules.values()) for rules in places.values())


def alike(least: float = _ALIKE) -> Iterator[tuple[Rule, Rule, float]]:
    """Pairs of rules about one dialect and scope whose statements share that many of their words."""
    words = {each.id: frozenset(re.findall(r"\w+", each.statement.lower())) for each in all_rules().values()}
    for one, other in combinations(all_rules().values(), 2):
        common = words[one.id] & words[other.id]
        share = len(common) / len(words[one.id] | words[other.id])
        if share >= least and one.scope == other.scope and any(map(_both(one, other), all_dialects())):
            yield one, other, share


def _both(one: Rule, other: Rule):  # type: ignore[no-untyped-def]  # noqa: ANN202
    return lambda dialect: one.judges(dialect) and other.judges(dialect)


def lines() -> Iterator[str]:
    """The double findings, each pair of rules with its reason, and the statements that are alike."""
    known = {each.pair: each for each in reasons()}
    for pair, found in doubles().items():
        why = known.get(pair)
        yield f"{' + '.join(why.rules if why else pair)}: {f'{why.kind}: {why.reason}' if why else 'NO REASON'}"
        for each in found:
            yield f"  {each.example}, at {each.findings[0].side} {each.findings[0].pointer or ''}".rstrip()
            yield from (f"    {one.severity.name.lower()} {one.rule}: {one.message}" for one in each.findings)
    yield from (f"alike ({share:.0%}): {one.id} + {other.id}" for one, other, share in alike())
    examples = {each.example for found in doubles().values() for each in found}
    total = sum(len(each.violating) for each in all_rules().values())
    kinds = Counter(each.kind for each in reasons())
    yield f"{len(examples)} of {total:,} violating examples have double findings; {len(doubles())} pairs of rules"
    yield ", ".join(f"{kind}: {count}" for kind, count in kinds.most_common())


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
