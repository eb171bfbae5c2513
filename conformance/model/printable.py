"""Text made safe to show: recorded values can contain anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LONGEST = 400
_UNSHOWABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters, and so every escape sequence of a terminal
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"  # marks that turn or hide the text around them
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"  # not characters, so not allowed in XML
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """The text with everything that could break a terminal or XML written as an escape."""
    return _UNSHOWABLE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    return _SHORT.get(char) or (f"\\x{ord(char):02x}" if char < "\x80" else f"\\u{ord(char):04x}")


def short(text: str) -> str:
    """`visible` text, cut to a length that can be read; rules keep it shorter themselves."""
    return visible(cut(text))


def cut(text: str) -> str:
    """The text, or its beginning with its length."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def encodable(text: str, encoding: str | None) -> str:
    """The text as the stream can write it: characters that its encoding lacks become escapes."""
    if encoding is None or encoding.lower().replace("-", "") in ("utf8", "utf16", "utf32"):
        return text
    try:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")


def count(number: int, noun: str) -> str:
    """A number with its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def few(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are: `a, b and 3 more`."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def in_columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line for each row, its cells at the columns of the others."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
