"""`python -m devtools.planted`: every fault changes the code, a run draws the same ones, and the file is put back."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from devtools.places import ROOT
from devtools.planted.__main__ import drawn
from devtools.planted.faults import faults_of, files
from devtools.planted.reached import test_of as function_of
from devtools.planted.tree import MATRIX, changed

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


def test_a_seed_draws_the_same_faults_of_lines_that_tests_reach() -> None:
    [path] = [each for each in files(ROOT) if each == "conformance/judge/folding.py"]
    lines = {path: {line: frozenset({"tests/x.py::test"}) for line in range(1, 200)}}
    faults = drawn(ROOT, lines, 5, 26)
    assert len(faults) == 5
    assert {fault.path for fault in faults} == {path}
    assert drawn(ROOT, lines, 5, 26) == faults != drawn(ROOT, lines, 5, 27)
    assert drawn(ROOT, {}, 5, 26) == []


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
    assert function_of("conformance::weather-gemini-google-genai-sync") == MATRIX
