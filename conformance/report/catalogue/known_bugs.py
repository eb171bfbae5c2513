"""Reads `docs/contract/known-bugs.md`: bugs that happened on the wire, each with its public threads.

A bug is a heading with its number, a sentence, and three fields on a line each: `dialect`, `threads`, `check`.
Where there is no thread, `threads` is `none` with the reason in parentheses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from conformance.errors import ConformanceError

_ID = re.compile(r"[A-Z]\d{2}")
_FIELDS = ("dialect", "threads", "check")
_THREAD = re.compile(r"(?:\[(?P<linked>[\w.-]+/[\w.-]+#\d+)\]\((?P<link>[^)]*)\)|(?P<short>[\w.-]+#\d+))(?: \(.*\))?")


@dataclass(frozen=True, slots=True)
class Thread:
    """A public thread: `owner/repo#number`, or `repo#number` without a link where the owner is not known."""

    name: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Bug:
    """One known bug. `text` and `check` are Markdown."""

    id: str
    text: str
    dialects: tuple[str, ...]
    threads: tuple[Thread, ...]
    check: str


def parse_bugs(text: str, page: str = "page") -> list[Bug]:
    """Returns the bugs of the page in their order.

    Args:
        text: The page, as Markdown.
        page: The page's name, for messages.

    Raises:
        ConformanceError: The page does not keep to the format. The message begins with page and line.
    """
    bugs: list[Bug] = []
    lines = list(enumerate(text.splitlines(), start=1))
    starts = [index for index, (_, line) in enumerate(lines) if line.startswith("### ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        bug = _bug(page, lines[start:end])
        if any(each.id == bug.id for each in bugs):
            _refuse(page, lines[start][0], f"duplicate bug {bug.id}", "change the number of one of them")
        bugs.append(bug)
    return bugs


def _bug(page: str, lines: list[tuple[int, str]]) -> Bug:
    start, heading = lines[0]
    name = heading.removeprefix("### ").strip()
    if not _ID.fullmatch(name):
        _refuse(page, start, f"invalid bug number `{name}`", "use a form such as `C01`")
    words: list[str] = []
    fields: dict[str, str] = {}
    for number, line in lines[1:]:
        if line.startswith("- "):
            key, _, value = line.removeprefix("- ").partition(": ")
            if key not in _FIELDS or not value.strip():
                _refuse(page, number, f"`{line}` is not a field", f"use {', '.join(_FIELDS)}, each with a value")
            fields[key] = value.strip()
        elif line and not line.startswith("## "):
            words.append(line.strip())
    missing = [key for key in _FIELDS if key not in fields]
    if missing or not words:
        _refuse(page, start, f"{name} lacks {', '.join(missing) or 'its sentence'}", "see the other entries")
    named = [] if fields["threads"].startswith("none (") else fields["threads"].split("; ")
    threads = tuple(_thread(page, start, each) for each in named)
    return Bug(name, " ".join(words), tuple(fields["dialect"].split(", ")), threads, fields["check"])


def _thread(page: str, line: int, text: str) -> Thread:
    match = _THREAD.fullmatch(text.strip())
    if match is None:
        _refuse(page, line, f"`{text}` is not a thread", "write `[owner/repo#1](link)` or `repo#1`")
    return Thread(match["linked"], match["link"]) if match["linked"] else Thread(match["short"])


def _refuse(page: str, line: int, message: str, hint: str) -> NoReturn:
    raise ConformanceError(f"{page}:{line}: {message}", hint)
