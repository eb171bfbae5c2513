"""What a client sends, as exact values: everything in its requests that does not repeat an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from conformance.diff.exchanges import Layers
from conformance.diff.row import Where
from conformance.diff.rows import place_row
from conformance.model.finding import Finding, Side
from conformance.model.jsontext import brief
from conformance.model.pointer import join, split
from conformance.model.transcript import Malformed

_LONGEST = 120


def requests_of(layers: Sequence[Layers], found: Mapping[tuple[int, Side, str], Finding]) -> dict[str, str]:
    """Each place in the requests with its value: method and path, headers, query, the body outside the history, rules.

    Of the history, the first request of a conversation is taken, which no answer precedes; of later requests the form
    of what they repeat: its types.
    """
    seen: dict[str, str] = {}
    for number, each in enumerate(layers, 1):
        request, view = each.carried.exchange.request, each.carried
        at = f"request {number}"
        path = request.path.replace(f"/{view.model}:", "/MODEL:") if view.model else request.path
        seen[f"{at}: method and path"] = f"{request.method} {path}"
        for name, value in request.query.items():
            if name != "key":
                seen[f"{at}: query {name}"] = value
        for name, value in request.headers:
            seen[f"{at}: header {name.lower()}"] = value if _value_matters(join("", name.lower()), "header") else "sent"
        if not isinstance(view.request, Malformed):
            answered = any(turn.role == "assistant" for turn in view.ask.history)
            pointers = (part.pointer for turn in view.ask.history for part in turn.parts)
            history = {split(pointer)[0] for pointer in pointers if split(pointer)} if answered else set()
            _fields(view.request, "", at, seen, history)
        for (place, side, rule), finding in found.items():
            if (place, side) == (each.number, "request") and not answered_before(each):
                seen[f"{at}: rule {rule}"] = finding.message
    return seen


def answered_before(layers: Layers) -> bool:
    """Whether a request repeats an answer, whose faults are then not the client's."""
    return any(turn.role == "assistant" for turn in layers.inner.ask.history)


def _value_matters(pointer: str, part: Any) -> bool:
    """Whether the value of a header matters, by the table: its presence always does."""
    return place_row(Where(pointer, "value", "request", part)).grade > 0


def _fields(value: Any, path: str, at: str, seen: dict[str, str], forms: set[str]) -> None:
    steps = split(path)
    if steps and steps[0] in forms:
        return
    if isinstance(value, dict) and value:
        for key, each in value.items():
            _fields(each, join(path, key), at, seen, forms)
    elif isinstance(value, list) and value:
        for number, each in enumerate(value):
            _fields(each, join(path, number), at, seen, forms)
    elif path != "/model":
        seen[f"{at}: field {path}"] = brief(value, _LONGEST)
