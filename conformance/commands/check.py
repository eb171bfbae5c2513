"""`conformance check`: judges recordings that exist already."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from conformance.checker import Checker
from conformance.commands.output import destination, exit_code, opened
from conformance.dialects import all_dialects
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.selection import chosen


def run(*, paths: Sequence[str], dialect: str, format_: str, output: str | None, verbose: bool, **choice: Any) -> int:
    """Judges every exchange of the paths, one after the other, and reports as it goes."""
    if dialect != "auto" and dialect not in all_dialects():
        near = difflib.get_close_matches(dialect, all_dialects(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are auto, {', '.join(all_dialects())}"
        raise ConformanceError(f"there is no dialect called {dialect!r}", hint)
    selection = chosen(**choice)
    checker = Checker(None if dialect == "auto" else dialect, selection.keeps)
    exchanges = read(paths, stdin=sys.stdin.buffer if sys.stdin else None)
    first = list(islice(exchanges, 1))  # input that cannot be read at all is an error, and no report
    with destination(output) as stream:
        report = opened(format_, stream, verbose=verbose)
        try:
            for exchange in chain(first, exchanges):
                report.judged(exchange.source)
                for finding in checker.feed(exchange):
                    report.finding(finding)
            for finding in selection.stale():
                checker.summary.count(finding)
                report.finding(finding)
        finally:
            # A file that cannot be read ends the run; what was found before is still told, in a whole document.
            report.close(checker.summary)
    return exit_code(checker.summary, strict=selection.strict)
