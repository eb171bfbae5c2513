"""`conformance demo`: checks a recording in this package that has one fault."""

from __future__ import annotations

import tempfile
import webbrowser
from contextlib import chdir
from pathlib import Path

import click

from conformance.commands.check import Options as CheckOptions
from conformance.commands.check.run import run as check
from conformance.commands.common.groups import ReportOptions
from conformance.commands.demo import Options
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir

_RECORDING = "traffic.jsonl"
_BEFORE = """\
An agent asks for the weather in two cities, and returns only one of the two results.
The recording is in this package. With your own, the command is `conformance check PATH`.

$ conformance check traffic.jsonl"""
_AFTER = """
Next:
  conformance check PATH                    check your own recordings and logs
  conformance explain tool-call-unanswered  show what the rule checks, and on what evidence"""
_PAGE = "  conformance demo --open                   see this report as a page in the browser"


def run(options: Options) -> int:
    """Prints the report, and opens the page if it is wanted. Returns 0, although `check` returns 1 for the finding."""
    with chdir(data_dir("specs") / "demo"):
        click.echo(_BEFORE)
        _check(ReportOptions())
        click.echo(_AFTER)
        click.echo(_opened() if options.open else _PAGE)
    return 0


def _opened() -> str:
    page = Path(tempfile.mkdtemp(prefix="conformance-demo-"), "report.html")
    _check(ReportOptions(format="html", output=str(page)))
    shown = webbrowser.open(page.as_uri())
    return f"\nThe page{'' if shown else ' (no browser was found; open it by hand)'}: {page}"


def _check(report: ReportOptions) -> None:
    if check(CheckOptions(paths=(_RECORDING,), report=report)) != 1:
        raise ConformanceError("the demo's recording lacks its finding", "install the package again")
