"""A copy of the tree, in which faults are planted and tests run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from devtools.places import CORPUS, ROOT

MATRIX = ""
"""The file of the cells of the matrix, which are items of none."""

_NO_PROCESS = ("-m", "not process")
QUICK = (*_NO_PROCESS, "--budget", "0.5")
"""As the `Makefile` has it for `make test`."""
_FULL = (*_NO_PROCESS, "--full", "--hypothesis-profile=nightly")
_START = 120
"""Seconds for what comes before the first item."""
_TIME = re.compile(r"([\d.]+)s (?:setup|call|teardown) +(\S.*)")
_FAILED = re.compile(r"(?:FAILED|ERROR) (.+?)(?: - .*)?")


@contextmanager
def changed(file: Path, text: str) -> Iterator[None]:
    """A file with another text, for a while."""
    before = file.read_bytes()
    file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_bytes(before)


def copy_checkout(into: Path) -> None:
    """Copies what git knows of this checkout, with the changes that are not committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of chosen items came to: the first that failed, if any, and how many passed before."""

    failed: str | None
    passed: int


class Tree:
    """What git knows of this checkout, with the changes that are not committed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        copy_checkout(self.root)
        if CORPUS.is_dir():
            place = self.root / CORPUS.name if CORPUS.parent == ROOT else folder / "shared" / "corpus"
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(CORPUS)

    def run(self, limits: Mapping[str, float], budget: float, *, full: bool = False) -> Outcome:
        """Runs items in their order, each for its seconds at most, until one fails or the budget is spent."""
        chosen, outcome = (self.root.parent / name for name in ("chosen.json", "outcome.json"))
        chosen.write_text(json.dumps({"limits": limits, "budget": budget}), encoding="utf-8")
        outcome.unlink(missing_ok=True)
        files = sorted({item.partition("::")[0] for item in limits} - {MATRIX})
        options = ["--conformance-matrix"] if any(item.startswith(f"{MATRIX}::") for item in limits) else []
        options += ["-x", "-p", "devtools.planted.chosen", f"--chosen={chosen}", *files]
        try:
            self._pytest(*options, full=full, timeout=2 * budget + _START)
        except subprocess.TimeoutExpired:
            return Outcome("(the tests do not end)", 0)
        if not outcome.is_file():
            return Outcome("(the tests do not start)", 0)
        return Outcome(**json.loads(outcome.read_text(encoding="utf-8")))

    def seconds(self, *options: str) -> dict[str, float]:
        """Runs all items that `make test` chooses: the seconds that each takes, without those that fail."""
        lines = self._pytest("-vv", "-n", "auto", "--durations=0", "--conformance-matrix", "tests", *options).stdout
        seconds: dict[str, float] = defaultdict(float)
        failed = set[str]()
        for line in lines.splitlines():
            if found := _TIME.fullmatch(line):
                seconds[found[2]] += float(found[1])
            elif found := _FAILED.fullmatch(line):
                failed.add(found[1])
        return {item: time for item, time in seconds.items() if item not in failed}

    def full(self) -> list[str]:
        """Every item that `make full` chooses, of tests that start no process."""
        done = self._pytest("--collect-only", "-q", "--conformance-matrix", "tests", full=True)
        return [line for line in done.stdout.splitlines() if "::" in line]

    def _pytest(
        self, *options: str, full: bool = False, timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider"]
        return subprocess.run(
            [*command, *options, *(_FULL if full else QUICK)],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root), "PYTHONPYCACHEPREFIX": str(self.root.parent / "pycache")},
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
