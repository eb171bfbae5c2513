"""Rates of two targets compared."""

import json
from typing import Any

import jsonschema
import pytest

from conformance.campaign.differences import differences, newcombe
from conformance.campaign.statistics import CHECKS, Observation, measures, wilson
from devtools.places import ROOT

SCHEMA = json.loads((ROOT / "specs" / "report.schema.json").read_text("utf-8"))
PUBLISHED = [
    ((56, 70), (48, 80), 0.0524, 0.3339),
    ((9, 10), (3, 10), 0.1705, 0.8090),
    ((6, 7), (2, 7), 0.0582, 0.8062),
    ((5, 56), (0, 29), -0.0381, 0.1926),
    ((0, 10), (0, 20), -0.1611, 0.2775),
    ((0, 10), (0, 10), -0.2775, 0.2775),
    ((10, 10), (0, 20), 0.6791, 1.0),
    ((10, 10), (0, 10), 0.6075, 1.0),
]
"""The examples of Newcombe (1998), table II, method 10: both rates, and the interval of their difference."""


@pytest.mark.parametrize(("one", "other", "low", "high"), PUBLISHED)
def test_the_interval_of_a_difference_is_the_published_one(
    one: tuple[int, int], other: tuple[int, int], low: float, high: float
) -> None:
    assert newcombe(one, other, wilson) == pytest.approx((low, high), abs=0.00005)
    turned = newcombe(other, one, wilson)
    assert turned == pytest.approx((-high, -low), abs=0.00005)


def run(*, success: bool) -> Observation:
    return Observation(
        {**dict.fromkeys(CHECKS), "wire_conformance": True, "success": success},
        hits=int(success),
        missed=int(not success),
    )


def compared(runs: dict[str, Any]) -> list[dict[str, Any]]:
    return list(differences(runs, measures, wilson))


def test_two_targets_are_compared_over_the_cells_that_both_ran() -> None:
    weather, talk = ("weather", "openai-chat", "openai", "sync"), ("talk", "openai-chat", "openai", "sync")
    good, bad = [run(success=True)] * 10, [run(success=False)] * 10
    [pair] = compared({"a": {weather: good, talk: bad}, "b": {weather: bad[:7] + good[:3]}})
    assert (pair["first"], pair["second"], pair["over"], pair["shared"]) == ("a", "b", "cells", 1)
    success = pair["measures"]["success"]
    assert (success["first"], success["second"]) == ({"held": 10, "n": 10}, {"held": 3, "n": 10})
    assert success["value"] == pytest.approx(0.7)
    assert 0 < success["low"] < 0.7 < success["high"] <= 1
    assert pair["measures"]["recall"]["value"] == pytest.approx(0.7)
    assert pair["measures"]["tool_selection"] == {
        "value": None, "low": -1.0, "high": 1.0, "first": {"held": 0, "n": 0}, "second": {"held": 0, "n": 0},
    }  # fmt: skip
    jsonschema.validate(
        [pair], {**SCHEMA["$defs"]["statistics"]["properties"]["differences"], "$defs": SCHEMA["$defs"]}
    )


def test_targets_of_different_dialects_are_compared_over_their_scenarios() -> None:
    runs = [run(success=True)]
    one = {("weather", "openai-chat", "openai", "sync"): runs, ("weather", "openai-chat", "openai", "stream"): runs}
    [pair] = compared({"a": one, "b": {("weather", "gemini", "google-genai", "sync"): runs}})
    assert (pair["over"], pair["shared"]) == ("scenarios", 1)
    assert pair["measures"]["success"]["first"]["n"] == 2


def test_targets_with_nothing_in_common_are_not_compared() -> None:
    runs = [run(success=True)]
    assert (
        compared({"a": {("weather", "gemini", "x", "sync"): runs}, "b": {("talk", "gemini", "x", "sync"): runs}}) == []
    )


def test_three_targets_make_three_pairs() -> None:
    cells = {("weather", "gemini", "x", "sync"): [run(success=True)]}
    assert [(each["first"], each["second"]) for each in compared({"a": cells, "b": cells, "c": cells})] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
