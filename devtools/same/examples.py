"""The examples of two trees, held against each other: what they show is free to change, and is listed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devtools.same import renames


@dataclass
class Examples:
    """The bases of a tree by name, each as text, and the number of examples by rule and kind."""

    bases: dict[str, str] = field(default_factory=dict)
    numbers: Counter[tuple[str, str]] = field(default_factory=Counter)

    @classmethod
    def of(cls, records: Iterable[Mapping[str, Any]]) -> Examples:
        """From the records that `dump.examples` yields."""
        made = cls()
        seen = set()
        for record in records:
            kind, name = record["kind"], record["name"]
            if kind == "base":
                made.bases[name] = made.bases.get(name, "") + json.dumps(record)
            elif kind in ("conforming", "violating") and (kind, name, record["number"]) not in seen:
                seen.add((kind, name, record["number"]))
                made.numbers[name, kind] += 1
        return made

    @property
    def rules(self) -> set[str]:
        return {rule for rule, _ in self.numbers}


def differences(old: Examples, new: Examples, mapping: renames.Mapping) -> Iterator[tuple[str, Sequence[str]]]:
    """What differs, each with the names or rules of which it is true."""
    shared = old.bases.keys() & new.bases.keys()
    yield "bases with different bytes", sorted(name for name in shared if old.bases[name] != new.bases[name])
    yield "removed bases", sorted(old.bases.keys() - new.bases.keys())
    yield "new bases", sorted(new.bases.keys() - old.bases.keys())
    numbers: Counter[tuple[str, str]] = Counter()
    for (rule, kind), number in old.numbers.items():
        numbers[mapping.rule(rule), kind] += number
    rules = {rule for rule, _ in numbers}
    yield "removed rules", sorted(rules - new.rules)
    yield "new rules", sorted(new.rules - rules)
    both = sorted(key for key in {*numbers, *new.numbers} if key[0] in rules & new.rules)
    other = [key for key in both if numbers[key] != new.numbers[key]]
    yield (
        "rules with a different number of examples",
        [f"{rule} ({kind}: {numbers[rule, kind]}, now {new.numbers[rule, kind]})" for rule, kind in other],
    )
