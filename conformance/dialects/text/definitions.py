"""Definitions of functions as JSON objects in a text: a list, or one after the other."""

from __future__ import annotations

import json
import re
from typing import Any

from conformance.dialects.wire_readers import function_in
from conformance.model.frozen import dataclass

_OBJECT = re.compile(r'\{\s*"(?:type|function|name|description|parameters)"\s*:')
_BROKEN = re.compile(r'\{\s*"(?:type"\s*:\s*"function"|name"\s*:\s*"[\w.-]+"\s*,\s*"(?:description|parameters)")')
_BETWEEN = re.compile(r"[\s,\[\]]*(?:Use the function [^\n]*\s*)?")
_LEFT_OVER = re.compile(r'\s*(?:[},]\s*[}"\]]|"[^"\n]*"\s*:)')
"""The text after a definition that is closed too early."""
_KEY = re.compile(r'"\s*:\s*\Z')
"""The end of a text before the value of a member."""
_TRIES = 400
"""Limit of failed attempts to read a definition, so that a hostile prompt costs little."""


@dataclass(frozen=True, slots=True)
class Found:
    """The definitions in a text, the beginnings of those that are no JSON, and where they begin and end."""

    values: tuple[dict[str, Any], ...]
    broken: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


def find_definitions(text: str) -> Found:
    """The consecutive definitions in a text, and their end."""
    decoder = json.JSONDecoder()
    values: list[dict[str, Any]] = []
    broken: list[str] = []
    place = start = end = 0
    failures = 0
    while failures < _TRIES:
        match = _OBJECT.search(text, place)
        if match is None or (end and not _BETWEEN.fullmatch(text, end, match.start())):
            break
        try:
            value, stop = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            failures += 1
            inner = _nested(text, match.start())
            if _BROKEN.match(text, match.start()) and not inner:
                broken.append(text[match.start() : match.start() + 60])
            place = match.start() + 1
            continue
        place = stop
        if _is_definition(value):
            if _nested(text, match.start()):  # the object around it did not parse
                broken.append(text[match.start() : match.start() + 60])
            start = start if values else match.start()
            values.append(value)
            end = stop
    if end and _LEFT_OVER.match(text, end):
        broken.append(text[end : end + 60])
    return Found(tuple(values), tuple(broken[:1]), start, end)


def _nested(text: str, start: int) -> bool:
    """Whether an object is the value of a member of another object."""
    return _KEY.search(text, max(0, start - 40), start) is not None


def _is_definition(value: Any) -> bool:
    inner = inner_of(value)
    return isinstance(inner.get("name"), str) and ("parameters" in inner or "description" in inner)


def inner_of(value: Any) -> dict[str, Any]:
    """The function in a definition of a tool, or the definition itself."""
    inner = function_in(value)
    return inner if isinstance(inner, dict) else {}
