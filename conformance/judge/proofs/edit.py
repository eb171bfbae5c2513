"""Edits of the exchanges of an example, and the text of their bodies."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from conformance.errors import did_you_mean
from conformance.judge.proofs.place import document_pointer, place_at
from conformance.model import lines
from conformance.model import pointer as pointers
from conformance.model.eventstream import of_text
from conformance.model.frozen import dataclass
from conformance.model.pointer import MISSING

_MORE: Mapping[str, tuple[str, ...]] = {
    "put": ("value",),
    "drop": (),
    "insert": ("value",),
    "swap": ("with",),
    "change": ("old", "new"),
    "cut": ("by",),
}
"""The kinds of edits, each with its further keys."""
_OF_TEXT = re.compile(r"(?P<holder>/\d+/(?:request|response)(?:/events/\d+)?)/text")


@dataclass(frozen=True, slots=True)
class Edit:
    """One change: `put` a value, `drop` a place, `insert` before one of an array, `swap` two, `change` or `cut` a text.

    `pointer` is the place in the list of exchanges.
    """

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


def apply(document: Any, edit: Edit) -> None:
    """Makes the edit in a list of exchanges.

    Raises:
        ValueError: the place does not exist, or its text does not have the words that the edit changes.
    """
    if match := _OF_TEXT.fullmatch(edit.pointer):
        edit = replace(edit, pointer=_written_as_text(document, match["holder"]))
    holder_pointer, _, last = edit.pointer.rpartition("/")
    holder = pointers.get(document, holder_pointer)
    if not isinstance(holder, (dict, list)) or (isinstance(holder, list) and not last.isdecimal()):
        raise _nothing_at(edit.pointer)
    key: Any = int(last) if isinstance(holder, list) else pointers.split(f"/{last}")[0]
    if edit.action == "put" and isinstance(holder, dict):
        holder[key] = copy.deepcopy(edit.value)
    elif edit.action == "insert" and isinstance(holder, list) and key <= len(holder):
        holder.insert(key, copy.deepcopy(edit.value))
    elif pointers.get(document, edit.pointer) is MISSING:
        raise _nothing_at(edit.pointer)
    elif edit.action == "put":
        holder[key] = copy.deepcopy(edit.value)
    elif edit.action == "drop":
        del holder[key]
    elif edit.action in ("cut", "change") and not isinstance(holder[key], (str, bytes)[: 1 + (edit.action == "cut")]):
        raise ValueError(f"`{place_at(edit.pointer)}` is not a text")
    elif edit.action == "cut":
        holder[key] = holder[key][: -edit.value]
    elif edit.action == "change":
        old, new = edit.value
        if old not in holder[key]:
            raise ValueError(f"{old!r} is not in the text of `{place_at(edit.pointer)}`")
        holder[key] = holder[key].replace(old, new, 1)
    else:
        one, other = pointers.get(document, edit.pointer), pointers.get(document, edit.value)
        apply(document, put(edit.pointer, other))
        apply(document, put(edit.value, one))


def _written_as_text(document: Any, pointer: str) -> str:
    """Replaces the body of a message, or the data of an event, by the text that is sent; returns the place of it."""
    holder = pointers.get(document, pointer)
    if not isinstance(holder, dict):
        raise _nothing_at(pointer)
    if "/events/" in pointer:
        holder["data"] = _data_of(holder)
        return f"{pointer}/data"
    holder["body"] = text_of(holder)
    holder.pop("events", None)
    return f"{pointer}/body"


def text_of(message: Mapping[str, Any]) -> Any:
    """The body of a message as the text that is sent; what is no JSON document (a text, nothing) stays as it is."""
    if "events" in message and "eventstream" in message.get("headers", {}).get("content-type", ""):
        return b"".join(map(_frame, message["events"]))
    if "events" in message:
        is_lines = lines.is_of_lines(message.get("headers", {}).get("content-type", ""))
        return "".join(f"{_data_of(each)}\n" if is_lines else _event_text(each) for each in message["events"])
    body = message.get("body")
    return json.dumps(body, ensure_ascii=False) if isinstance(body, (dict, list)) else body


def _frame(event: Mapping[str, Any]) -> bytes:
    """The message of an event `{name: payload}`; of one whose data is a text, this is the payload.

    `flipped` is the number of a byte that is broken.
    """
    message = bytearray(of_text(_data_of(event)))
    if "flipped" in event:
        message[event["flipped"]] ^= 1
    return bytes(message)


def _event_text(event: Mapping[str, Any]) -> str:
    name = f"event: {event['event']}\n" if event.get("event") else ""
    number = f"id: {event['id']}\n" if "id" in event else ""
    return f"{number}{name}data: {_data_of(event)}\n\n"


def _data_of(event: Mapping[str, Any]) -> str:
    data = event["data"]
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def _nothing_at(pointer: str) -> ValueError:
    return ValueError(f"there is nothing at `{place_at(pointer)}` in the base, after the edits before this one")


def edits_of(written: Any) -> Iterator[Edit]:
    """The edits of one entry in a file: `{put: response /id, value: x}`, once or as many `times` as it states.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(written, dict):
        raise ValueError(f"{written!r} is not an edit; write it as `put: request /user` and `value: x`")
    if "times" not in written:
        yield _edit(written)
        return
    for number in range(1, written["times"] + 1):
        yield _edit({key: _numbered(value, str(number)) for key, value in written.items() if key != "times"})


def _numbered(value: Any, number: str) -> Any:
    """The value with a number for each `#` in its texts."""
    if isinstance(value, dict):
        return {_numbered(key, number): _numbered(each, number) for key, each in value.items()}
    if isinstance(value, list):
        return [_numbered(each, number) for each in value]
    return value.replace("#", number) if isinstance(value, str) else value


def _edit(written: Mapping[str, Any]) -> Edit:
    actions = [each for each in _MORE if each in written]
    if not actions:
        wrong = next(map(str, written), "")
        raise ValueError(f"`{wrong}` is not an edit; {did_you_mean(wrong, _MORE, form='`{}`')}")
    action, *others = actions
    more = _MORE[action]
    if others or written.keys() != {action, *more}:
        needed = " and ".join(f"`{each}`" for each in more) or "no other key"
        raise ValueError(f"`{action}` takes {needed}; write further edits in the list `edits`")
    pointer = document_pointer(str(written[action]))
    if action == "swap":
        return Edit(action, pointer, document_pointer(str(written["with"])))
    values = [written[each] for each in more]
    return Edit(action, pointer, tuple(values) if action == "change" else next(iter(values), None))
