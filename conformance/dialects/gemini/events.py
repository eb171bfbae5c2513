"""The events of a Gemini stream, in each form of its body.

With `alt=sse` they are server-sent events; without it the body is one JSON array, element by element; and an
error in the middle of an SSE stream is bare JSON, without `data:`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from conformance.model import jsontext, sse
from conformance.model.dialect import sse_events_of
from conformance.model.exchange import Exchange
from conformance.model.sse import Event
from conformance.model.transcript import Malformed

_BARE = re.compile(r"(?:^|(?<=[\r\n]))[ \t]*[\[{].*?(?=[\r\n]+data:|\Z)", re.DOTALL)
_GAP = re.compile(r"[\s,]*")


def sse_events(exchange: Exchange, *, asked: bool) -> tuple[Event, ...] | None:
    """The events of the answer; None if it was not streamed."""
    text = exchange.response.body.text
    if asked and text is not None and text.lstrip("\ufeff \t\r\n").startswith("["):
        return tuple(_array(text.lstrip("\ufeff")))
    if text is not None and exchange.response.is_event_stream:
        return tuple(_mixed(text))
    return sse_events_of(exchange, asked=asked)


def _array(text: str) -> Iterator[Event]:
    """The elements of an array; of a truncated one, the complete elements and then the rest."""
    values = jsontext.parse(text)
    if isinstance(values, list):
        yield from sse.from_values(values)
        return
    decoder = json.JSONDecoder()
    position, number = text.index("[") + 1, 0
    while True:
        found = _GAP.match(text, position)
        position = found.end() if found else position
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            rest = text[position:]
            yield Event(number, None, rest, Malformed(rest, str(error)), complete=False)
            return
        yield Event(number, None, "", value)
        number += 1


def _mixed(text: str) -> Iterator[Event]:
    """Server-sent events, and bare JSON between or after them as separate events."""
    bare = list(_BARE.finditer(text))
    number, start = 0, 0
    for found in bare:
        for event in sse.events(text[start : found.start()]):
            yield replace(event, number=number)
            number += 1
        yield Event(number, None, found[0], jsontext.parse(found[0]))
        number, start = number + 1, found.end()
    for event in sse.events(text[start:]):
        yield replace(event, number=number)
        number += 1
