"""Reads the pages of `docs/contract`: numbered statements about a wire format, each with its evidence.

`docs/contract/README.md` explains the format. Prose before `## Statements` is for people and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from conformance.errors import ConformanceError

SEVERITIES = ("error", "warning", "info", "change", "review", "noise")
"""How bad a violation is; the last three are the classes of differences between two recordings."""

SCOPES = ("request", "reply", "stream", "conversation", "any")

_ID = re.compile(r"[A-Z]+(-[A-Z]+)?-\d{3}|[A-Z]\d{2}|\d+(\.\d+){1,2}")
_FIELD = re.compile(r"- ([a-z]+):\s*(.*)")
_REQUIRED = ("severity", "scope", "verified", "evidence")
_OPTIONAL = ("violation", "status", "note")


@dataclass(frozen=True, slots=True)
class Statement:
    """One numbered statement. `text` and the fields are Markdown; an optional field that is absent is empty.

    `page` is the page's name as `parse` was given it.
    """

    id: str
    page: str
    text: str
    severity: str
    scope: tuple[str, ...]
    verified: bool
    evidence: tuple[str, ...]
    violation: str = ""
    status: str = ""
    note: str = ""

    @property
    def planned(self) -> bool:
        """Whether no rule and no test holds the statement yet."""
        return self.status == "planned"


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines between one heading and the next, each with its number. `line` is where the heading stands."""

    page: str
    line: int
    title: str
    lines: tuple[tuple[int, str], ...]


def parse(text: str, page: str = "page") -> list[Statement]:
    """Returns the statements of one page in their order.

    Args:
        text: The page, as Markdown.
        page: The page's name, for messages.

    Raises:
        ConformanceError: The page does not keep to the format. The message begins with page and line.
    """
    statements: dict[str, Statement] = {}
    for block in _blocks(text, page):
        if block.title in statements:
            _refuse(page, block.line, f"duplicate statement {block.title}", "change the number of one of them")
        statements[block.title] = _statement(block)
    return list(statements.values())


def _blocks(text: str, page: str) -> Iterator[_Block]:
    lines = list(enumerate(text.splitlines(), start=1))
    start = next((number for number, line in lines if line == "## Statements"), None)
    if start is None:
        _refuse(page, max(len(lines), 1), "the page has no heading `## Statements`", "add it before the statements")
    heading: tuple[int, str] | None = None
    inside: list[tuple[int, str]] = []
    for number, line in lines[start:]:
        if line.startswith(("# ", "## ")):
            _refuse(page, number, f"unexpected `{line}` among the statements", "move it before `## Statements`")
        if not line.startswith("### "):
            inside.append((number, line.rstrip()))
            continue
        if heading is not None:
            yield _Block(page, *heading, tuple(inside))
        elif any(content for _, content in inside):
            _refuse(page, inside[0][0], "unexpected text before the first statement", "move it before `## Statements`")
        heading, inside = (number, line.removeprefix("### ").strip()), []
    if heading is not None:
        yield _Block(page, *heading, tuple(inside))


def _statement(block: _Block) -> Statement:
    if not _ID.fullmatch(block.title):
        _refuse(
            block.page,
            block.line,
            f"invalid statement id `{block.title}`",
            "use a form such as `OAC-Q-001`, `MAP-001`, `D01` or `0.4`",
        )
    text, fields = _text_and_fields(block)
    if not text:
        _refuse(block.page, block.line, f"{block.title} has no sentence", "write a sentence below the heading")
    missing = [name for name in _REQUIRED if name not in fields]
    if missing:
        _refuse(block.page, block.line, f"{block.title} lacks {', '.join(missing)}", "add `- name: value` for each")
    return Statement(
        id=block.title,
        page=block.page,
        text=text,
        severity=_one_of(block, fields, "severity", SEVERITIES)[0],
        scope=_one_of(block, fields, "scope", SCOPES),
        verified=_one_of(block, fields, "verified", ("yes", "no")) == ("yes",),
        evidence=_evidence(block, fields),
        violation=fields.get("violation", (0, ""))[1],
        status=_one_of(block, fields, "status", ("planned",))[0] if "status" in fields else "",
        note=fields.get("note", (0, ""))[1],
    )


def _text_and_fields(block: _Block) -> tuple[str, dict[str, tuple[int, str]]]:
    text: list[str] = []
    fields: dict[str, tuple[int, str]] = {}
    for number, line in block.lines:
        if not line:
            continue
        if not line.startswith("- "):
            if fields:
                _refuse(block.page, number, "unexpected line after the fields", "write each field on one line")
            text.append(line.strip())
            continue
        match = _FIELD.fullmatch(line)
        if match is None or match[1] not in (*_REQUIRED, *_OPTIONAL):
            _refuse(block.page, number, f"`{line}` is not a field", f"use {', '.join((*_REQUIRED, *_OPTIONAL))}")
        if match[1] in fields:
            _refuse(block.page, number, f"duplicate field {match[1]}", "remove one of them")
        if not match[2]:
            _refuse(block.page, number, f"field {match[1]} is empty", "set a value or remove the field")
        fields[match[1]] = (number, match[2])
    return " ".join(text), fields


def _one_of(block: _Block, fields: dict[str, tuple[int, str]], name: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a field, all of which are allowed. Only a scope may have several, with commas between them."""
    number, value = fields[name]
    words = tuple(value.split(", ")) if name == "scope" else (value,)
    for word in words:
        if word not in allowed:
            _refuse(block.page, number, f"{name} is `{word}`", f"use {', '.join(allowed)}")
    return words


def _evidence(block: _Block, fields: dict[str, tuple[int, str]]) -> tuple[str, ...]:
    number, value = fields["evidence"]
    entries = tuple(entry.strip() for entry in value.split(";"))
    if not all(entries):
        _refuse(block.page, number, "empty entry in the evidence", "use semicolons only between entries")
    return entries


def _refuse(page: str, line: int, message: str, hint: str) -> NoReturn:
    raise ConformanceError(f"{page}:{line}: {message}", hint)
