"""`make kill`: kills `conformance record` at a hundred moments. No cassette may be lost, no lock may stay.

Each kill must leave every cassette as it was, or whole and new, and the next `record` into the same folder must work.
`python -m devtools.killing --kills 10` does fewer.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.cassette.load import load_cassette
from conformance.errors import ConformanceError
from devtools.places import ROOT
from tests.cassettes import SHIPPED

_CHOSEN = ("--scenario", "weather", "--dialect", "openai-chat", "--driver", "openai")
_SECONDS = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what each kill broke, and how many were tried and failed; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--seed", type=int, default=17)
    chosen = parser.parse_args(arguments)
    chance = random.Random(chosen.seed)
    tried = failed = writing = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "cassettes"
        shutil.copytree(SHIPPED, folder)
        begun = time.monotonic()
        if _record(folder).wait(_SECONDS) != 0:
            sys.stdout.write("kill: the recording fails even if nobody kills it\n")
            return 1
        whole = time.monotonic() - begun
        for number in range(chosen.kills):
            if time.monotonic() - started > chosen.seconds:
                break
            tried += 1
            before = {path: path.read_bytes() for path in folder.rglob("*.yaml")}
            running = _record(folder)
            time.sleep(chance.uniform(0.3, 1) * whole)
            running.kill()
            running.wait(_SECONDS)
            writing += any(path.read_bytes() != old for path, old in before.items() if path.exists())
            problems = list(_broken(before, folder))
            failed += bool(problems)
            for problem in problems:
                sys.stdout.write(f"kill {number}: {problem}\n")
        if _record(folder).wait(_SECONDS) != 0:
            failed += 1
            sys.stdout.write("after all kills: the recording fails\n")
        left = [path.name for path in folder.rglob("*") if path.is_file() and path.suffix not in (".yaml", "")]
        sys.stdout.write(f"files other than cassettes: {', '.join(sorted(set(left))) or 'none'}\n")
    sys.stdout.write(f"kill: {tried} kills tried, {writing} of them while cassettes were written, {failed} failed\n")
    return 1 if failed else 0


def _record(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "conformance", "record", "--cassettes", str(folder), *_CHOSEN]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environ)


def _broken(before: dict[Path, bytes], folder: Path) -> Iterator[str]:
    """Cassettes that are lost or broken; those that did not change are whole."""
    for path in before.keys() - set(folder.rglob("*.yaml")):
        yield f"{path.name} is lost"
    for path in folder.rglob("*.yaml"):
        if path.read_bytes() == before.get(path):
            continue
        try:
            if not load_cassette(path).exchanges:
                yield f"{path.name} is empty"
        except ConformanceError as error:
            yield f"{path.name} is broken: {error}"


if __name__ == "__main__":
    sys.exit(main())
