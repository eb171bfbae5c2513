"""Cuts the texts of a stream into other pieces, whatever the dialect: an event with a delta becomes two."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from conformance.model.document import Document, Mark

_CUT = 0.3
_SHORTEST = 4
_DELTAS = ("content", "text", "thinking", "partial_json", "delta", "arguments")
_NAMING = ("id", "role", "name", "finish_reason", "finishReason", "usageMetadata", "functionCall")


def recut(documents: Iterable[Document | Mark], chance: random.Random) -> list[Document | Mark]:
    """The stream with some of its text events cut in two, and the events numbered anew."""
    found: list[Document | Mark] = []
    for each in documents:
        found += _halves(each, chance) if isinstance(each, Document) else [each]
    number = 0
    for place, each in enumerate(found):
        if isinstance(each, Document) and isinstance(each.value, dict) and "sequence_number" in each.value:
            found[place] = replace(each, value={**each.value, "sequence_number": number})
            number += 1
    return found


def _halves(document: Document, chance: random.Random) -> list[Document | Mark]:
    value = document.value
    steps = _delta(value) if isinstance(value, dict) else None
    if steps is None or chance.random() > _CUT:
        return [document]
    text = _at(value, steps)
    cut = chance.randrange(1, len(text))
    pair = []
    for half in (text[:cut], text[cut:]):
        own = copy.deepcopy(value)
        _at(own, steps[:-1])[steps[-1]] = half
        pair.append(replace(document, value=own))
    return [*pair]


def _delta(value: dict[str, Any]) -> tuple[Any, ...] | None:
    """Where an event has the one text that it adds, if it adds nothing else."""
    if str(value.get("type", "")).endswith((".done", "_stop", "_start", ".added", ".completed")):
        return None
    found = list(_texts(value, ()))
    inner = [steps for steps in found if len(steps) > 1 or "type" in value]
    return inner[0] if len(inner) == 1 else None


def _texts(value: Any, steps: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        if steps and any(value.get(name) for name in _NAMING):
            yield from ((*steps, "?"), (*steps, "?"))  # it names or ends something: two texts, so that none is cut
        for key, each in value.items():
            if isinstance(each, str):
                if key in _DELTAS and len(each) >= _SHORTEST:
                    yield (*steps, key)
            else:
                yield from _texts(each, (*steps, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _texts(each, (*steps, number))


def _at(value: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        value = value[step]
    return value
