"""The source of an exchange: its file, and its line in exchange JSONL."""

from __future__ import annotations


def split_source(source: str) -> tuple[str, int | None]:
    """A source as its file and its line: `FILE:LINE` in exchange JSONL, the file alone elsewhere."""
    file, colon, line = source.rpartition(":")
    return (file, int(line)) if colon and line.isascii() and line.isdecimal() else (source, None)
