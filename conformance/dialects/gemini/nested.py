"""The requests of a batch, and the responses in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.wire import get
from conformance.judge.nested import Nested, answered, asked, before
from conformance.judge.view import View
from conformance.model.values import objects_in


def nested(view: View) -> Iterator[Nested]:
    """The requests of a batch where it is created, and the responses to them, which come in their order."""
    if view.endpoint == "batch created":
        yield from (asked(_url(view), each, f"{at}/request") for each, at in _requests(view))
    elif view.endpoint == "batch":
        name = get(view.response, "name")
        created = before(view, "batch created", lambda each: get(each.response, "name") == name)
        if created is None:
            return
        sent = [each for each, _ in _requests(created)]
        held = get(get(view.response, "response"), "inlinedResponses")
        responses = objects_in(held, "inlinedResponses", "/response/inlinedResponses")
        for (each, at), request in zip(responses, sent, strict=False):
            if isinstance(each.get("response"), dict):
                yield answered(_url(created), request, each["response"], f"{at}/response")


def _url(view: View) -> str:
    return view.exchange.request.url.replace(":batchGenerateContent", ":generateContent")


def _requests(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """Each request of a batch, and the place of what holds it."""
    batch = get(view.request, "batch")
    key = "inputConfig" if isinstance(batch, dict) and "inputConfig" in batch else "input_config"
    held = get(get(batch, "inputConfig"), "requests")
    for each, at in objects_in(held, "requests", f"/batch/{key}/requests"):
        if isinstance(each.get("request"), dict):
            yield each["request"], at
