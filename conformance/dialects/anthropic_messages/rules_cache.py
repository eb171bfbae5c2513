"""Cache breakpoints of a Messages request, ANT-Q-025."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.official import refused_here
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join

_MOST = 4
_KEYS = ("tools", "system", "messages")


@rule(
    "messages-cache-breakpoints-too-many",
    scope="request",
    cites="ANT-Q-025",
)
def cache_breakpoints_too_many(view: View) -> Iterator[Hit]:
    """A request must have at most four blocks with `cache_control`.

    The server refuses more. Clients that mark every turn and keep the old marks reach the limit after a few turns.
    """
    body = view.request if isinstance(view.request, dict) else {}
    if sum(_count(body.get(key)) for key in _KEYS) <= _MOST:
        return
    found = [at for key in _KEYS for at in _marked(body.get(key), join("", key))]
    if len(found) > _MOST:
        yield Hit(
            found[_MOST],
            f"{len(found)} blocks have cache_control",
            f"at most {_MOST}",
            str(len(found)),
            severity=refused_here(view),
            fix="remove `cache_control` from the older blocks",
        )


def _count(value: Any) -> int:
    """How many places `_marked` has: a long history has many blocks and few marks."""
    if isinstance(value, list):
        return sum(map(_count, value))
    if not isinstance(value, dict):
        return 0
    return (value.get("cache_control") is not None) + _count(value.get("content"))


def _marked(value: Any, at: str) -> Iterator[str]:
    """The places of `cache_control` in the order in which the server reads them; a tool's arguments are not blocks."""
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _marked(each, join(at, number))
    elif isinstance(value, dict):
        if value.get("cache_control") is not None:
            yield join(at, "cache_control")
        yield from _marked(value.get("content"), join(at, "content"))
