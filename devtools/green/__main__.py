"""`make green`: runs every way to judge nothing, too little or the wrong thing, and prints those that stay green.

Each must end with another exit code than 0, or, where something is left to judge, name in its report what was not read
or not judged. An internal error (3) is a failure, too. `python -m devtools.green check` runs the ways of one verb.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from conformance.commands import app
from devtools.green.ways import Way, clean, ways

_LINE = re.compile(
    r"(was|were|is|are) not (read|judged)|not_read|not_judged|no cassette for cell|too few to tell|too_few|days old"
)
"""What a report has for what it leaves out."""


def wrong(way: Way, folder: Path) -> str | None:
    """What is wrong with how a command ends; None if it does not stay green."""
    with contextlib.chdir(folder.parent):
        done = CliRunner().invoke(app, way.command(folder), env={"NO_COLOR": "1"}, prog_name="conformance")
    clean(folder)
    if done.exit_code == 3 or not isinstance(done.exception, SystemExit | None):
        return f"exit code 3: {done.stderr.strip()[-200:]}"
    if done.exit_code == 0 and not way.partly:
        return f"exit code 0: {done.stdout.strip()[-160:]}"
    if done.exit_code == 0 and not _LINE.search(done.stdout):
        return f"exit code 0, and no line for what was left out: {done.stdout.strip()[-160:]}"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints each way that stays green, and how many were tried; 1 if one stays green."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verbs", nargs="*", help="by default, all of them")
    parser.add_argument("--slow", action="store_true", help="print the ways that take more than two seconds")
    chosen = parser.parse_args(arguments)
    os.environ.pop("GITHUB_STEP_SUMMARY", None)
    tried = green = 0
    with tempfile.TemporaryDirectory(prefix="conformance-green-") as base:
        for way in ways():
            if chosen.verbs and way.verb not in chosen.verbs:
                continue
            tried += 1
            began = time.monotonic()
            reason = wrong(way, Path(base) / "given")
            if chosen.slow and time.monotonic() - began > 2:
                sys.stdout.write(f"{time.monotonic() - began:.1f} s  {way.id}\n")
            if reason is not None:
                green += 1
                sys.stdout.write(f"{way.id}: {reason}\n")
                sys.stdout.flush()
    sys.stdout.write(f"green: {tried} ways tried, {green} stay green\n")
    return 1 if green else 0


if __name__ == "__main__":
    sys.exit(main())
