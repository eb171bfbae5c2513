"""Streams of newline-delimited JSON (`application/x-ndjson`): one value on each line, read as an event."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.model import jsontext
from conformance.model.sse import Event
from conformance.model.transcript import Malformed

CONTENT_TYPE = "application/x-ndjson"


def is_of_lines(content_type: str) -> bool:
    """Whether a content type, in lower case, is one of newline-delimited JSON, of which several names are in use."""
    return "ndjson" in content_type or "jsonl" in content_type


def looks_like_lines(text: str) -> bool:
    """Whether the text is several objects, each on a line of its own: no JSON value has a line break between two."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and ("}\n{" in text or "}\r\n{" in text)


def events(text: str) -> Iterator[Event]:
    """The lines of a whole stream body as events, numbered from 0; blank lines are none.

    Only a line feed ends a line: other characters that some libraries split at may be in a text. A last line without
    one is complete if it is JSON: the line break separates values, and a proxy may leave out the last one.
    """
    lines = text.removeprefix("\ufeff").split("\n")
    last = len(lines) - 1
    number = 0
    for place, line in enumerate(lines):
        data = line.strip(" \t\r")
        if data:
            value = jsontext.parse(data)
            yield Event(number, None, data, value, complete=place < last or not isinstance(value, Malformed))
            number += 1
