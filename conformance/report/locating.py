"""The line of a recording that a finding is about, as far as it can be found.

Exchange JSONL has one line for each exchange. A cassette or HAR file is parsed for the marks of its nodes only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from conformance.model.finding import Finding
from conformance.model.source import split_source

_LARGEST = 16 << 20
"""Files from this size on, in bytes, are not parsed again for a line number."""
_LISTS = ("interactions", "http_interactions", "entries")
_BODIES = ("body", "content", "postData")
_TEXTS = ("string", "text")

Marks = dict[tuple[str, ...], tuple[int, bool, str]]
"""By path in the document: the line from 1, whether the text begins on the next one, and the text."""


def line_of(finding: Finding) -> int | None:
    """The line, from 1; None if there is no such file, or the line is unknown."""
    file, line = split_source(finding.source)
    if line is not None:
        return line
    path = Path(file)
    try:
        if finding.exchange is None or not path.is_file() or path.stat().st_size > _LARGEST:
            return None
        marks = _marks(file)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return None
    exchange = next((each for each in marks if each[-2:-1] and _is_exchange(each, finding.exchange)), None)
    if exchange is None:
        return None
    best = marks[exchange][0]
    if finding.side is not None and (*exchange, finding.side) in marks:
        best = marks[(*exchange, finding.side)][0]
        for each, (line, block, text) in marks.items():
            if each[: len(exchange) + 1] == (*exchange, finding.side) and _is_body(each[len(exchange) + 1 :]):
                best = line + block + (_event_line(text, finding.pointer) if block else 0)
    return best


def _is_exchange(path: tuple[str, ...], number: int) -> bool:
    return path[-1] == str(number) and path[-2] in _LISTS


def _is_body(path: tuple[str, ...]) -> bool:
    return len(path) <= 2 and path[:1] != () and path[0] in _BODIES and (len(path) == 1 or path[1] in _TEXTS)


def _event_line(text: str, pointer: str | None) -> int:
    """How many lines before the event that a pointer names."""
    if pointer is None or not pointer.startswith("event/"):
        return 0
    wanted, seen, fresh = int(pointer.split("/")[1]), -1, True
    for number, line in enumerate(text.split("\n")):
        if line.startswith("data:") and fresh:
            seen, fresh = seen + 1, False
            if seen == wanted:
                return number
        fresh = fresh or not line.strip()
    return 0


@lru_cache(maxsize=8)
def _marks(file: str) -> Marks:
    """The start of each value of the document, down to the bodies.

    Raises:
        OSError, UnicodeDecodeError, yaml.YAMLError: it cannot be read as YAML, which includes JSON.
    """
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = Path(file).read_text(encoding="utf-8")
    return dict(_walk(yaml.parse(text, Loader=loader)))


def _walk(events: Iterator[Any]) -> Iterator[tuple[tuple[str, ...], tuple[int, bool, str]]]:
    """The path and the mark of every node, from the parser's events: no recursion, and no tree."""
    path: list[str | int | None] = []
    for event in events:
        if isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            path.pop()
            _next(path)
            continue
        opens = isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent))
        if not opens and not isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent)):
            continue
        scalar = event.value if isinstance(event, yaml.ScalarEvent) else ""
        if path and path[-1] is None:
            path[-1] = scalar  # the key of a mapping
            if opens:
                path.append(None)
            continue
        block = isinstance(event, yaml.ScalarEvent) and event.style in ("|", ">")
        yield tuple(map(str, path)), (event.start_mark.line + 1, block, scalar)
        if opens:
            path.append(0 if isinstance(event, yaml.SequenceStartEvent) else None)
        else:
            _next(path)


def _next(path: list[str | int | None]) -> None:
    """Moves past a value, to the next number of a sequence or the next key of a mapping."""
    if path:
        last = path[-1]
        path[-1] = last + 1 if isinstance(last, int) else None
