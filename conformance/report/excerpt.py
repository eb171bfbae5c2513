"""The part of an exchange that a finding is about: a few lines, with the place marked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from conformance.model.exchange import Exchange, is_broken
from conformance.model.finding import Finding, Side
from conformance.model.frozen import dataclass
from conformance.model.pointer import split
from conformance.model.printable import visible
from conformance.report.catalogue.fragments import compact

_WIDTH = 100
"""How much of a value is shown on its line, in characters."""
_MARKED_WIDTH = 240
_AROUND = 2
"""How many values before and after the marked one are shown."""
_LATER = 4
"""How many values of an object are shown that lacks one."""


class Line(NamedTuple):
    """A line of an excerpt. `marked` is the place of the finding."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`head` is the message that it is from: `POST /v1/chat/completions`, `200 application/json`."""

    side: Side
    head: str
    lines: tuple[Line, ...]


def excerpt_of(finding: Finding) -> Excerpt | None:
    """The lines around the place of a finding; None if its exchange is unknown or has no such place."""
    if finding.traffic is None or finding.side is None:
        return None
    try:
        head, lines = _read(finding.traffic, finding.side, finding.pointer)
    except RecursionError:
        return None
    return Excerpt(finding.side, visible(head), tuple(Line(visible(text), marked) for text, marked in lines))


def _read(exchange: Exchange, side: Side, pointer: str | None) -> tuple[str, Sequence[Line]]:
    head, message = head_of(exchange, side), exchange.request if side == "request" else exchange.response
    if pointer is not None and pointer.startswith("event/"):
        _, number, *rest = split(f"/{pointer}")
        events = _events(exchange)
        if int(number) < len(events):
            head = f"{head}, event {number} of {len(events)}"
            return head, list(_around(events[int(number)], rest))
        return head, ()
    value = message.body.json
    if message.body.empty or message.body.note is not None:
        return head, ()
    if side == "response" and exchange.response.is_stream and not message.body.framed:
        return head, [Line(_cut(line, _WIDTH)) for line in (message.body.text or "").splitlines()[:2]]
    if is_broken(value):
        return head, [Line(_cut(line, _WIDTH), number == 0) for number, line in enumerate(value.text.splitlines()[:2])]
    if pointer is None:
        return head, [Line(text) for text, _ in _around(value, ())]
    return head, list(_around(value, split(pointer)))


def head_of(exchange: Exchange, side: Side) -> str:
    """The first line of a message, with the type of its body."""
    if side == "request":
        return f"{exchange.request.method} {exchange.request.path}"
    kind = (exchange.response.headers.get("content-type") or "").partition(";")[0]
    return f"{exchange.response.status} {kind}".rstrip()


def _events(exchange: Exchange) -> list[Any]:
    """The events of a response; those that are not JSON as text."""
    response = exchange.response
    if response.is_stream:
        return [event.data if is_broken(event.json) else event.json for event in response.events]
    value = response.body.json
    return value if isinstance(value, list) else []


def _around(value: Any, tokens: Sequence[str]) -> Iterator[Line]:
    """The object or array around the place, one line for each of its values, without its neighbours."""
    holder, key = value, None
    for token in tokens:
        child = _child(value, token)
        if child is None:
            if isinstance(value, (dict, list)):  # the value is missing: mark the object without it
                holder, key = value, None
            break
        holder, key, value = value, child[0], child[1]
    if not isinstance(holder, (dict, list)):
        yield Line(compact(holder, _MARKED_WIDTH), marked=True)
        return
    items: list[tuple[Any, Any]] = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
    at = next((number for number, (each, _) in enumerate(items) if each == key), None)
    begin = 0 if at is None else max(0, at - _AROUND)
    end = _LATER if at is None else at + _AROUND + 1
    opening, closing = "{}" if isinstance(holder, dict) else "[]"
    if begin == 0:
        yield Line(opening, marked=at is None)
    else:
        yield Line(f"{opening} …")
    for number, (name, each) in enumerate(items[begin:end], begin):
        label = f"{json.dumps(name, ensure_ascii=False)}: " if isinstance(holder, dict) else ""
        width = _MARKED_WIDTH if number == at else _WIDTH
        comma = "," if number + 1 < len(items) else ""
        yield Line(f"  {label}{compact(each, width)}{comma}", marked=number == at)
    yield Line(f"  … {closing}" if end < len(items) else closing)


def _child(value: Any, token: str) -> tuple[Any, Any] | None:
    """The value of a token, with its key or index; None if there is no value."""
    if isinstance(value, dict) and token in value:
        return token, value[token]
    if isinstance(value, list) and token.isascii() and token.isdecimal() and int(token) < len(value):
        return int(token), value[int(token)]
    return None


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
