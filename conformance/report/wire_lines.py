"""A message of the wire as lines, each with its place.

JSON is indented, and nothing else is changed: numbers, escapes and repeated keys stay as they were sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.model.exchange import Body, Exchange, is_broken
from conformance.model.finding import Side
from conformance.model.pointer import join
from conformance.model.printable import count, visible

_LEXEME = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_WIDTH = 300
_MARKED_WIDTH = 600
_HEAD, _BEFORE = 3, 8
"""How many lines are shown at the begin of a message, and before a marked line."""
_DEEPEST = 24
"""The indentation of deeper values is that of this level."""


class WireLine(NamedTuple):
    """A line, and the JSON pointer (or `event/N`) of the value that it belongs to; None for a header."""

    text: str
    pointer: str | None = None


class ShownLine(NamedTuple):
    """A line as a page shows it: cut and visible. A `gap` stands for lines that are left out."""

    text: str
    marked: bool = False
    gap: bool = False


@dataclass(slots=True)
class _Holder:
    """An object or array that is open. `key` is the pointer token of the next value; None before a key."""

    pointer: str
    is_object: bool
    key: str | None
    number: int = field(default=0)


def head_lines(exchange: Exchange, side: Side) -> list[WireLine]:
    """The first line of a message and its header fields."""
    request, response = exchange.request, exchange.response
    first = f"{request.method} {request.url}" if side == "request" else f"HTTP {response.status}"
    headers = (request if side == "request" else response).headers
    return [WireLine(first), *(WireLine(f"{name}: {value}") for name, value in headers)]


def body_lines(exchange: Exchange, side: Side) -> list[WireLine]:
    """The body of a message; empty if it has none, one line with the reason if it could not be read."""
    message = exchange.request if side == "request" else exchange.response
    if message.body.note is not None:
        return [WireLine(f"(not readable: {message.body.note})")]
    if side == "response" and exchange.response.is_event_stream:
        return list(_events(message.body.text or ""))
    if side == "response" and exchange.response.is_lines:
        return [WireLine(event.data, event.pointer) for event in exchange.response.events]
    if message.body.empty:
        return []
    return _json(message.body)


def _json(body: Body) -> list[WireLine]:
    text = body.text
    if is_broken(body.json):
        return [WireLine(line, "") for line in (text or "").splitlines()]
    return indented(json.dumps(body.json, ensure_ascii=False) if text is None else text)


def indented(text: str) -> list[WireLine]:
    """The lines of a JSON text, with one value, or the begin or the end of one, on each."""
    lines: list[WireLine] = []
    holders: list[_Holder] = []
    label = ""
    lexemes = _LEXEME.findall(text.removeprefix("\ufeff"))
    for number, lexeme in enumerate(lexemes):
        holder = holders[-1] if holders else None
        indent = "  " * min(len(holders), _DEEPEST)
        if lexeme in ("}", "]"):
            closed = holders.pop()
            if lexemes[number - 1] not in ("{", "["):
                lines.append(WireLine("  " * min(len(holders), _DEEPEST) + lexeme, closed.pointer))
        elif lexeme == ",":
            lines[-1] = WireLine(lines[-1].text + ",", lines[-1].pointer)
            if holder is not None:
                holder.number += 1
                holder.key = None if holder.is_object else str(holder.number)
        elif holder is not None and holder.is_object and holder.key is None:
            holder.key, label = json.loads(lexeme, strict=False), f"{lexeme}: "
        elif lexeme != ":":
            pointer = "" if holder is None else join(holder.pointer, holder.key or "")
            if lexeme in ("{", "["):
                holders.append(_Holder(pointer, lexeme == "{", None if lexeme == "{" else "0"))
                empty = lexemes[number + 1 : number + 2] in (["}"], ["]"])
                lexeme += lexemes[number + 1] if empty else ""  # noqa: PLW2901 - the closing one adds nothing
            lines.append(WireLine(f"{indent}{label}{lexeme}", pointer))
            label = ""
    return lines


def _events(text: str) -> Iterator[WireLine]:
    """The lines of an event stream, numbered as the events are."""
    number = 0
    for block in text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = block.split("\n")
        holds = any(line.partition(":")[0] == "data" for line in lines)
        for line in lines:
            if line:
                yield WireLine(line, f"event/{number}" if holds else None)
        number += holds


def covered(lines: Sequence[WireLine], pointer: str | None) -> set[int]:
    """The numbers of the lines of a place. If it is missing, the first line of what should hold it."""
    if pointer is None:
        return set()
    if pointer.startswith("event/"):
        event = "/".join(pointer.split("/")[:2])
        found = {number for number, line in enumerate(lines) if line.pointer == event}
        if found or not lines or lines[0].pointer is None:
            return found
        pointer = pointer.removeprefix("event")  # a stream that is one JSON array
    first: dict[str, int] = {}
    places = [line.pointer for line in lines]
    for number, place in enumerate(places):
        if place is not None:
            first.setdefault(place, number)
    if pointer and pointer in first:
        below = f"{pointer}/"
        return {
            n for n, place in enumerate(places) if place is not None and (place == pointer or place.startswith(below))
        }
    while pointer and pointer not in first:
        pointer = pointer.rpartition("/")[0]
    return {first[pointer]} if pointer in first else set()


def shown(lines: Sequence[WireLine], marked: Collection[int] = (), *, most: int = 80) -> list[ShownLine]:
    """The lines, at most `most`; what is far before the marked ones is left out, so that these are near the begin."""
    keep = set(range(len(lines)))
    if marked and min(marked) > _BEFORE + _HEAD:
        keep = {*range(_HEAD), *range(min(marked) - _BEFORE, len(lines))}
    if len(keep) > most:
        keep = {*sorted(keep)[: most - 1], len(lines) - 1}
    made: list[ShownLine] = []
    last = -1
    for number in sorted(keep):
        if number > last + 1:
            made.append(ShownLine(f"⋯ {count(number - last - 1, 'line')} left out", gap=True))
        made.append(ShownLine(fit(lines[number].text, marked=number in marked), number in marked))
        last = number
    return made


def fit(text: str, *, marked: bool = False) -> str:
    """A line, visible and cut."""
    width = _MARKED_WIDTH if marked else _WIDTH
    return visible(text if len(text) <= width else f"{text[:width]}… ({len(text)} characters)")
