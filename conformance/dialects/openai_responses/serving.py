"""What the reference server keeps and answers for Responses: stored responses, and counts of tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses import render
from conformance.dialects.openai_responses.claims import CREATE, STEER
from conformance.dialects.openai_responses.items import type_of
from conformance.dialects.openai_responses.request import prepares, read_request
from conformance.model.document import INDENTED, Document
from conformance.model.exchange import Request, Response
from conformance.model.kept import Kept, Stored
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Turn
from conformance.model.values import list_of, text_of

REFUSALS = {
    "credential-missing": (401, "You didn't provide an API key. Send it in an Authorization header: Bearer YOUR_KEY.")
}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
_PATH = re.compile(r"/responses/(?P<id>[^/]+)(?P<items>/input_items)?/?$")

Json = dict[str, Any]


def restored(request: Request, kept: Kept) -> Json | tuple[int, str] | None:
    """The body with the items that the server keeps put before its own, and references replaced by their items.

    None if it refers to nothing; status and message if the server does not have what it refers to.
    """
    body = request.body.json
    items = _items(body)
    previous = text_of(body.get("previous_response_id"))
    references = [item for item in items if type_of(item) == "item_reference"]
    if previous is None and not references:
        return None
    before: tuple[Any, ...] = ()
    if previous is not None:
        stored = kept.response(previous)
        if stored is None:
            return 400, f"Previous response with id '{previous}' not found."
        before = (*stored.given, *stored.made)
    found = []
    for item in items:
        known = kept.item(item.get("id")) if type_of(item) == "item_reference" else item
        if known is None:
            return 404, f"Item with id '{item.get('id')}' not found."
        found.append(known)
    return {**body, "input": [*before, *found]}


def remember(body: Any, rendered: Rendered, kept: Kept) -> None:
    """Keeps the response of a request that does not forbid it, and every one that was sent over a WebSocket."""
    if not isinstance(body, dict) or (body.get("store") is False and body.get("type") != CREATE):
        return
    value = _response(rendered)
    if value is not None and isinstance(value.get("id"), str):
        kept.add(value["id"], Stored(value, tuple(_items(body)), tuple(list_of(value.get("output")))))


def frames(asked: Any, sent: Response) -> Iterator[str]:
    """The frames that deliver a response over a WebSocket: its events or its error, in the lane of the request."""
    if isinstance(asked, dict) and asked.get("type") == STEER:
        yield json.dumps(sent.body.json)
        return
    lane = {key: asked[key] for key in ("stream_id",) if isinstance(asked, dict) and key in asked}
    if not sent.is_event_stream:
        yield json.dumps({"type": "error", "status": sent.status, **sent.body.json, **lane})
        return
    for event in sent.events:
        value = event.json
        if value["type"] == "error":  # a frame has in an object what an event has beside its type
            lane |= {"error": {**value, "type": "server_error"}}
            value = {key: value[key] for key in ("type", "sequence_number")}
        yield json.dumps({**value, **lane}) if lane else event.data


def other(request: Request, kept: Kept, ids: IdFactory) -> Rendered | None:
    """Stored responses and their items, their removal, and counts of tokens; None for any other request."""
    if request.method == "POST" and request.path.rstrip("/").endswith("/responses/input_tokens"):
        count = ids.prompt_tokens(read_request(request.body.json))
        return _answered({"object": "response.input_tokens", "input_tokens": count})
    if request.frame == STEER:
        return _answered(_not_steered(request.body.json, kept))
    if request.frame == CREATE and prepares(request.body.json):
        return _prepared(request, kept, ids)
    path = _PATH.search(request.path)
    if path is None or request.method not in ("GET", "DELETE"):
        return None
    stored = kept.response(path["id"])
    if stored is None:
        return render.failure(404, f"Response with id '{path['id']}' not found.", request, ids)
    if request.method == "DELETE":
        kept.remove(path["id"])
        return _answered({"id": path["id"], "object": "response", "deleted": True})
    if path["items"]:
        data = list(reversed(stored.given))
        names = [each.get("id") for each in data if isinstance(each, dict)]
        ends = {"first_id": names[0] if names else None, "last_id": names[-1] if names else None}
        return _answered({"object": "list", "data": data, **ends, "has_more": False})
    if request.query.get("stream") == "true":
        events = render.events_after(stored.value, int(request.query.get("starting_after", -1)), ids)
        return Rendered(200, (("content-type", "text/event-stream; charset=utf-8"),), events)
    return _answered(stored.value)


def _prepared(request: Request, kept: Kept, ids: IdFactory) -> Rendered:
    """A response without output, which a later request can continue."""
    whole = restored(request, kept) or request.body.json
    if isinstance(whole, tuple):
        status, message = whole
        return render.failure(status, message, request, ids)
    rendered = render.answer(Turn("assistant", ()), read_request(whole, streams=True), request, ids)
    remember(whole, rendered, kept)
    return rendered


def _not_steered(asked: Json, kept: Kept) -> Json:
    """What fails the input: this server sends a whole response before it reads the next frame."""
    parent = text_of(asked.get("previous_response_id")) or ""
    known = kept.response(parent) is not None
    code = "response_already_completed" if known else "response_not_found"
    message = f"Response '{parent}' {'has completed.' if known else 'not found.'}"
    return {
        "type": "response.steer.failed",
        "sequence_number": 0,
        "steer": {"previous_response_id": parent, "input": asked.get("input") or ""},
        "error": {"type": "invalid_request_error", "code": code, "message": message},
    }


def _items(body: Json) -> list[Any]:
    given = body.get("input")
    return [{"role": "user", "content": given}] if isinstance(given, str) else list_of(given)


def _response(rendered: Rendered) -> Json | None:
    """The whole response: the body, or the one in the last event of a stream."""
    for part in reversed(rendered.documents):
        if isinstance(part, Document) and isinstance(part.value, dict):
            value = part.value.get("response", part.value)
            return value if isinstance(value, dict) and value.get("object") == "response" else None
    return None


def _answered(value: Any) -> Rendered:
    return Rendered(200, (("content-type", "application/json"),), (Document(value, INDENTED),))
