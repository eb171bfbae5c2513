"""The text of JSON bodies: what parsers silently drop."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.exchange import Body
from conformance.model.finding import Hit, Side
from conformance.model.pointer import join


class _Doubled(dict[str, Any]):
    """An object of the text that has a key more than once."""

    keys_twice: tuple[str, ...] = ()


@rule(
    "key-duplicate",
    scope="exchange",
    cites="ANY-112",
)
def key_duplicate(view: View) -> Iterator[Hit]:
    """No object of a body may have a duplicate key.

    Parsers keep the first value, the last, or fail: a gateway that checks one and a server that uses the other
    see two different messages.
    """
    request, response = view.exchange.request, view.exchange.response
    if _may_double(request.body.text, request.body):
        yield from _doubled(request.body.text, "", "request")
    events = view.events if response.body.framed else response.events
    if not events:  # an error may be JSON under the type of a stream
        if _may_double(response.body.text, response.body):
            yield from _doubled(response.body.text, "", "response")
        return
    spaced = _is_spaced(response.body.text or "")
    for event in events:
        if spaced or _counts_differ(event.data, event.json):
            yield from _doubled(event.data, event.pointer, "response")


def _is_spaced(text: str) -> bool:
    """Whether a colon has a space before it, so that keys cannot be counted by `":`."""
    return '" :' in text


def _may_double(text: str | None, body: Body) -> bool:
    return text is not None and (_counts_differ(text, body.json) or _is_spaced(text))


def _counts_differ(text: str, value: Any) -> bool:
    try:
        return text.count('":') - text.count('\\":') != _keys(value)  # quotes inside a string are escaped
    except RecursionError:
        return True


def _keys(value: Any) -> int:
    """How many keys a value has in total. Its text has the same number of `":` if no key is duplicate.

    Counting is several times faster than parsing again, and nearly always enough.
    """
    if isinstance(value, dict):
        count = len(value)
        value = value.values()
    elif isinstance(value, list):
        count = 0
    else:
        return 0
    for each in value:
        kind = type(each)
        if kind is dict or kind is list:
            count += _keys(each)
    return count


def _mark_twice(items: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = _Doubled(items)
    keys.keys_twice = tuple(jsontext.twice(items))
    return keys


def _doubled(text: str | None, pointer: str, side: Side) -> Iterator[Hit]:
    text = (text or "").strip()
    if not jsontext.has_duplicate_keys(text):
        return
    try:
        whole = json.loads(text, object_pairs_hook=_mark_twice)
    except (ValueError, RecursionError):
        return
    yield from _places(whole, pointer, side)


def _places(value: Any, pointer: str, side: Side) -> Iterator[Hit]:
    if isinstance(value, _Doubled):
        for name in value.keys_twice:
            yield Hit(join(pointer, name), "duplicate key", "each key once", name, side=side)
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, join(pointer, name), side)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _places(inner, join(pointer, number), side)
