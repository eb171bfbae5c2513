"""`python -m devtools.planted`: every fault changes the code, and the likeliest tests run first."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import yaml
from coverage import CoverageData

from devtools.places import ROOT
from devtools.planted import equivalent
from devtools.planted.__main__ import drawn
from devtools.planted.equivalent import Equivalents
from devtools.planted.faults import faults_of, files
from devtools.planted.reached import Lines, Reached, function_of, in_turns, reached
from devtools.planted.tree import MATRIX, Tree, changed

CODE = '''"""A module."""

LIMIT = 3


def rule(values: list[str], *, strict: bool = True) -> "Iterator[str]":
    """What is wrong."""
    for value in [each for each in values if each]:
        if value == "ä" and len(value) < 2:
            yield f"{value} is wrong"
    yield from ("end",)
'''


def test_each_kind_of_fault_is_made_and_none_in_what_changes_nothing() -> None:
    made = {(fault.kind, fault.old, fault.new) for fault in faults_of("x.py", CODE)}
    assert made == {
        ("condition negated", "each", "(not (each))"),
        ("condition negated", "value == 'ä' and len(value) < 2", "(not (value == 'ä' and len(value) < 2))"),
        ("comparison swapped", "value == 'ä'", "(value != 'ä')"),
        ("comparison swapped", "len(value) < 2", "(len(value) <= 2)"),
        ("off by one", "2", "(3)"),
        ("constant changed", "'ä'", "'äx'"),
        ("constant changed", "'end'", "'endx'"),
        ("yield dropped", "(yield f'{value} is wrong')", "(yield from ())"),
        ("yield dropped", "(yield from ('end',))", "(yield from ())"),
    }
    for fault in faults_of("x.py", CODE):
        assert ast.dump(ast.parse(fault.planted(CODE))) != ast.dump(ast.parse(CODE)), str(fault)


FOLDING = "conformance/judge/folding.py"
ALL_LINES = frozenset(range(1, 200))


def test_a_seed_draws_the_same_faults_of_lines_that_tests_reach() -> None:
    assert FOLDING in files(ROOT)
    lines = Reached({FOLDING: Lines({"tests/x.py::test": ALL_LINES})}, {"tests/x.py::test": 1.0})
    none = Equivalents([])
    faults = drawn(ROOT, lines, 5, 26, none)
    assert len(faults) == 5
    assert {fault.path for fault in faults} == {FOLDING}
    assert drawn(ROOT, lines, 5, 26, none) == faults != drawn(ROOT, lines, 5, 27, none)
    assert drawn(ROOT, Reached({}, {}), 5, 26, none) == []


def test_another_fault_is_drawn_instead_of_one_that_changes_nothing() -> None:
    lines = Reached({FOLDING: Lines({"tests/x.py::test": ALL_LINES})}, {"tests/x.py::test": 1.0})
    first, *others = drawn(ROOT, lines, 6, 26, Equivalents([]))
    named = {"path": first.path, "line": first.line, "kind": first.kind, "old": first.old}
    assert drawn(ROOT, lines, 5, 26, Equivalents([named])) == others


LISTED = yaml.safe_load(Path(equivalent.__file__).with_name("equivalent.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("listed", LISTED, ids=lambda each: f"{each['path']}: {each['line']}")
def test_what_is_listed_as_changing_nothing_is_a_fault_with_a_reason(listed: dict[str, str]) -> None:
    text = (ROOT / listed["path"]).read_text(encoding="utf-8")
    assert [each for each in faults_of(listed["path"], text) if each in Equivalents([listed])]
    assert listed["because"]


def test_the_most_specific_and_fastest_items_come_first_and_one_of_each_function() -> None:
    def lines(count: int) -> frozenset[int]:
        return frozenset(range(count))

    items = {
        "tests/a.py::wide": lines(100),
        "tests/a.py::slow": lines(10),
        "tests/a.py::narrow[1]": lines(10),
        "tests/a.py::narrow[2]": lines(11),
        "tests/a.py::elsewhere": frozenset({500}),
    }
    seconds = {**dict.fromkeys(items, 0.1), "tests/a.py::slow": 0.5}
    found = Reached({"x.py": Lines(items)}, seconds).items("x.py", 3)
    assert found == ["tests/a.py::narrow[1]", "tests/a.py::slow", "tests/a.py::wide", "tests/a.py::narrow[2]"]


def test_what_a_fixture_reaches_all_items_of_its_file_reach() -> None:
    items = {
        "tests/a.py::first": frozenset({1, 2}),
        "tests/a.py::second": frozenset({1}),
        "tests/b.py::other": ALL_LINES,
    }
    fixtures = {"tests/a.py": frozenset({2})}
    found = Reached({"x.py": Lines(items, fixtures)}, dict.fromkeys(items, 1.0)).items("x.py", 2)
    assert set(found) == items.keys()
    without = Reached({"x.py": Lines(items)}, dict.fromkeys(items, 1.0)).items("x.py", 2)
    assert set(without) == items.keys() - {"tests/a.py::second"}


def test_items_take_turns() -> None:
    assert in_turns(["a.py::b[1]", "a.py::b[2]", "a.py::c"]) == ["a.py::b[1]", "a.py::c", "a.py::b[2]"]


def test_a_coverage_file_is_read_by_item(tmp_path: Path) -> None:
    data = CoverageData(str(tmp_path / "coverage"))
    for context, lines in {"t.py::a|setup": [1], "t.py::a|run": [2, 3], "t.py::failed|run": [4], "": [5]}.items():
        data.set_context(context)
        data.add_lines({"/copy/conformance/judge/view.py": lines})
    data.write()
    (tmp_path / "coverage.json").write_text(
        json.dumps({"seconds": {"t.py::a": 0.5}, "full": ["t.py::a", "::b"]}), encoding="utf-8"
    )
    found = reached(Tree.__new__(Tree), tmp_path / "coverage")
    assert found.lines("conformance/judge/view.py") == {1, 2, 3}
    assert found.items("conformance/judge/view.py", 3) == ["t.py::a"]
    assert found.full == {"t.py::a": ["t.py::a"], MATRIX: ["::b"]}


SUITE = """
import pytest, time

