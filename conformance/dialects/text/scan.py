"""Scanning text for tags and for JSON values inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping


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
