"""The contract as it ships: every numbered statement, and every known bug."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from conformance.contract.briefs import briefs_in
from conformance.contract.statements import Statement, statement_files, statements_in
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.report.catalogue.known_bugs import Bug, parse_bugs

FOLDER = "docs/contract"
"""Where the pages lie in the repository, for those who read about one."""
KNOWN_BUGS = "known-bugs.md"


@cache
def all_statements() -> Mapping[str, Statement]:
    """Every statement by its number, file after file.

    Raises:
        ConformanceError: A file does not keep to the format, or two files have the same number.
    """
    found: dict[str, Statement] = {}
    for path in statement_files():
        here = statements_in(path)
        if twice := sorted(here.keys() & found.keys()):
            raise ConformanceError(f"{path}: {', '.join(twice)} stands in another file, too", "give it another number")
        found |= here
    return found


def find_statement(number: str) -> Statement | None:
    """One statement; None if none has this number. Reads the file that it is in."""
    path = next((path for path in statement_files() if number in briefs_in(path)), None)
    return None if path is None else statements_in(path).get(number)


@cache
def all_bugs() -> Mapping[str, Bug]:
    """Every known bug by its number.

    Raises:
        ConformanceError: The page does not keep to its format.
    """
    text = (data_dir("contract") / KNOWN_BUGS).read_text(encoding="utf-8")
    return {bug.id: bug for bug in parse_bugs(text, KNOWN_BUGS)}
