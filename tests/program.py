"""The program in this process: exit code, output and errors as a process has them, without the second that it takes.

What only a process shows (signals, closed pipes, what it imports, buffering) starts one, and has the marker `process`.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from subprocess import CompletedProcess

from click.testing import CliRunner

from conformance.commands import app
from devtools.places import ROOT


def conformance(*arguments: str, stdin: str | bytes | None = None, cwd: Path = ROOT) -> CompletedProcess[str]:
    """`conformance ARGUMENTS` in a folder."""
    with contextlib.chdir(cwd):
        done = CliRunner().invoke(app, arguments, input=stdin, env={"NO_COLOR": "1"}, prog_name="conformance")
    return CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
