"""Each errand of a user is a script: run from the wheel, in an empty folder, it reaches its verdict in time.

A script's comments say what the user wants, and `# seconds: N` how long the whole may take of the processor, which
other processes do not lengthen; its inputs lie in `data/` beside it, named by $DATA. It runs in `bash -eu -o pipefail`,
so each line has to succeed; a line `expect 2 COMMAND...` succeeds if the command exits with 2.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.glob("*.sh"))

HANGS = 600
"""Seconds after which an errand will not end."""

EXPECT = 'expect() { local want=$1 got=0; shift; "$@" || got=$?; test "$got" = "$want"; }; source "$0"'

pytestmark = pytest.mark.process


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_an_errand_reaches_its_verdict(script: Path, installed: Path, tmp_path: Path) -> None:
    limit = re.search(r"^# seconds: (\d+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert limit, "a line '# seconds: N' states how long the errand may take"
    path = os.pathsep.join([str(installed / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    variables = os.environ | {"PATH": path, "PYTHONPATH": str(installed), "DATA": str(HERE / "data"), "NO_COLOR": "1"}
    before = _seconds_of_children()
    done = subprocess.run(
        ["bash", "-eux", "-o", "pipefail", "-c", EXPECT, str(script)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=variables,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert _seconds_of_children() - before < int(limit.group(1))


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
