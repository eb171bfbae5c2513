"""Scanning text for tags and for JSON values inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from conformance.model import jsontext
from conformance.model.transcript import Malformed, Part, ToolCall, Unknown


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
    """The end of the JSON object or array that begins at `start`; None if it is open or broken.

    Brackets inside strings are ignored. A line end inside a string is not JSON.
    """
    return _ends(text, start).get(start)


_STRING = re.compile(r'"(?:[^"\\\n]|\\[\s\S])*+"')
_TOKEN = re.compile(rf'{_STRING.pattern}|["{{}}\[\]]')


def _ends(text: str, start: int) -> dict[int, int | None]:
    """The end of each bracket between the one at `start` and its own end, or the end of the text."""
    ends: dict[int, int | None] = {}
    opened: list[int] = []
    for match in _TOKEN.finditer(text, start):
        symbol = match[0]
        if symbol in "{[":
            opened.append(match.start())
        elif symbol in "}]":
            if not opened:
                break
            ends[opened.pop()] = match.end()
            if not opened:
                break
        elif symbol == '"':  # a string without an end
            break
    return {**dict.fromkeys(opened), **ends}


class Buffer:
    """Text that is consumed from its front. Positions count from the first character that is not consumed yet.

    The text is scanned once, however often the same tag is searched for and however many brackets stay open.
    """

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._tags: dict[str, tuple[int, int]] = {}
        self._ends: dict[int, int | None] = {}
        self._read = 0
        self._line_end: int | None = None

    def __len__(self) -> int:
        return len(self._text) - self._at

    def add(self, text: str) -> None:
        """Adds text at the end."""
        self._text, self._at = self._text[self._at :] + text, 0
        self._tags.clear()
        self._ends.clear()
        self._read, self._line_end = 0, None

    def take(self, size: int) -> str:
        """Removes this many characters from the front."""
        start = self._at
        self._at = min(start + size, len(self._text))
        self._read, self._line_end = self._at, None
        return self._text[start : self._at]

    def find(self, tag: str, start: int = 0) -> int:
        """The position of the next occurrence of a tag; -1 if there is none."""
        begin = self._at + start
        looked, found = self._tags.get(tag, (len(self._text) + 1, -1))
        if begin < looked or -1 < found < begin:
            found = self._text.find(tag, begin)
            self._tags[tag] = begin, found
        return found if found < 0 else found - self._at

    def startswith(self, tags: str | tuple[str, ...], start: int = 0) -> bool:
        """Whether one of the tags is at a position."""
        return self._text.startswith(tags, self._at + start)

    def piece(self, start: int, end: int) -> str:
        """The characters from one position to another."""
        return self._text[self._at + start : self._at + end]

    def after_blank(self, start: int = 0) -> int:
        """The first position from there on that is not white space; the end if there is none."""
        place = self._at + start
        while place < len(self._text) and self._text[place].isspace():
            place += 1
        return place - self._at

    def inside_string(self, end: int) -> bool:
        """Whether the JSON text before a position ends inside one of its strings; positions must be asked in order."""
        stop = self._at + end
        while self._line_end is None and (quote := self._text.find('"', self._read, stop)) >= 0:
            string = _STRING.match(self._text, quote)
            if string is None:
                newline = self._text.find("\n", quote)
                self._line_end = len(self._text) if newline < 0 else newline
            elif string.end() > stop:
                return True
            else:
                self._read = string.end()
        if self._line_end is not None:
            return stop <= self._line_end
        self._read = max(self._read, stop)
        return False

    def value_end(self, start: int) -> int | None:
        """The end of the JSON object or array that begins at a position; None if it is open or broken."""
        place = self._at + start
        if place not in self._ends:
            self._ends |= _ends(self._text, place)
        end = self._ends.get(place)
        return None if end is None else end - self._at


def members(text: str) -> Mapping[str, str]:
    """The members of a JSON object as written: each key with the text of its (last) value.

    Empty if the text is not an object. Large integers and `1e2` are kept as written.
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
    r"""JSON text without the delimiters: their first character is written as an escape (`\u003c`).

    A delimiter is not JSON syntax, so it can only be in a string, where an escape means the same. A character after
    a backslash is left unchanged.
    """
    for delimiter in delimiters:
        pattern = re.compile(rf"(\\.)|{re.escape(delimiter)}", re.DOTALL)
        json_text = pattern.sub(lambda match: match[1] or f"\\u{ord(match[0][0]):04x}{match[0][1:]}", json_text)
    return json_text


_NAME = re.compile(r'"name"\s*:\s*("(?:[^"\\\n]|\\.)*")')
_ARGUMENTS = re.compile(r'"arguments"\s*:\s*')


def half_call(body: str, raw: str) -> Part:
    """What is known of a truncated call: `body` is the beginning of its JSON, `raw` the same with its tag."""
    name = _NAME.search(body)
    if name is None:
        return Unknown("half a call", raw)
    start = _ARGUMENTS.search(body, name.end())
    wire = body[start.end() :] if start else ""
    return ToolCall(None, jsontext.parse(name[1]), Malformed(wire, "cut off"), wire=wire or None)
