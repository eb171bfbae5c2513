"""Server-sent events, as the WHATWG HTML standard section 9.2 parses them, for any provider.

Line ends are LF, CRLF or CR; a comment starts with a colon; several `data` lines join with a line feed;
a block without data dispatches nothing. An event that the end of the stream truncates is kept and
marked, because the truncation is evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.frozen import dataclass

_JSON_STARTS = ("{", "[", '"', "")


@dataclass(slots=True)
class Event:
    """One event. `name` is None without an `event:` line; `json` is the parsed data, or `Malformed`."""

    number: int
    name: str | None
    data: str
    json: Any
    complete: bool = True

    @property
    def pointer(self) -> str:
        return f"event/{self.number}"


def looks_like_events(text: str) -> bool:
    """Whether the text is an event stream, not JSON or prose."""
    head = text[:200].lstrip("\ufeff\r\n \t")
    return head.startswith(("data:", "event:", "id:", "retry:", ":"))


def events(text: str) -> Iterator[Event]:
    """The events of a whole stream body, numbered from 0."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    blocks = text.split("\n\n")
    unfinished = blocks.pop()
    number = 0
    for block in blocks:
        name, data = _fields(block)
        if data is not None:
            yield _event(number, name, data, complete=True)
            number += 1
    name, data = _fields(unfinished)
    if data is not None:
        yield _event(number, name, data, complete=False)


def _fields(block: str) -> tuple[str | None, str | None]:
    """The name and the data of the event between two blank lines; no data if there is no event."""
    if "\n" not in block and block.startswith("data: "):
        return None, block[6:]
    name: str | None = None
    data: list[str] = []
    for line in block.split("\n"):
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif field == "event":
            name = value.removeprefix(" ")
    return name, "\n".join(data) if data else None


def _event(number: int, name: str | None, data: str, *, complete: bool) -> Event:
    return Event(number, name, data, jsontext.parse(data) if data[:1] in _JSON_STARTS else data, complete)


def from_values(values: list[Any]) -> list[Event]:
    """Events of a stream that a recorder has already split, or that is a JSON array on the wire."""
    return [Event(number, None, "", value) for number, value in enumerate(values)]
