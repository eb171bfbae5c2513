"""The report of a gateway: client dialect by upstream dialect by scenario, with what was lost."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from conformance.campaign.task import Key, Outcome, Task
from conformance.gateway.flow import GatewayOutcome, GatewayRun
from conformance.gateway.loss import Loss
from conformance.gateway.pairs import Pair
from conformance.model.expressible import NotExpressible
from conformance.model.finding import Severity

Grade = Literal["same", "lost", "error", "not offered", "not run"]
_GRADES = get_args(Grade)
_WIDTH = 80


@dataclass(frozen=True)
class Row:
    """One scenario of one pair. `runs` counts drivers and modes; `why` is the reason if none could be made.

    `offered` is whether none could be made for another reason than that the gateway cannot do it by design.

    `errors` are the rules by which the client's side has errors, beside what is lost.
    """

    pair: Pair
    scenario: str
    runs: Sequence[GatewayRun]
    why: str | None
    errors: Sequence[str] = ()
    offered: bool = True

    @property
    def losses(self) -> dict[tuple[str, str], list[Loss]]:
        """The losses by direction and name, the worst first."""
        found: dict[tuple[str, str], list[Loss]] = {}
        for run in self.runs:
            for loss in run.losses:
                found.setdefault((loss.direction, loss.name), []).append(loss)
        return dict(sorted(sorted(found.items()), key=lambda each: each[1][0].severity, reverse=True))

    def modes(self, direction: str, name: str) -> str:
        """In which mode a loss occurs, if it is one only."""
        lossy = {
            run.cell.mode
            for run in self.runs
            for loss in run.losses
            if (loss.direction, loss.name) == (direction, name)
        }
        every = {run.cell.mode for run in self.runs}
        return f" ({lossy.pop()})" if len(lossy) == 1 and len(every) > 1 else ""

    @property
    def grade(self) -> Grade:
        """Whether something was lost, or wrong for the client; what is only worth knowing is no loss."""
        if not self.runs:
            return "not run" if self.offered else "not offered"
        if any(loss[0].severity > Severity.INFO for loss in self.losses.values()):
            return "lost"
        return "error" if self.errors else "same"


def rows_of(
    tasks: Iterable[Task], pairs: Mapping[str, Pair], outcomes: Mapping[Key, Outcome], runs: Mapping[Key, GatewayRun]
) -> list[Row]:
    """The rows of the table: one for each pair and scenario that was planned."""
    planned: dict[tuple[str, str], list[Key]] = {}
    for task in tasks:
        planned.setdefault((task.cell.target, task.cell.scenario.id), []).append(task.key)
    rows = []
    for (target, scenario), keys in planned.items():
        beyond = {key: runs[key].beyond if key in runs else None for key in keys}
        refused = {key: _why_refused(outcomes.get(key), beyond[key]) for key in keys}
        made = [runs[key] for key, why in refused.items() if why is None]
        judged = [outcomes[key] for key, why in refused.items() if why is None]
        errors = {each.rule: None for one in judged for each in one.findings if each.severity is Severity.ERROR}
        why = None if made else refused[keys[-1]]
        rows.append(Row(pairs[target], scenario, made, why, tuple(errors), beyond[keys[-1]] is None))
    return rows


def _why_refused(outcome: Outcome | None, beyond: NotExpressible | None) -> str | None:
    """Why a task has no run to report, if it has none."""
    if outcome is None:
        return "stopped before"
    if outcome.refused is not None or not isinstance(outcome, GatewayOutcome):
        return outcome.refused or "internal error"
    return None if beyond is None else not_offered(beyond)


def not_offered(beyond: NotExpressible) -> str:
    """Why a gateway cannot do what a cell asks for."""
    return f"{beyond.subject} in {beyond.dialect}: {beyond.reason}"


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """The table as text, at most 80 columns wide where names allow it."""
    pairs = list(dict.fromkeys(row.pair.name for row in rows))
    yield f"{'client':20} {'upstream':20}{''.join(f'{grade:>{_wide(grade)}}' for grade in _GRADES)}"
    for name in pairs:
        own = [row for row in rows if row.pair.name == name]
        grades = [row.grade for row in own]
        counts = "".join(f"{grades.count(each):{_wide(each)}}" for each in _GRADES)
        yield f"{own[0].pair.client:20} {own[0].pair.upstream:20}{counts}"
    for name in pairs:
        yield from ("", *_pair([row for row in rows if row.pair.name == name]))
    yield from _not_expressible(rows)


def _wide(grade: Grade) -> int:
    """The width of a column: 80 in all, with the names of a pair."""
    return max(len(grade) + 1, 6)


def _pair(rows: Sequence[Row]) -> Iterator[str]:
    """The scenarios of a pair; those that lose the same stand together."""
    pair = rows[0].pair
    yield f"client {pair.client}, upstream {pair.upstream}"
    alike: dict[str, list[str]] = {}
    for row in rows:
        alike.setdefault(_summary(row), []).append(row.scenario)
    for summary, scenarios in alike.items():
        whole = len(scenarios) == len(rows) > 1
        title = "every scenario" if whole else ", ".join(scenarios)
        yield from _wrapped("  ", title)
        yield from _wrapped("      ", summary)


def _summary(row: Row) -> str:
    if row.why is not None:
        return f"{row.grade}: {row.why}"
    found = [f"{direction} {name}{row.modes(direction, name)}" for direction, name in row.losses]
    if row.errors:
        found.append(f"errors for the client: {', '.join(row.errors)}")
    return "; ".join(found) or "the same on both sides"


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
    for dialect, subject, reason in found:
        yield from textwrap.wrap(
            f"{dialect}, {subject}: {reason}", _WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def not_expressible(rows: Sequence[Row]) -> list[NotExpressible]:
    """What came up and has no form in the dialect where it would have arrived."""
    return sorted({found for row in rows for run in row.runs for found in run.not_expressible})


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
                "errors": list(row.errors),
                "runs": [
                    {
                        "driver": each.cell.driver.name,
                        "mode": each.cell.mode,
                        "requests": len(each.legs.steps),
                        "upstream_requests": len(each.legs.upstream),
                        "losses": [loss.as_json() for loss in each.losses],
                    }
                    for each in row.runs
                ],
            }
            for row in rows
        ],
        "not_expressible": [each._asdict() for each in not_expressible(rows)],
    }
