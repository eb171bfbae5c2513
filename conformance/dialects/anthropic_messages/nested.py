"""The requests of a batch, and their results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.nested import Nested, answered, asked, before
from conformance.judge.view import View
from conformance.model.values import get, objects_in


def nested(view: View) -> Iterator[Nested]:
    """The requests of a batch where it is created, and the messages among its results."""
    url = view.exchange.request.url.partition("/batches")[0]
    if view.endpoint == "batch created":
        yield from (asked(url, params, f"{at}/params") for params, _, at in _requests(view))
    elif view.endpoint == "batch results":
        batch = view.exchange.request.path.rstrip("/").split("/")[-2]
        created = before(view, "batch created", lambda each: get(each.response, "id") == batch)
        sent = {} if created is None else {name: params for params, name, _ in _requests(created)}
        for event in view.events or ():
            message, name = get(event.json, "result", "message"), get(event.json, "custom_id")
            if isinstance(message, dict) and isinstance(name, str):
                yield answered(url, sent.get(name), message, f"{event.pointer}/result/message")


def _requests(view: View) -> Iterator[tuple[dict[str, Any], str, str]]:
    """The parameters of each request of a batch, its name, and its place."""
    for each, at in objects_in(view.request, "requests"):
        params, name = each.get("params"), each.get("custom_id")
        if isinstance(params, dict) and isinstance(name, str):
            yield params, name, at
