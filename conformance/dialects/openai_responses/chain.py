"""The items of earlier responses of the run, with which the items that a request sends back are compared."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_responses.items import list_of, text_of
from conformance.dialects.openai_responses.stream import ADDED, DONE, field_of, final_response, kind_of
from conformance.judge.view import View
from conformance.model.pointer import join

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


@lru_cache(maxsize=2)
def input_of(view: View) -> list[Placed]:
    """The items of the request's input."""
    return _items(view.request.get("input"), "/input") if isinstance(view.request, dict) else []


def made_by(view: View, item_id: str) -> list[Placed] | None:
    """The output of the earlier response that made an item, None where the run does not show it."""
    if made_by not in view.found:
        outputs = map(output_of, view.earlier)
        view.found[made_by] = {_id(item): output for output in outputs for item, _ in output}
    found: list[Placed] | None = view.found[made_by].get(item_id)
    return found


def seals_of(view: View, item_id: str) -> Iterator[str]:
    """Every `encrypted_content` of a reasoning item in earlier responses.

    A stream sends it up to three times, each time encrypted again, and all of them are valid.
    """
    if seals_of not in view.found:
        sealed: dict[str | None, list[str]] = {}
        for earlier in view.earlier:
            for item, _ in [*output_of(earlier), *_others(earlier)]:
                if isinstance(item.get("encrypted_content"), str):
                    sealed.setdefault(_id(item), []).append(item["encrypted_content"])
        view.found[seals_of] = sealed
    yield from view.found[seals_of].get(item_id, ())


def _id(item: dict[str, Any]) -> str | None:
    return text_of(item.get("id"))


def _others(view: View) -> list[Placed]:
    """The items of a stream's `added` events and of its final response."""
    if view.events is None:
        return []
    added = [
        (item, "")
        for event in view.events
        if kind_of(event) == ADDED and isinstance(item := field_of(event, "item"), dict)
    ]
    final = _final(view)
    return [*added, *(_items(final[0].get("output"), "") if final else [])]


def _items(value: Any, pointer: str) -> list[Placed]:
    return [(item, join(pointer, number)) for number, item in enumerate(list_of(value)) if isinstance(item, dict)]
