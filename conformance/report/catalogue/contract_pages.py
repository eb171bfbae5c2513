"""The pages of `docs/contract`: the prose beside a file of statements, then each statement with its evidence.

`docs/contract/README.md` explains the fields; `python -m devtools.pages` writes the pages.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from conformance.contract.brief import FILE, folder_of
from conformance.contract.statements import Statement, statements_in
from conformance.model.registry import all_dialects
from conformance.report.catalogue.special_cases import special_cases

WIDTH = 118


def page_name(path: Path) -> str:
    """The name of the page that is made of a file of statements: `openai-chat.md`."""
    return next(iter(statements_in(path).values())).page


def page_text(path: Path, shown: str) -> str:
    """The page of a file of statements; `shown` is the file's path as its readers know it."""
    prose = path.parent / "page.md" if path.name == FILE else path.with_suffix(".md")
    made = f"<!-- `make pages` writes this page from {shown} and the prose beside it. -->"
    statements = (line for each in statements_in(path).values() for line in _statement(each))
    written = prose.read_text(encoding="utf-8").rstrip()
    return "\n".join((written, "", made, *_endpoints(path), "", "## Statements", *statements, ""))


def _endpoints(path: Path) -> Iterator[str]:
    """The endpoints beside the main one of the dialects in the folder of a file of statements."""
    here = [each for each in all_dialects().values() if folder_of(each.package) == path.parent and path.name == FILE]
    found = {f"`{each.method} {_shown(each.path)}`": each.name for dialect in here for each in dialect.endpoints}
    if found:
        yield from ("", "## Other endpoints", "", "These are judged, too, also against the exchanges before them:", "")
        yield from (f"- {called}: {name}" for called, name in found.items())


def _shown(pattern: str) -> str:
    """A path as its pattern matches it, with `ID` for what differs, and without what may come before it."""
    return re.sub(
        r"\[\^[/:]+\]\+", "ID", re.sub(r"^(\(\^[^)]*\)|/v1\(beta\|alpha\)\\w\*)(/\(\.\+/\)\?)?/?", "/", pattern)
    )


def _statement(statement: Statement) -> Iterator[str]:
    yield from ("", f"### {statement.id}", "")
    yield from textwrap.wrap(statement.text, WIDTH, break_on_hyphens=False, break_long_words=False)
    yield ""
    yield f"- severity: {statement.severity}"
    yield from (f"    - {case}" for case in special_cases(statement.id))
    yield f"- scope: {', '.join(statement.scope)}"
    yield f"- verified: {'yes' if statement.verified else 'no'}"
    yield f"- evidence: {'; '.join(statement.evidence)}"
    for name, value in (
        ("since", statement.since),
        ("until", statement.until),
        ("violation", statement.violation),
        ("status", "planned" if statement.planned else ""),
        ("same as", ", ".join(statement.same_as)),
        ("judged by nothing", statement.excluded),
        ("broken by", ", ".join(statement.bugs)),
        ("note", statement.note),
    ):
        if value:
            yield f"- {name}: {value}"
