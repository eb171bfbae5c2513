"""The lines of a stream come once, in the order in which they were made."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, same
from conformance.model.pointer import join
from conformance.model.sse import Event


def _pairs(view: View) -> Iterator[tuple[Event, Event]]:
    """Each line with the next one, where both are objects."""
    for one, other in pairwise(view.events or ()):
        if isinstance(one.json, dict) and isinstance(other.json, dict):
            yield one, other


@rule("ollama-line-out-of-order", scope="stream", cites="OLC-S-007")
def line_out_of_order(view: View) -> Iterator[Hit]:
    """The lines of a stream must come in the order of their times.

    A server or a proxy that mixes them up gives the client a scrambled text.
    """
    for one, other in _pairs(view):
        before, after = _time(one.json.get("created_at")), _time(other.json.get("created_at"))
        if before is not None and after is not None and after < before:
            at = join(other.pointer, "created_at")
            made, later = other.json["created_at"], one.json["created_at"]
            yield Hit(at, "the line is older than the one before it", f"{later} or later", made)
            return


@rule("ollama-line-repeated", scope="stream", cites="OLC-S-008")
def line_repeated(view: View) -> Iterator[Hit]:
    """A line of a stream must come once.

    The client adds the piece to the text twice, or runs a call twice.
    """
    for one, other in _pairs(view):
        if other.json.get("created_at") and same(one.json, other.json):
            yield Hit(other.pointer, "the line is the same as the one before it", "another line", brief(other.json))
            return


def _time(value: Any) -> datetime | None:
    try:
        made = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return made if made is not None and made.tzinfo is not None else None
