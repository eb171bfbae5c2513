"""Examples of rules: a conforming exchange from the dialect's own store, with at most a few edits.

An example names a base (`openai-chat/call`) and its edits, so a violating example shows only its
one fault. The bases are in `examples.py` of each dialect's folder: lists of exchange objects, in which a
streamed response has `events` instead of a `body`.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.model import pointer as pointers
from conformance.model.exchange import Exchange
from conformance.model.registry import has_part, part_of


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: `put` a value, `drop` a place, `insert` before one of an array, `swap` two, `change` words in one."""

    action: str
    pointer: str
    value: Any = None


def put(pointer: str, value: Any) -> Edit:
    """Sets the value of a place."""
    return Edit("put", pointer, value)


def drop(pointer: str) -> Edit:
    """Removes a place."""
    return Edit("drop", pointer)


def insert(pointer: str, value: Any) -> Edit:
    """Inserts a value before a place of an array."""
    return Edit("insert", pointer, value)


def swap(pointer: str, other: str) -> Edit:
    """Swaps the values of two places."""
    return Edit("swap", pointer, other)


def change(pointer: str, old: str, new: str) -> Edit:
    """Replaces the first `old` in the text of a place with `new`."""
    return Edit("change", pointer, (old, new))


@dataclass(frozen=True, slots=True)
class Example:
    """`at` is the required place of a violating example's finding: `EXCHANGE SIDE POINTER`, as in `0 response /id`.

    The pointer is omitted if the finding is about the whole message. The default for a violating example is the place
    of its last edit.
    """

    base: str
    edits: tuple[Edit, ...] = ()
    at: str | None = None
    complete: bool = True

    @property
    def edited_at(self) -> str | None:
        """The place of the last edit, in the form of findings: `0 request /x`, `0 response event/2/x`, `0 request`.

        A dropped member is reported at its object.
        """
        if not self.edits:
            return None
        edit = self.edits[-1]
        holder, _, key = edit.pointer.rpartition("/")
        return finding_place(holder if edit.action == "drop" and not key.isdecimal() else edit.pointer)

    def document(self) -> list[dict[str, Any]]:
        """The base with the edits applied; a streamed response still has `events` instead of a body."""
        dialect, _, name = self.base.partition("/")
        # Not a deep copy: that would keep shared parts shared, so that one edit would apply twice.
        document = json.loads(json.dumps(_bases(dialect)[name]))
        for edit in self.edits:
            _apply(document, edit)
        return document  # type: ignore[no-any-return]

    def records(self) -> list[dict[str, Any]]:
        """The exchanges as exchange JSONL objects, with the edits applied."""
        return [rendered(record) for record in self.document()]

    def exchanges(self) -> list[Exchange]:
        return [
            Exchange.of(record, source=f"example:{self.base}", complete=self.complete, group="example")
            for record in self.records()
        ]


def example(base: str, *edits: Edit, at: str | None = None, complete: bool = True) -> Example:
    """An example with its edits as arguments: `example("openai-chat/call", drop("/0/response/body/id"), at="…")`."""
    return Example(base, edits, at, complete)


def finding_place(pointer: str) -> str:
    """A place in an example's document in the form of findings; outside bodies and events it is the whole message."""
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


_PLACE = re.compile(
    r"(?:(?P<exchange>\d+) )?(?:(?P<side>request|response)(?: (?:event/(?P<event>\d+))?(?P<rest>/.*)?)?|(?P<url>url))"
)


def document_pointer(place: str) -> str:
    """The place of a finding in an example's document: the inverse of `finding_place`.

    The number of the exchange may be omitted for the first one; `url` is that of the request.

    Raises:
        ValueError: it is not a place.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ValueError(f"{place!r} is not a place; write it as `1 request /messages/0` or `response event/2/id`")
    exchange, rest = match["exchange"] or 0, match["rest"] or ""
    if match["url"]:
        return f"/{exchange}/request/url"
    if match["event"] is None:
        return f"/{exchange}/{match['side']}/body{rest}"
    return f"/{exchange}/response/events/{match['event']}{'/data' if rest else ''}{rest}"


@cache
def _bases(dialect: str) -> Mapping[str, list[dict[str, Any]]]:
    if not has_part(dialect, "examples"):
        return {}
    bases: Mapping[str, list[dict[str, Any]]] = part_of(dialect, "examples").BASES
    return bases


def base_names(dialect: str) -> list[str]:
    """The names of a dialect's conforming exchanges."""
    return sorted(_bases(dialect))


def _apply(document: Any, edit: Edit) -> None:
    holder_pointer, _, last = edit.pointer.rpartition("/")
    holder = pointers.get(document, holder_pointer)
    key: Any = int(last) if isinstance(holder, list) else pointers.split(f"/{last}")[0]
    if edit.action == "put":
        holder[key] = copy.deepcopy(edit.value)
    elif edit.action == "drop":
        del holder[key]
    elif edit.action == "insert":
        holder.insert(key, copy.deepcopy(edit.value))
    elif edit.action == "change":
        old, new = edit.value
        if old not in holder[key]:
            raise ValueError(f"{old!r} is not at {edit.pointer}")
        holder[key] = holder[key].replace(old, new, 1)
    else:
        one, other = pointers.get(document, edit.pointer), pointers.get(document, edit.value)
        _apply(document, put(edit.pointer, other))
        _apply(document, put(edit.value, one))


def rendered(record: dict[str, Any]) -> dict[str, Any]:
    """An exchange of an example as an object of exchange JSONL, its events as the text of the body."""
    response = record["response"]
    if "events" in response:
        framed = _json_line if "ndjson" in response.get("headers", {}).get("content-type", "") else _event_text
        record = {**record, "response": {**response, "body": "".join(map(framed, response["events"]))}}
        del record["response"]["events"]
    return record


def _event_text(event: Mapping[str, Any]) -> str:
    name = f"event: {event['event']}\n" if event.get("event") else ""
    return f"{name}data: {_data(event)}\n\n"


def _json_line(event: Mapping[str, Any]) -> str:
    """An event of a stream of newline-delimited JSON, by its content type."""
    return f"{_data(event)}\n"


def _data(event: Mapping[str, Any]) -> str:
    data = event["data"]
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
