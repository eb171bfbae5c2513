"""Reading JSON text as evidence: broken and doubtful text is kept, and nothing raises."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from conformance.model.transcript import Malformed


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_scan: Callable[[str, int], tuple[Any, int]] = _DECODER.scan_once  # type: ignore[attr-defined]


def parse(text: str) -> Any:
    """The JSON value of the text, or `Malformed` with the parser's complaint.

    `NaN` and `Infinity`, which Python's parser accepts, are not JSON (RFC 8259, section 6).
    """
    try:
        value, end = _scan(text, 0)  # the common case: no space around the value
        if end == len(text):
            return value
    except (StopIteration, ValueError, RecursionError):
        pass
    try:
        return _DECODER.decode(text)
    except RecursionError:
        return Malformed(text, "nested too deeply")
    except ValueError as error:
        return Malformed(text, str(error))


class _KeyTwiceError(Exception):
    """An object has a duplicate key."""


def _refuse_twice(items: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(items)
    if len(keys) != len(items):
        raise _KeyTwiceError
    return keys


_REFUSING = json.JSONDecoder(object_pairs_hook=_refuse_twice).decode


def has_duplicate_keys(text: str) -> bool:
    """Whether the text is JSON with an object that holds a key more than once."""
    try:
        _REFUSING(text)
    except _KeyTwiceError:
        return True
    except (ValueError, RecursionError):
        pass
    return False


def twice(items: Iterable[tuple[str, Any]]) -> list[str]:
    """The keys that are there more than once, in the order in which they came."""
    return [name for name, times in Counter(name for name, _ in items).items() if times > 1]


def duplicate_keys(text: str) -> list[str]:
    """Keys that some object of the JSON text holds more than once; empty if the text does not parse."""
    if not has_duplicate_keys(text):
        return []
    seen: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = dict(items)
        if len(keys) < len(items):
            seen.extend(twice(items))
        return keys

    try:
        json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return []
    return seen


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal as JSON: 1 and 1.0 are, 1 and true and "1" are not."""
    if one is other or isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str):
        return isinstance(other, str) and one == other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(map(same, one.values(), map(other.__getitem__, one)))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and bool(one == other)


def agrees(one: Any, other: Any) -> bool:
    """Whether two values are the `same` but for members of objects that only one of them has, as a new field may be."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(agrees(one[key], other[key]) for key in one.keys() & other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(agrees, one, other))
    return same(one, other)


def canonical(value: Any) -> str:
    """A text that is equal for values that are the `same`."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def kind(value: Any) -> str:
    """The JSON type of a value, as messages name it."""
    return _KINDS.get(type(value), "nothing")


_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    Malformed: "text that is not JSON",
}


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, names of members too."""
    if isinstance(value, Mapping):
        yield from value
        value = value.values()
    elif isinstance(value, str):
        yield value
        return
    elif not isinstance(value, (list, tuple)):
        return
    for each in value:
        yield from texts(each)


def brief(value: Any, limit: int = 80) -> str:
    """The value as short JSON for a message, at most `limit` characters, never cut inside a token."""
    if isinstance(value, Malformed):
        value = value.text
    try:
        text = json.dumps(_head(value, [limit + 1]), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = kind(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def brief_pair(old: Any, new: Any, limit: int = 80) -> tuple[str, str]:
    """Two values as short JSON, both cut around the first character that differs, so that they never look equal."""
    one, other = (brief(value, sys.maxsize) for value in (old, new))
    alike = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    start = alike - limit // 3
    if start <= 0 or max(len(one), len(other)) <= limit:
        return brief(old, limit), brief(new, limit)
    cut = [
        text[start:] if len(text) - start <= limit else text[start : start + limit - 1] + "…" for text in (one, other)
    ]
    return f"…{cut[0]}", f"…{cut[1]}"


def _head(value: Any, left: list[int]) -> Any:
    """As much of the value as so many characters of JSON can hold: a long one costs no more than a short one."""
    if isinstance(value, str):
        cut = value if len(value) <= left[0] else value[: max(left[0], 0)] + "…"
        left[0] -= len(cut) + 2
        return cut
    left[0] -= 1
    if isinstance(value, list):
        return [_head(each, left) for each in takewhile(lambda _: left[0] > 0, value)]
    if isinstance(value, dict):
        return {_head(key, left): _head(each, left) for key, each in takewhile(lambda _: left[0] > 0, value.items())}
    return value
