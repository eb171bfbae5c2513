"""What every report does to text before it shows it: recorded values can hold anything at all."""

from __future__ import annotations

import re
from functools import cache

from conformance.finding import Finding

_LONGEST = 400
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, and so every escape sequence of a terminal
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"  # marks that turn or hide the text around them
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"  # no characters at all, and so not allowed in XML
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """The text with everything that a terminal or XML could trip over written as an escape."""
    return _UNSHOWABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return _SHORT.get(char) or (f"\\x{ord(char):02x}" if char < "\x80" else f"\\u{ord(char):04x}")


def short(text: str) -> str:
    """`visible` text, cut to a length that can be read; rules keep it shorter themselves."""
    return visible(cut(text))


def cut(text: str) -> str:
    """The text, or its beginning and how long it is."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def encodable(text: str, encoding: str | None) -> str:
    """The text as the stream can write it: what its encoding lacks becomes an escape."""
    if encoding is None or encoding.lower().replace("-", "") in ("utf8", "utf16", "utf32"):
        return text
    try:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")


def file_of(finding: Finding) -> str:
    """The file of a finding's source, without the line of exchange JSONL."""
    return split_source(finding.source)[0]


def split_source(source: str) -> tuple[str, int | None]:
    """A source as its file and its line: `FILE:LINE` in exchange JSONL, the file alone elsewhere."""
    file, colon, line = source.rpartition(":")
    return (file, int(line)) if colon and line.isascii() and line.isdecimal() else (source, None)


@cache
def statement(rule: str) -> str | None:
    """What holds where the rule, or the statement about a run, finds nothing; None for an id that is neither."""
    from conformance.rule import all_rules
    from conformance.statements import STATEMENTS

    if rule in STATEMENTS:
        return STATEMENTS[rule][0]
    found = all_rules().get(rule)
    return found.statement if found else None


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
