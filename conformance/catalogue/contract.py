"""The contract as it ships: every numbered statement of `docs/contract`, and every known bug."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from conformance.catalogue.contract_pages import Statement, parse
from conformance.catalogue.known_bugs import Bug, parse_bugs
from conformance.model.data_files import data_dir

FOLDER = "docs/contract"
"""Where the pages lie in the repository, for those who read about one."""
KNOWN_BUGS = "known-bugs.md"
_WITHOUT_STATEMENTS = {"README.md", "policy.md", KNOWN_BUGS}


def statement_pages() -> list[Path]:
    """The pages that are lists of statements, by name."""
    return sorted(page for page in data_dir("contract").glob("*.md") if page.name not in _WITHOUT_STATEMENTS)


@cache
def all_statements() -> Mapping[str, Statement]:
    """Every statement by its number, page after page.

    Raises:
        ConformanceError: A page does not keep to its format.
    """
    return {
        statement.id: statement
        for page in statement_pages()
        for statement in parse(page.read_text(encoding="utf-8"), page.name)
    }


@cache
def all_bugs() -> Mapping[str, Bug]:
    """Every known bug by its number.

    Raises:
        ConformanceError: The page does not keep to its format.
    """
    text = (data_dir("contract") / KNOWN_BUGS).read_text(encoding="utf-8")
    return {bug.id: bug for bug in parse_bugs(text, KNOWN_BUGS)}
