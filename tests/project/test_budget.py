"""Each test function has a budget of CPU time in `make test` and `make check`; `make full` runs everything."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from devtools.places import ROOT
from devtools.planted.tree import QUICK
from tests import budget
from tests.budget import chosen, known_costs

SIX = ["f[a]", "f[b]", "f[c]", "f[d]", "f[e]", "f[f]"]


@pytest.mark.parametrize(
    ("seconds", "budget", "kept"),
    [
        (6.0, 3.0, {"f[b]", "f[d]", "f[f]"}),
        (6.0, 1.0, {"f[d]"}),
        (6.0, 0.4, set()),
        (2.0, 3.0, set(SIX)),
    ],
)
def test_as_many_items_run_as_the_budget_allows_spread_evenly(seconds: float, budget: float, kept: set[str]) -> None:
    assert chosen(SIX, seconds, budget) == kept
    assert chosen(SIX[::-1], seconds, budget) == kept


def test_a_single_item_runs_up_to_twice_the_budget() -> None:
    assert chosen(["f"], 2.9, 1.5) == {"f"}
    assert chosen(["f"], 3.1, 1.5) == set()


def test_every_function_with_a_known_cost_exists() -> None:
    for name in known_costs():
        path, _, function = name.partition("::")
        assert f"def {function.rpartition('::')[2]}(" in (ROOT / path).read_text(encoding="utf-8"), name


def test_planted_faults_are_looked_for_by_what_make_test_chooses() -> None:
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"--budget ([\d.]+)", recipes)[0] == QUICK[-1]


def test_the_budget_leaves_items_out_and_counts_them(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_it="import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_f(n): pass\n")
    pytester.makeconftest("pytest_plugins = ['tests.budget']\n")
    monkeypatch.setattr(budget, "known_costs", lambda: {"test_it.py::test_f": 6.0})

    def run(*options: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "no:asyncio", "-p", "no:randomly", "-v", *options)

    result = run("--budget=3")
    result.assert_outcomes(passed=3, deselected=3)
    assert re.findall(r"test_f\[(\d)\] PASSED", result.stdout.str()) == ["1", "3", "5"]
    run("--budget=3", "-k", "test_f").assert_outcomes(passed=6)
    run().assert_outcomes(passed=6)


def test_what_a_sample_took_is_measured_with_its_share_of_what_was_left_out(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_it="import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_f(n): pass\n")
    pytester.makeconftest("pytest_plugins = ['tests.budget']\n")
    seconds = itertools.count()
    costs = pytester.path / "costs.json"
    monkeypatch.setattr(budget, "known_costs", lambda: {"test_it.py::test_f": 6.0, "test_it.py::test_gone": 9.0})
    monkeypatch.setattr(budget, "_cpu", lambda: float(next(seconds)))
    monkeypatch.setattr(budget, "COSTS", costs)
    pytester.runpytest_inprocess("-p", "no:asyncio", "-p", "no:randomly", "--measure", "--budget=2")
    assert json.loads(costs.read_text()) == {"test_it.py::test_f": 6.0, "test_it.py::test_gone": 9.0}
