"""A copy of the tree, in which faults are planted and tests run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from devtools.places import CORPUS, ROOT

MATRIX = "the matrix"
"""Stands for the cells of the matrix, which are items of no function."""

_QUICK = ("-m", "not process")
_FULL = (*_QUICK, "--full", "--hypothesis-profile=nightly")


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


class Tree:
    """What git knows of this checkout, with the changes that are not committed."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        copy_checkout(self.root)
        if CORPUS.is_dir():
            (folder / CORPUS.parent.name).symlink_to(CORPUS.parent)

    def run(self, tests: Iterable[str], *options: str, full: bool = False, timeout: float | None = None) -> list[str]:
        """The items that failed. What takes longer than it may has failed, too."""
        try:
            done = self._pytest(tests, *options, full=full, timeout=timeout)
        except subprocess.TimeoutExpired:
            return ["(the tests do not end)"]
        if done.returncode in (0, 5):  # 5: the options left no test
            return []
        lines = done.stdout.splitlines() + done.stderr.splitlines()
        failed = [line.split(" ")[1] for line in lines if line.startswith(("FAILED ", "ERROR "))]
        return failed or lines[-1:] or ["(no output)"]

    def items(self, *, full: bool) -> list[str]:
        """Every item that is chosen."""
        done = self._pytest(["tests", MATRIX], "--collect-only", full=full)
        return [line for line in done.stdout.splitlines() if "::" in line]

    def _pytest(
        self, tests: Iterable[str], *options: str, full: bool, timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        chosen = sorted(set(tests))
        names = self.root.parent / "tests.txt"
        names.write_text("\n".join(each for each in chosen if each != MATRIX), encoding="utf-8")
        matrix = ["--conformance-matrix"] if MATRIX in chosen else []
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider", *matrix]
        return subprocess.run(
            [*command, *options, *(_FULL if full else _QUICK), f"@{names}"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root), "PYTHONPYCACHEPREFIX": str(self.root.parent / "pycache")},
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
