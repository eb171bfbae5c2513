"""Riding: what the dialects share whose turns are text inside another dialect's messages.

A rider reads through its carrier: the carrier takes the envelope apart, the rider's reader makes parts of the text
that it finds there. A reader takes the text piece by piece, and what comes out is the same however it was cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from conformance.dialects import all_dialects
from conformance.moments import closed, whole_parts
from conformance.transcript import Moment, Part, Reasoning, Role, Text, ToolCall, Turn

if TYPE_CHECKING:
    from conformance.view import View

CUT = ("length", "filter")
"""How a turn stops that may end anywhere."""


class Reader(Protocol):
    """Reads one text. Text and reasoning come out in pieces as soon as they are certain, calls as a whole."""

    def feed(self, chunk: str) -> Iterator[Part]:
        """The parts that are certain after this chunk."""

    def finish(self, *, cut: bool = False) -> Iterator[Part]:
        """What is left at the end; `cut` says that the text was cut off, so that half a call is a call."""


class Parse(Protocol):
    """Reads a text at once."""

    def __call__(self, text: str, *, cut: bool = False) -> tuple[Part, ...]:
        """All its parts."""


def read(reader: Reader, text: str, *, cut: bool = False) -> tuple[Part, ...]:
    """All parts of a text, pieces of the same kind put together."""
    return tuple(merged((*reader.feed(text), *reader.finish(cut=cut))))


def merged(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts with neighbouring pieces of text, and of reasoning, made one."""
    last: Part | None = None
    for part in parts:
        if isinstance(last, Text) and isinstance(part, Text):
            last = replace(last, text=last.text + part.text)
        elif isinstance(last, Reasoning) and isinstance(part, Reasoning):
            last = replace(last, text=(last.text or "") + (part.text or ""))
        else:
            if last is not None:
                yield last
            last = part
    if last is not None:
        yield last


def placed(parts: Iterable[Part], pointer: str) -> Iterator[Part]:
    """The parts, all standing at one place of the wire."""
    for part in parts:
        yield replace(part, pointer=pointer)


def reread(turn: Turn, parse: Parse) -> Turn:
    """A turn of the carrier with its text taken apart.

    The carrier has one word for every end of its own accord; a turn that holds calls ends for them.
    """
    parts: list[Part] = []
    for part in turn.parts:
        if isinstance(part, Text):
            parts.extend(placed(parse(part.text, cut=turn.stop in CUT), part.pointer))
        else:
            parts.append(part)
    read_turn = replace(turn, parts=tuple(parts))
    return replace(read_turn, stop="tool-calls") if read_turn.calls and turn.stop == "end" else read_turn


def narrate(moments: Iterable[Moment], new_reader: Callable[[], Reader]) -> Iterator[Moment]:
    """The carrier's moments with its text taken apart as it comes."""
    return closed(_told(moments, new_reader))


def _told(moments: Iterable[Moment], new_reader: Callable[[], Reader]) -> Iterator[Moment]:
    readers: dict[int, Reader] = {}
    calls: dict[int, int] = {}
    own: dict[tuple[int, int], int] = {}
    last: dict[int, str] = {}

    def say(parts: Iterable[Part], choice: int) -> Iterator[Moment]:
        for part in placed(parts, last.get(choice, "")):
            yield from whole_parts([part], calls.get(choice, 0), choice)
            calls[choice] = calls.get(choice, 0) + isinstance(part, ToolCall)

    for moment in moments:
        choice = moment.choice
        if moment.kind == "text" and moment.text:
            last[choice] = moment.pointer
            reader = readers.setdefault(choice, new_reader())
            yield from say(reader.feed(moment.text), choice)
        elif moment.kind == "stop":
            if choice in readers:
                yield from say(readers.pop(choice).finish(cut=moment.stop in CUT), choice)
            calling = calls.get(choice) and moment.stop == "end"
            yield replace(moment, stop="tool-calls") if calling else moment
        elif moment.call is not None:  # the carrier's own call: numbered along with those in the text
            number = own.setdefault((choice, moment.call), calls.get(choice, 0))
            calls[choice] = max(calls.get(choice, 0), number + 1)
            yield replace(moment, call=number)
        else:
            yield moment
    for choice in list(readers):
        yield from say(readers.pop(choice).finish(), choice)


