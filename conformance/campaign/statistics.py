"""Samples: models vary, so their behaviour is measured over several runs, as rates with intervals.

What a scenario expects of the model (which tool, which arguments, which answer) becomes a rate. Rules of the
wire stay rules: one that is broken in one run of many is broken.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from conformance.campaign.differences import differences
from conformance.judge.run_rules import is_about_model
from conformance.matrix.cells import Cell
from conformance.matrix.verdict import Verdict
from conformance.model.finding import Severity
from conformance.profiles import tool_schema

CHECKS: Mapping[str, str] = {
    "tool_selection": "the tools that the scenario expects were called, in that order, and no others",
    "argument_validity": "every call's arguments are valid under the schema that the tool declared",
    "argument_match": "every call's arguments are those that the scenario expects",
    "answer_correctness": "the final answer contains what the tools returned, as the scenario expects",
    "wire_conformance": "no finding of severity error",
    "success": "all of the above that apply",
}
MEANINGS: Mapping[str, str] = {
    **CHECKS,
    "precision": "share of the calls made that were expected",
    "recall": "share of the expected calls that were made",
    "specificity": "share of the runs without an expected call in which the model made no call",
}
"""What each rate means: the checks, and the rates of the tool calls."""
_CUT = ("length", "filter")
_Z = 1.959963984540054
"""The quantile of the normal distribution for 95 percent."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The measures of one run of one cell. A check that was not exercised is None.

    `made` counts the calls made that were expected (`hits`) and those that were not (`extra`), `missed` those that
    were expected and not made; by tool, whatever the order. `negative` is whether no call was expected.
    """

    checks: Mapping[str, bool | None]
    hits: int = 0
    extra: int = 0
    missed: int = 0
    negative: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def observe(cell: Cell, verdict: Verdict) -> Observation:
    """Measures one run from its transcript and findings."""
    scenario = cell.scenario
    calls = [call for turn in verdict.transcript if turn.stop not in _CUT for call in turn.calls]
    made = Counter(call.name or "" for call in calls)
    wanted = Counter(call.tool for call in scenario.expect.calls or ())
    judged = scenario.expect.calls is not None
    declared = {tool.name: tool for tool in scenario.tools}
    fitting = [
        isinstance(call.arguments, dict) and tool_schema.fits(call.arguments, declared[call.name].parameters or {})
        for call in calls
        if call.name in declared
    ]
    broken = {finding.rule for finding in verdict.findings}
    hard = any(each.severity is Severity.ERROR and not is_about_model(each.rule) for each in verdict.findings)
    answers = bool(scenario.expect.contains or scenario.expect.in_order)
    checks: dict[str, bool | None] = {
        "tool_selection": not broken & {"tool-call-unexpected", "expected-call-missing"} if judged else None,
        "argument_validity": all(fitting) if fitting else None,
        "argument_match": "arguments-unexpected" not in broken if judged and calls else None,
        "answer_correctness": not broken & {"answer-fact-missing", "final-answer-missing"} if answers else None,
        "wire_conformance": not hard,
    }
    checks["success"] = all(held is not False for held in checks.values())
    return Observation(
        checks=checks,
        hits=(made & wanted).total() if judged else 0,
        extra=(made - wanted).total() if judged else 0,
        missed=(wanted - made).total() if judged else 0,
        negative=judged and not wanted,
    )


def wilson(held: int, n: int) -> tuple[float, float]:
    """The 95 percent Wilson interval for `held` successes in n runs.

    Wilson, Probable Inference, the Law of Succession, and Statistical Inference, J. Am. Stat. Assoc. 22 (1927),
    209-212. It stays within 0 and 1, and has a width at 0 of n and n of n, where the usual interval is empty.
    """
    if n == 0:
        return 0.0, 1.0
    share, square = held / n, _Z * _Z
    center = (share + square / (2 * n)) / (1 + square / n)
    margin = _Z * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, center - margin), min(1.0, center + margin)


def rate(held: int, n: int) -> dict[str, Any]:
    """A rate with its interval; `value` is None if nothing was counted."""
    low, high = wilson(held, n)
    return {"held": held, "n": n, "value": held / n if n else None, "low": low, "high": high}


def measures(observations: Sequence[Observation]) -> dict[str, Any]:
    """The rates of the runs: one for each check, and precision, recall and F1 of the calls."""
    hits = sum(each.hits for each in observations)
    extra = sum(each.extra for each in observations)
    missed = sum(each.missed for each in observations)
    negatives = [each for each in observations if each.negative]
    counted = {name: [each.checks[name] for each in observations if each.checks[name] is not None] for name in CHECKS}
    return {
        "samples": len(observations),
        "checks": {name: rate(sum(map(bool, held)), len(held)) for name, held in counted.items()},
        "all_rules_kept": all(each.checks["wire_conformance"] for each in observations),
        "tool_calls": {
            "true_positives": hits,
            "false_positives": extra,
            "false_negatives": missed,
            "precision": rate(hits, hits + extra),
            "recall": rate(hits, hits + missed),
            "f1": 2 * hits / (2 * hits + extra + missed) if hits + extra + missed else None,
            "specificity": rate(sum(not each.extra for each in negatives), len(negatives)),
        },
    }


def statistics(
    observed: Iterable[tuple[Cell, Observation]], samples: int, models: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """The member `statistics` of the JSON report: for each target all its runs together, then cell by cell.

    `models` gives the model of each target and dialect.
    """
    by_target: dict[str, dict[str, tuple[Cell, list[Observation]]]] = {}
    for cell, observation in observed:
        by_target.setdefault(cell.target, {}).setdefault(cell.id, (cell, []))[1].append(observation)
    runs = {
        target: {(cell.scenario.id, cell.dialect, cell.driver.name, cell.mode): some for cell, some in cells.values()}
        for target, cells in by_target.items()
    }
    return {
        "samples": samples,
        "confidence": 0.95,
        "interval": "wilson",
        "targets": [
            {
                "target": target,
                "models": dict(models.get(target, {})),
                **measures([each for _, runs in cells.values() for each in runs]),
                "cells": [
                    {
                        "scenario": cell.scenario.id,
                        "dialect": cell.dialect,
                        "driver": cell.driver.name,
                        "stream": cell.stream,
                        **measures(runs),
                    }
                    for cell, runs in cells.values()
                ],
            }
            for target, cells in by_target.items()
        ],
        "differences": list(differences(runs, measures, wilson)),
    }
