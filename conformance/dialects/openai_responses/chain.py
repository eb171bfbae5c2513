"""The items of earlier responses of the run, with which the items that a request sends back are compared."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_responses.items import type_of
from conformance.dialects.openai_responses.stream import DONE, field_of, final_response, kind_of
from conformance.judge.view import View
from conformance.model.pointer import join
from conformance.model.values import list_of, text_of

Placed = tuple[dict[str, Any], str]
"""An item, or a whole response object, and its pointer."""


@lru_cache(maxsize=4)
def _final(view: View) -> Placed | None:
    return final_response(view.events or ())


def delivered(view: View) -> Iterator[Placed]:
    """The final response object: the body, or that of a stream's last event."""
    if view.events is not None:
        final = _final(view)
        if final is not None:
            yield final
    elif isinstance(view.response, dict):
        yield view.response, ""


def output_of(view: View) -> list[Placed]:
    """The output items of a reply, streamed or not; of a stream those that it finished."""
    if output_of not in view.found:
        view.found[output_of] = _output_of(view)
    found: list[Placed] = view.found[output_of]
    return found


def _output_of(view: View) -> list[Placed]:
    if view.events is not None:
        done = [
            (item, join(event.pointer, "item"))
            for event in view.events
            if kind_of(event) == DONE and isinstance(item := field_of(event, "item"), dict)
        ]
        final = _final(view)
        return done or (_items(final[0].get("output"), join(final[1], "output")) if final else [])
    return _items(view.response.get("output"), "/output") if view.ok and isinstance(view.response, dict) else []


def input_of(view: View) -> list[Placed]:
    """The items of the request's input."""
    return _input_of(view)[0]


def input_by_type(view: View, *types: str) -> list[tuple[int, Placed]]:
    """The items of these types in the request's input, in their order, each with its number among all items.

    Most rules are about types that most requests do not have.
    """
    if input_by_type not in view.found:
        numbers: dict[str | None, list[int]] = {}
        for number, kind in enumerate(_input_of(view)[1]):
            numbers.setdefault(kind, []).append(number)
        view.found[input_by_type] = numbers
    found = view.found[input_by_type]
    items = input_of(view)
    return [(number, items[number]) for number in sorted(each for name in types for each in found.get(name, ()))]


def _input_of(view: View) -> tuple[list[Placed], list[str | None]]:
    """The items, and the type of each; those that the request repeats are read once."""
    if _input_of not in view.found:
        items = list_of(view.request.get("input")) if isinstance(view.request, dict) else []
        placed: list[Placed] = []
        types: list[str | None] = []
        kept = view.repeated.items if view.repeated is not None else 0
        if view.repeated is not None and all(isinstance(item, dict) for item in items[:kept]):
            before = _input_of(view.repeated.earlier)
            placed, types = before[0][:kept], before[1][:kept]
        placed = placed + _items(items[len(placed) :], "/input", len(placed))
        view.found[_input_of] = placed, types + [type_of(item) for item, _ in placed[len(types) :]]
    found: tuple[list[Placed], list[str | None]] = view.found[_input_of]
    return found


def made_by(view: View, item_id: str) -> list[Placed] | None:
    """The output of the earlier response that made an item, None where the run does not show it."""
    if made_by not in view.found:
        outputs = map(output_of, view.earlier)
        view.found[made_by] = {_id(item): output for output in outputs for item, _ in output}
    found: list[Placed] | None = view.found[made_by].get(item_id)
    return found


def _id(item: dict[str, Any]) -> str | None:
    return text_of(item.get("id"))


def _items(value: Any, pointer: str, first: int = 0) -> list[Placed]:
    placed = enumerate(list_of(value), first)
    return [(item, join(pointer, number)) for number, item in placed if isinstance(item, dict)]
