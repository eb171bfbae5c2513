"""Server-sent events, as the WHATWG HTML standard section 9.2 parses them; knows no vendor.

Line ends are LF, CRLF or CR; a comment starts with a colon; several `data` lines join with a line feed;
a block that carries no data dispatches nothing. An event that the end of the stream cuts off is kept and
marked, because for a judge the cut is the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance import jsontext

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One event. `name` is None where no `event:` line named it; `json` is the parsed data, or `Malformed`."""

    number: int
    name: str | None
    data: str
    json: Any
    complete: bool = True

    @property
    def pointer(self) -> str:
        return f"event/{self.number}"


def looks_like_events(text: str) -> bool:
    """Whether the text reads as an event stream and not as JSON or prose."""
    head = text[:200].lstrip("\ufeff\r\n \t")
    return head.startswith(("data:", "event:", "id:", "retry:", ":"))


def events(text: str) -> Iterator[Event]:
    """The events of a whole stream body, numbered from 0."""
    number = 0
    name: str | None = None
    data: list[str] = []
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    for line in lines:
        if not line:
            if data:
                yield _event(number, name, data, complete=True)
                number += 1
            name, data = None, []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            name = value
    if data:
        yield _event(number, name, data, complete=False)


def _event(number: int, name: str | None, data: list[str], *, complete: bool) -> Event:
    text = "\n".join(data)
    return Event(number, name, text, jsontext.parse(text) if text[:1] in '{["' else text, complete)


def from_values(values: list[Any]) -> list[Event]:
    """Events of a stream that a recorder has already taken apart, or that is a JSON array on the wire."""
    return [Event(number, None, "", value) for number, value in enumerate(values)]
