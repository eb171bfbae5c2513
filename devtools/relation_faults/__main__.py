"""The program of `python -m devtools.relation_faults`.

Each row of relations is broken in a few exchanges in every way that its form knows. The exchange itself is the twin:
where the row is not silent about it, no fault is planted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from conformance.judge.recorded import NotRecordedError
from conformance.judge.relations.rows import Relation, Row, rows
from conformance.judge.relations.scan import scan_of
from conformance.judge.rule import rules_of
from conformance.judge.view import View
from conformance.model.registry import all_dialects
from devtools.contract_silence import FILES
from devtools.relation_faults import exchange, references, steps  # noqa: F401 - each registers its ways
from devtools.relation_faults.planting import Planted, planted
from devtools.relation_faults.sites import faulty, sites

_EACH = 3
"""In so many exchanges each way is tried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the faults of a dialect: found and not, by row and way; and the rows without any."""

    found: Counter[tuple[str, str]]
    missed: dict[tuple[str, str], list[str]]
    untried: list[str]


def measured(dialect: str, *, files: Sequence[str] | None = None) -> Outcome:
    """Plants faults in the recordings of a dialect, or in some of them, then in the exchanges of its proofs."""
    known = {rule: each for rule, each in _rows_of(dialect) if rule in rules_of(dialect)}
    tried: Counter[tuple[str, str]] = Counter()
    outcome = Outcome(Counter(), defaultdict(list), [])
    for site in sites(dialect, FILES.get(dialect, ()) if files is None else files, known):
        view, before = site.judged()
        for rule, row in known.items():
            if rule in before or not row.is_about(view):
                continue
            for label, edits, makes in _wanted(row.relations, view, rule, tried):
                try:
                    broken, found = site.judged(faulty(view, edits))
                except ValueError:
                    continue
                if not all(map(scan_of(broken).first, makes)):
                    continue
                tried[rule, label] += 1
                if rule in found:
                    outcome.found[rule, label] += 1
                else:
                    outcome.missed[rule, label].append(f"{site.run[-1].source}: {edits[0]}")
    outcome.untried.extend(rule for rule in known if not any(each == rule for each, _ in tried))
    return outcome


def _rows_of(dialect: str) -> list[tuple[str, Row]]:
    rules_of(dialect)
    return list(rows().items())


def _wanted(relations: Sequence[Relation], view: View, rule: str, tried: Counter[tuple[str, str]]) -> Iterator[Planted]:
    seen: set[str] = set()
    for relation in relations:
        if view.endpoint is not None and not any(each.root == "exchange" for each in relation.places):
            continue  # such an endpoint shows what another exchange made
        with suppress(NotRecordedError):  # the lines of a process have no headers
            for each in planted(relation, view):
                if each.edits and each.label not in seen and tried[rule, each.label] < _EACH:
                    seen.add(each.label)
                    yield each


def main() -> int:
    """1 where less than 98 % of the faults are found."""
    parser = argparse.ArgumentParser(prog="python -m devtools.relation_faults", description=__doc__)
    parser.add_argument(
        "--dialect", action="append", choices=sorted(all_dialects()), help="only this one; may be given more than once"
    )
    chosen = parser.parse_args().dialect or sorted(all_dialects())
    found = missed = 0
    for dialect in chosen:
        outcome = measured(dialect)
        lost = {key: len(each) for key, each in outcome.missed.items()}
        found, missed = found + outcome.found.total(), missed + sum(lost.values())
        sys.stdout.write(f"{dialect}: {outcome.found.total()} found, {sum(lost.values())} missed\n")
        for rule, label in sorted({*outcome.found, *lost}):
            count, bad = outcome.found[rule, label], lost.get((rule, label), 0)
            sys.stdout.write(f"  {rule}: {label}: {count} of {count + bad}\n")
            sys.stdout.writelines(f"    {each}\n" for each in outcome.missed.get((rule, label), ()))
        sys.stdout.writelines(f"  {rule}: no recording has it\n" for rule in outcome.untried)
    share = found / (found + missed) if found + missed else 1.0
    sys.stdout.write(f"{found} of {found + missed} faults of relations found ({share:.1%})\n")
    return 0 if share >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
