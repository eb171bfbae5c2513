"""Which tests reach which lines of the judge, and which tests do more without samples."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from coverage import CoverageData

from devtools.planted.faults import ROOMS
from devtools.planted.tree import MATRIX, Tree

Reached = Mapping[str, Mapping[int, frozenset[str]]]
"""For each file of the judge, and each of its lines, the tests that run the line."""

_SETTINGS = """[run]
source = {rooms}
data_file = {data}
"""


def test_of(item: str) -> str:
    """The test function of an item, as pytest takes it on the command line."""
    path, colons, rest = item.partition("::")
    return f"{path}{colons}{rest.partition('[')[0]}" if path.endswith(".py") else MATRIX


def reached(tree: Tree, data: Path) -> Reached:
    """What the tests that `make test` chooses reach. They run, unless the file with the coverage is there already."""
    broken = data.with_suffix(".failed")
    if not data.is_file():
        settings = data.with_suffix(".ini")
        rooms = ",".join(f"conformance.{room}" for room in ROOMS)
        settings.write_text(_SETTINGS.format(rooms=rooms, data=data), encoding="utf-8")
        options = ("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=")
        broken.write_text("\n".join(map(test_of, tree.run(["tests", MATRIX], *options))), encoding="utf-8")
    fail_anyway = frozenset(broken.read_text(encoding="utf-8").splitlines())
    found = CoverageData(str(data))
    found.read()
    by_file: dict[str, dict[int, frozenset[str]]] = {}
    for name in found.measured_files():
        path = f"conformance/{Path(name).as_posix().rpartition('/conformance/')[2]}"
        by_file[path] = {
            line: frozenset(test_of(each.partition("|")[0]) for each in contexts if each) - fail_anyway
            for line, contexts in found.contexts_by_lineno(name).items()
        }
    return by_file


def sampled(tree: Tree) -> frozenset[str]:
    """The tests of which `make full` runs more: those with more items, and those that draw their values."""
    few, all_of_them = (Counter(map(test_of, tree.items(full=full))) for full in (False, True))
    more = {test for test, count in all_of_them.items() if count > few[test] > 0}
    return frozenset(more | {test for test in few if test != MATRIX and _draws(tree.root, test)})


def _draws(root: Path, test: str) -> bool:
    path, _, name = test.partition("::")
    return name.rpartition("::")[2] in _drawing(root / path)


def _drawing(path: Path) -> Iterable[str]:
    """The functions of a file that hypothesis calls with drawn values."""
    if path not in _DRAWING:
        functions = (
            node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
        )
        _DRAWING[path] = frozenset(
            each.name
            for each in functions
            if any(ast.unparse(mark).startswith("given(") for mark in each.decorator_list)
        )
    return _DRAWING[path]


_DRAWING: dict[Path, frozenset[str]] = {}
