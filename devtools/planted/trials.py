"""One trial: a fault is planted, and tests run until one finds it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from devtools.planted.faults import Fault
from devtools.planted.reached import Reached, function_of, in_turns
from devtools.planted.tree import MATRIX, Outcome, Tree, changed

_NEAR = 12
"""Functions that run at first, those that are about the line: they find most faults, and collecting all takes long."""
_FIRST = 60
"""Seconds that these may take."""
_SLOWER = 10
"""An item hangs if it takes a minute more than so many times what it took without a fault."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Whether `quick`, `full` or `nothing` finds a fault, and what exactly."""

    found: str
    by: str


class Trials:
    """Tries faults; the budget is the seconds for the tests of `make test`, and again for those of `make full`."""

    def __init__(self, lines: Reached, budget: float) -> None:
        self._lines = lines
        self._budget = budget

    def tried(self, tree: Tree, fault: Fault) -> Trial:
        """Runs what `make test` chooses of what reaches the line, then what only `make full` has of the same tests."""
        items = self._lines.items(fault.path, fault.begin[0])
        near = frozenset(list(dict.fromkeys(map(function_of, items)))[:_NEAR])
        first = self._within(_FIRST, (item for item in items if function_of(item) in near))
        quick = self._run(tree, fault, first)
        if not quick.failed:
            rest = self._run(tree, fault, [item for item in items if item not in first])
            quick = Outcome(rest.failed, quick.passed + rest.passed)
        if quick.failed:
            return Trial("quick", quick.failed)
        more = self._more(tree.root, items)
        while (full := self._run(tree, fault, more, full=True)).failed in more and self._fails_anyway(
            tree, full.failed
        ):
            more.remove(full.failed)
        if full.failed:
            return Trial("full", full.failed)
        of_quick, of_full = f"{quick.passed} of {len(items)} tests of `make test`", f"{full.passed} of {len(more)} more"
        return Trial("nothing", f"{of_quick} and {of_full} of `make full` pass")

    def _fails_anyway(self, tree: Tree, item: str) -> bool:
        """Whether an item of `make full` fails without a fault; those of `make test` were tried with the coverage."""
        return tree.run({item: self._budget}, self._budget, full=True).failed is not None

    def _within(self, seconds: float, items: Iterable[str]) -> dict[str, None]:
        """The first of the items, as many as take no longer together."""
        named = list(items)
        ends = accumulate(self._lines.seconds[item] for item in named)
        return dict.fromkeys(item for item, end in zip(named, ends, strict=True) if end <= seconds)

    def _more(self, root: Path, items: Iterable[str]) -> list[str]:
        """What `make full` runs of the functions of items besides: other items, and those that draw other values."""
        functions = dict.fromkeys(map(function_of, items))
        drawing = {each for each in functions if each != MATRIX and _draws(root, each)}
        return in_turns(
            item
            for function in functions
            for item in self._lines.full[function]
            if function in drawing or item not in self._lines.seconds
        )

    def _run(self, tree: Tree, fault: Fault, items: Iterable[str], *, full: bool = False) -> Outcome:
        """What the items make of the fault."""
        limits = {item: 60 + _SLOWER * self._lines.seconds.get(item, 0) for item in items}
        if not limits:
            return Outcome(None, 0)
        file = tree.root / fault.path
        with changed(file, fault.planted(file.read_text(encoding="utf-8"))):
            return tree.run(limits, self._budget, full=full)


def _draws(root: Path, test: str) -> bool:
    path, _, name = test.partition("::")
    return name.rpartition("::")[2] in _drawing(root / path)


@cache
def _drawing(path: Path) -> frozenset[str]:
    """The functions of a file that hypothesis calls with drawn values."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(mark).startswith("given(") for mark in node.decorator_list)
    )