def partial_tag(text: str, tags: Iterable[str]) -> int:
    """How many characters at the end of the text could be the beginning of a tag."""
    longest = 0
    for tag in tags:
        for length in range(min(len(tag) - 1, len(text)), longest, -1):
            if text.endswith(tag[:length]):
                longest = length
                break
    return longest


def value_end(text: str, start: int = 0) -> int | None:
    """Where the JSON object or array that begins at `start` ends; None where it does not, or is broken.

    Brackets inside strings count for nothing. A line end inside a string is not JSON.
    """
    depth = 0
    place = start
    while place < len(text):
        character = text[place]
        if character == '"':
            end = _string_end(text, place)
            if end is None:
                return None
            place = end
            continue
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
        place += 1
    return None


def inside_string(text: str) -> bool:
    """Whether JSON text ends inside one of its strings."""
    place = 0
    while (quote := text.find('"', place)) >= 0:
        end = _string_end(text, quote)
        if end is None:
            return "\n" not in text[quote:]
        place = end
    return False


def _string_end(text: str, quote: int) -> int | None:
    """Where the string that opens at `quote` ends; None where the text or the line ends first."""
    place = quote + 1
    while place < len(text):
        character = text[place]
        if character == "\\":
            place += 2
            continue
        if character == '"':
            return place + 1
        if character == "\n":
            return None
        place += 1
    return None


def members(text: str) -> Mapping[str, str]:
    """The members of a JSON object as they are written: each key with the text of its value. Of two, the last.

    Empty where the text is no object. Large integers and `1e2` stay what they are.
    """
    decoder = json.JSONDecoder()
    found: dict[str, str] = {}
    try:
        place = _blank(text, 0)
        if text[place] != "{":
            return {}
        place = _blank(text, place + 1)
        while text[place] != "}":
            key, place = decoder.raw_decode(text, place)
            place = _blank(text, _blank(text, place) + 1)
            _, end = decoder.raw_decode(text, place)
            found[str(key)] = text[place:end]
            place = _blank(text, end)
            if text[place] == ",":
                place = _blank(text, place + 1)
    except (ValueError, IndexError, RecursionError):
        return {}
    return found


def _blank(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def shielded(json_text: str, delimiters: Iterable[str]) -> str:
    r"""JSON text in which no delimiter shows: its first character is written as an escape (`\u003c`).

    What is no JSON syntax can stand in a string only, and there an escape means the same. A character that a
    backslash escapes already is left alone.
    """
    for delimiter in delimiters:
        pattern = re.compile(rf"(\\.)|{re.escape(delimiter)}", re.DOTALL)
        json_text = pattern.sub(lambda match: match[1] or f"\\u{ord(match[0][0]):04x}{match[0][1:]}", json_text)
    return json_text


def text_of(value: Any) -> str:
    """The text of a message's content: a string, or text parts one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def said_in_reply(view: View) -> Iterator[tuple[Turn, Text]]:
    """The texts of a reply as the carrier reads them, each with its turn."""
    carrier = view.dialect.carrier
    if carrier is None:
        return
    reader = all_dialects()[carrier]
    turns = reader.read_reply(view.response) if view.events is None else reader.read_stream(view.events)
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, Text):
                yield turn, part


def said_in_history(view: View, role: Role) -> Iterator[Text]:
    """The texts of one role in a request as the carrier reads them."""
    carrier = view.dialect.carrier
    if carrier is None:
        return
    ask = all_dialects()[carrier].read_request(view.exchange.request, view.request)
    for turn in ask.history:
        for part in turn.parts:
            if isinstance(part, Text) and turn.role == role:
                yield part
