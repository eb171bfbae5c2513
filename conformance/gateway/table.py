"""The report of a gateway: client dialect by upstream dialect by scenario, with what was lost."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.gateway.ledger import Loss
from conformance.gateway.pairs import Pair
from conformance.gateway.running import Crossed
from conformance.model.finding import Severity

Grade = Literal["same", "lost", "not run"]
_WIDTH = 80


@dataclass
class Row:
    """One scenario of one pair. `runs` counts drivers and modes; `why` is the reason if none could be made."""

    pair: Pair
    scenario: str
    runs: list[Crossed] = field(default_factory=list)
    why: str | None = None

    @property
    def losses(self) -> dict[tuple[str, str], list[Loss]]:
        """The losses by direction and name, the worst first."""
        found: dict[tuple[str, str], list[Loss]] = {}
        for crossed in self.runs:
            for loss in crossed.ledger.losses:
                found.setdefault((loss.direction, loss.name), []).append(loss)
        return dict(sorted(found.items(), key=lambda each: (-_rank(each[1][0].severity), each[0])))

    def modes(self, direction: str, name: str) -> str:
        """In which mode a loss occurs, if it is one only."""
        lossy = {
            crossed.cell.mode
            for crossed in self.runs
            for loss in crossed.ledger.losses
            if (loss.direction, loss.name) == (direction, name)
        }
        every = {crossed.cell.mode for crossed in self.runs}
        return f" ({lossy.pop()})" if len(lossy) == 1 and len(every) > 1 else ""

    @property
    def grade(self) -> Grade:
        """Whether something was lost; what is only worth knowing is no loss."""
        if not self.runs:
            return "not run"
        return "lost" if any(loss[0].severity > Severity.INFO for loss in self.losses.values()) else "same"


def _rank(severity: Severity) -> int:
    return [Severity.INFO, Severity.WARNING, Severity.ERROR].index(severity)


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """The table as text, at most 80 columns wide where names allow it."""
    pairs = list(dict.fromkeys(row.pair.name for row in rows))
    yield f"{'client':20} {'upstream':20} {'same':>5} {'lost':>5} {'not run':>8}"
    for name in pairs:
        own = [row for row in rows if row.pair.name == name]
        grades = [row.grade for row in own]
        counts = [grades.count(each) for each in ("same", "lost", "not run")]
        yield f"{own[0].pair.client:20} {own[0].pair.upstream:20} {counts[0]:5} {counts[1]:5} {counts[2]:8}"
    for name in pairs:
        yield from ("", *_pair([row for row in rows if row.pair.name == name]))
    yield from _not_expressible(rows)


def _pair(rows: Sequence[Row]) -> Iterator[str]:
    """The scenarios of a pair; those that lose the same stand together."""
    pair = rows[0].pair
    yield f"client {pair.client}, upstream {pair.upstream}"
    alike: dict[str, list[str]] = {}
    for row in rows:
        alike.setdefault(_told(row), []).append(row.scenario)
    for told, scenarios in alike.items():
        whole = len(scenarios) == len(rows) > 1
        title = "every scenario" if whole else ", ".join(scenarios)
        yield from _wrapped("  ", title)
        yield from _wrapped("      ", told)


def _told(row: Row) -> str:
    if row.why is not None:
        return f"not run: {row.why}"
    told = [f"{direction} {name}{row.modes(direction, name)}" for direction, name in row.losses]
    return "; ".join(told) or "the same on both sides"


def _wrapped(indent: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _not_expressible(rows: Sequence[Row]) -> Iterator[str]:
    found = not_expressible(rows)
    if not found:
        return
    yield from ("", "Not expressible, and so no loss:")
    for (dialect, subject), reason in found.items():
        yield from textwrap.wrap(
            f"{dialect}, {subject}: {reason}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def not_expressible(rows: Sequence[Row]) -> Mapping[tuple[str, str], str]:
    """What came up and has no form in the dialect where it would have arrived: dialect, subject, and the reason."""
    found = {key: why for row in rows for each in row.runs for key, why in each.ledger.not_expressible.items()}
    return dict(sorted(found.items()))


def as_json(rows: Sequence[Row]) -> dict[str, Any]:
    """The member `gateway` of the JSON report."""
    return {
        "rows": [
            {
                "client": row.pair.client,
                "upstream": row.pair.upstream,
                "model": row.pair.model,
                "scenario": row.scenario,
                "grade": row.grade,
                "reason": row.why,
                "runs": [
                    {
                        "driver": each.cell.driver.name,
                        "mode": each.cell.mode,
                        "requests": len(each.run.steps),
                        "upstream_requests": len(each.run.upstream),
                        "losses": [loss.as_json() for loss in each.ledger.losses],
                    }
                    for each in row.runs
                ],
            }
            for row in rows
        ],
        "not_expressible": [
            {"dialect": dialect, "subject": subject, "reason": why}
            for (dialect, subject), why in not_expressible(rows).items()
        ],
    }
