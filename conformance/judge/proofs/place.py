"""Places, as findings write them: where a finding is, and what an example of a rule changes.

    1 request /messages/3/content       a JSON pointer into a body, here of the request of exchange 1
    response event/2/delta              a JSON pointer into the data of an event of a stream, here of exchange 0
    response event/2                    an event

The number of the exchange may be left out where it is 0. What lies outside the JSON of a body has a word:

    request, response                   a whole message
    request body, response body         a body as a whole
    request text, response text         a body as the text that is sent, JSON and events included
    request url, request method
    response status
    request headers                     all header fields
    request header content-type         one field, its name in lower case
    response events                     all events of a stream
    response event/2 data               the data of an event as a whole
    response event/2 text               the data as the text that is sent
    response event/2 name               the name of an event
    exchange 1                          an exchange as a whole
    exchange 0 line                     what a batch file has beside the bodies (`Exchange.line`)

An example edits its base in a list of exchanges, each an object of exchange JSONL. There a place is a JSON pointer:
`1 request /messages/3/content` is `/1/request/body/messages/3/content`.
"""

from __future__ import annotations

import re

from conformance.model import pointer as pointers

_PLACE = re.compile(
    r"exchange (?P<whole>\d+)(?P<line> line)?"
    r"|(?:(?P<exchange>\d+) )?(?P<side>request|response)"
    r"(?: (?P<word>body|text|url|method|status|headers|events)"
    r"| header (?P<header>\S+)"
    r"| event/(?P<event>\d+)(?P<inner>/.*| data| text| name)?"
    r"| (?P<pointer>/.*))?",
    re.DOTALL,
)
_OF_EVENTS = {None: "", " data": "/data", " text": "/text", " name": "/event"}
_WORDS = ("body", "text", "url", "method", "status", "headers", "events")


def document_pointer(place: str) -> str:
    """The JSON pointer of a place in an example's document.

    Raises:
        ValueError: it is not a place.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ValueError(
            f"{place!r} is not a place; write it as `1 request /messages/0`, `response event/2/id`, "
            "`response event/2 data`, `request header content-type` or `response status`"
        )
    if match["whole"]:
        return f"/{match['whole']}{'/line' if match['line'] else ''}"
    side = f"/{match['exchange'] or 0}/{match['side']}"
    if match["event"]:
        inner = match["inner"]
        return f"{side}/events/{match['event']}{_OF_EVENTS.get(inner) if inner in _OF_EVENTS else f'/data{inner}'}"
    if match["header"]:
        return pointers.join(f"{side}/headers", match["header"])
    if match["pointer"]:
        return f"{side}/body{match['pointer']}"
    return f"{side}/{match['word']}" if match["word"] else side


def place_at(pointer: str) -> str:
    """The place of a JSON pointer in an example's document: the inverse of `document_pointer`.

    Raises:
        ValueError: no place has this pointer.
    """
    exchange, *rest = pointers.split(pointer)
    number = "" if exchange == "0" else f"{exchange} "
    match rest:
        case []:
            return f"exchange {exchange}"
        case ["line"]:
            return f"exchange {exchange} line"
        case [side]:
            return f"{number}{side}"
        case [side, word] if word in _WORDS:
            return f"{number}{side} {word}"
        case [side, "headers", name]:
            return f"{number}{side} header {name}"
        case [side, "body", *inner]:
            return f"{number}{side} {pointers.join('', *inner)}"
        case [side, "events", event]:
            return f"{number}{side} event/{event}"
        case [side, "events", event, "event"]:
            return f"{number}{side} event/{event} name"
        case [side, "events", event, ("data" | "text") as word]:
            return f"{number}{side} event/{event} {word}"
        case [side, "events", event, "data", *inner]:
            return f"{number}{side} {pointers.join(f'event/{event}', *inner)}"
    raise ValueError(f"no place has the pointer {pointer}")


def finding_place(pointer: str) -> str:
    """Where the finding of a fault at a pointer is: `0 request /x`; outside bodies and events a whole message."""
    exchange, *rest = pointers.split(pointer)
    match rest:
        case [side, "body", *inner] if inner:
            return f"{exchange} {side} {pointers.join('', *inner)}"
        case ["response", "events", number, "data", *inner]:
            return f"{exchange} response {pointers.join(f'event/{number}', *inner)}"
        case ["response", "events", number, *_]:
            return f"{exchange} response event/{number}"
        case [side, *_]:
            return f"{exchange} {side}"
    return exchange
