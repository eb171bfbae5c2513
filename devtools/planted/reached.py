"""Which tests reach which lines of the judge, and in which order they are most likely to find a fault there."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from coverage.numbits import numbits_to_nums

from devtools.planted.faults import ROOMS
from devtools.planted.tree import MATRIX, Tree

_SETTINGS = """[run]
source = {rooms}
data_file = {data}
"""


def function_of(item: str) -> str:
    """The test function of an item; all cells of the matrix count as one."""
    path, colons, rest = item.partition("::")
    return f"{path}{colons}{rest.partition('[')[0]}" if path.endswith(".py") else MATRIX


def in_turns(items: Iterable[str]) -> list[str]:
    """The first item of each function, then the second of each, and so on."""
    count: Counter[str] = Counter()
    ranked: list[tuple[int, str]] = []
    for item in items:
        function = function_of(item)
        ranked.append((count[function], item))
        count[function] += 1
    return [item for _, item in sorted(ranked, key=lambda each: each[0])]


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one file that are reached: by each item, and by the fixtures of each file of tests."""

    items: dict[str, frozenset[int]] = field(default_factory=dict)
    fixtures: dict[str, frozenset[int]] = field(default_factory=dict)


class Reached:
    """What each item of `make test` reaches, and how long it takes; `full` has the items of `make full`."""

    def __init__(self, files: dict[str, Lines], seconds: dict[str, float], full: Iterable[str] = ()) -> None:
        self.seconds = seconds
        self.full: dict[str, list[str]] = defaultdict(list)
        for item in full:
            self.full[function_of(item)].append(item)
        self._files = files
        self._count: Counter[str] = Counter()
        for lines in files.values():
            self._count.update({item: len(reached) for item, reached in lines.items.items()})

    def lines(self, path: str) -> frozenset[int]:
        """The lines of a file that some item reaches."""
        return frozenset[int]().union(*self._files[path].items.values()) if path in self._files else frozenset()

    def items(self, path: str, line: int) -> list[str]:
        """The items that reach a line, the most specific and fastest first, one of each function before two of any.

        A fixture runs within the first item that asks for it: all items of its file count.
        """
        lines = self._files[path]
        sharing = {tests for tests, reached in lines.fixtures.items() if line in reached}
        found = {item for item, reached in lines.items.items() if line in reached}
        found.update(item for item in self._count if item.partition("::")[0] in sharing)
        return in_turns(sorted(found, key=lambda each: (self._count[each] * self.seconds[each], each)))


def reached(tree: Tree, data: Path) -> Reached:
    """What the tests that `make test` chooses reach. They run, unless the file with the coverage is there already."""
    items = data.with_suffix(".json")
    if not data.is_file():
        settings = data.with_suffix(".ini")
        rooms = ",".join(f"conformance.{room}" for room in ROOMS)
        settings.write_text(_SETTINGS.format(rooms=rooms, data=data), encoding="utf-8")
        seconds = tree.seconds("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=")
        items.write_text(json.dumps({"seconds": seconds, "full": tree.full()}), encoding="utf-8")
    given = json.loads(items.read_text(encoding="utf-8"))
    return Reached(_lines(data, given["seconds"]), given["seconds"], given["full"])


def _lines(data: Path, known: Iterable[str]) -> dict[str, Lines]:
    """What the coverage file contains of known items; those that failed are none."""
    names = frozenset(known)
    by_file: dict[str, Lines] = defaultdict(Lines)
    with sqlite3.connect(data) as database:
        rows = database.execute(
            "select path, context, numbits from line_bits"
            " join file on file.id = file_id join context on context.id = context_id"
        )
        for name, context, numbits in rows:
            item, _, phase = context.rpartition("|")
            if item not in names:
                continue
            lines = by_file[f"conformance/{Path(name).as_posix().rpartition('/conformance/')[2]}"]
            found = frozenset(numbits_to_nums(numbits))
            lines.items[item] = lines.items.get(item, frozenset()) | found
            if phase == "setup":
                tests = item.partition("::")[0]
                lines.fixtures[tests] = lines.fixtures.get(tests, frozenset()) | found
    return by_file
