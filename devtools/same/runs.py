"""Both trees at work, side by side: each runs `dump.py` in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from devtools.same import dump
from devtools.same.compare import Judgement
from devtools.same.examples import Examples


class CannotCompareError(Exception):
    """A tree could not be judged; the text says why."""


class Pair:
    """The older and the newer tree. `notes` are remarks for the reader; `work` is a folder for what the trees write."""

    def __init__(self, old: Path, new: Path, work: Path) -> None:
        self.notes: list[str] = []
        self._trees = {"old": old, "new": new}
        self._work = work

    def examples(self) -> tuple[Examples, Examples] | None:
        """The examples of both trees; None, and a note, if the newer one's cannot be read: they are only listed.

        Raises:
            CannotCompareError: the older tree's examples, which both trees judge, cannot be read.
        """
        errors = self._run("examples", {name: [self._file(name, "examples")] for name in self._trees})
        if errors["old"] is not None:
            raise CannotCompareError(f"the older tree cannot give its examples: {errors['old']}")
        self.notes += self._file("old", "log").read_text(encoding="utf-8").splitlines()
        if errors["new"] is not None:
            self.notes.append(f"examples are not compared, the newer tree cannot give its own: {errors['new']}")
            return None
        old, new = (Examples.of(_lines(self._file(name, "examples"))) for name in self._trees)
        return old, new

    def judgements(
        self, recordings: Mapping[str, Sequence[Path]], folders: Sequence[Path]
    ) -> tuple[Judgement, Judgement]:
        """What both trees find in the older tree's examples (see `examples`) and in the recordings of each part.

        Sources are shown relative to the folder that holds them.

        Raises:
            CannotCompareError: a tree cannot judge, or some part of the input holds no exchange.
        """
        plan = self._work / "plan.json"
        files = [{"part": part, "path": str(path)} for part, paths in recordings.items() for path in paths]
        examples = str(self._file("old", "examples"))
        plan.write_text(json.dumps({"examples": examples, "files": files}), encoding="utf-8")
        errors = self._run("judge", {name: [plan, self._file(name, "judged")] for name in self._trees})
        for name, error in errors.items():
            if error is not None:
                raise CannotCompareError(f"the {name} tree cannot judge: {error}")
        old, new = (Judgement.of(_lines(self._file(name, "judged"), folders)) for name in self._trees)
        read = {part for part, totals in old.totals().items() if totals["exchanges"]}
        if empty := {"examples", *recordings} - read:
            raise CannotCompareError(f"the old tree read no exchange of {', '.join(sorted(empty))}")
        return old, new

    def _file(self, name: str, kind: str) -> Path:
        return self._work / f"{name}.{kind}"

    def _run(self, mode: str, paths: dict[str, list[Path]]) -> dict[str, str | None]:
        """Runs both at the same time; the error of each, None where there is none."""
        processes = {name: self._started(name, mode, paths[name]) for name in self._trees}
        try:
            codes = {name: process.wait() for name, process in processes.items()}
        finally:
            for process in processes.values():  # after an interrupt; one that has ended is left alone
                process.kill()
                process.wait()
        logs = {name: self._file(name, "log").read_text(encoding="utf-8").strip() for name in codes}
        return {name: (logs[name] or f"exit code {code}") if code else None for name, code in codes.items()}

    def _started(self, name: str, mode: str, paths: Sequence[Path]) -> subprocess.Popen[bytes]:
        tree = self._trees[name]
        # Messages may show the order of a set: it has to be the same in both.
        environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-P", dump.__file__, mode, *map(str, paths)]
        with self._file(name, "log").open("wb") as log:
            return subprocess.Popen(command, cwd=tree, env=environment, stdout=log, stderr=subprocess.STDOUT)


def _lines(path: Path, folders: Sequence[Path] = ()) -> Iterator[Any]:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(reduce(lambda text, folder: text.replace(f"{folder}/", ""), folders, line))