@pytest.mark.parametrize("number", range(4))
def test_of(number):
    assert number != 2

def test_slow():
    time.sleep(60)
"""


@pytest.mark.parametrize(
    ("chosen", "failed", "passed"),
    [
        (["test_of[3]", "test_of[2]", "test_of[0]"], "test_of[2]", 1),
        (["test_of[3]", "test_of[0]"], None, 2),
    ],
)
def test_chosen_items_run_in_their_order_up_to_the_first_that_fails(
    chosen: list[str], failed: str | None, passed: int, pytester: pytest.Pytester
) -> None:
    assert outcome(pytester, chosen, budget=60) == {"failed": failed and f"test_suite.py::{failed}", "passed": passed}


def test_no_item_runs_when_the_budget_is_spent(pytester: pytest.Pytester) -> None:
    assert outcome(pytester, ["test_of[3]", "test_of[0]"], budget=0) == {"failed": None, "passed": 1}


@pytest.mark.process
def test_an_item_that_hangs_has_failed(pytester: pytest.Pytester) -> None:
    found = outcome(pytester, ["test_slow", "test_of[0]"], budget=60, limit=0.2, inprocess=False)
    assert found == {"failed": "test_suite.py::test_slow (takes too long)", "passed": 0}


def outcome(
    pytester: pytest.Pytester, items: list[str], *, budget: float, limit: float = 60, inprocess: bool = True
) -> object:
    """What the plugin writes about items of the small suite."""
    pytester.makepyfile(test_suite=SUITE)
    limits = {f"test_suite.py::{item}": limit for item in items}
    chosen = pytester.path / "chosen.json"
    chosen.write_text(json.dumps({"limits": limits, "budget": budget}), encoding="utf-8")
    options = (
        "-x",
        "-p",
        "no:randomly",
        "-p",
        "no:xdist",
        "-p",
        "no:asyncio",
        "-p",
        "devtools.planted.chosen",
        f"--chosen={chosen}",
    )
    run = pytester.runpytest_inprocess if inprocess else pytester.runpytest_subprocess
    run(*options)
    return json.loads((pytester.path / "outcome.json").read_text(encoding="utf-8"))


def test_a_file_is_put_back_whatever_happens(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_bytes(b"one\r\n")

    def interrupted() -> None:
        with changed(file, "two"):
            assert file.read_text(encoding="utf-8") == "two"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_bytes() == b"one\r\n"


def test_an_item_is_named_as_the_function_that_runs_it() -> None:
    assert function_of("tests/a/test_b.py::TestC::test_d[e::f]") == "tests/a/test_b.py::TestC::test_d"
    assert function_of("::conformance::weather-gemini-google-genai-sync") == MATRIX
