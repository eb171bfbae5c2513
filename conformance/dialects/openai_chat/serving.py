"""What the reference server answers on OpenAI's paths besides chat: the models; and the statuses of refusals."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.openai_chat import render
from conformance.model.document import INDENTED, Document
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.values import objects_in

REFUSALS = {
    "chat-credential-missing": (
        401,
        "You didn't provide an API key. Send it in an Authorization header: Bearer YOUR_KEY.",
    )
}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
_MODELS = ("gpt-4o-mini", "gpt-4o", "gpt-4.1", "gpt-5-mini", "gpt-5.4")
_PATH = re.compile(r"/v1/models(?:/(?P<model>[^/]+))?/?$")


def refuses(body: Any) -> tuple[int, str] | None:
    """What OpenAI refuses although compatible servers accept it: two calls, or two results, with one id in a turn."""
    answered: set[str] = set()
    for message, pointer in objects_in(body, "messages"):
        place = f"messages[{pointer.rpartition('/')[2]}]"
        if message.get("role") != "tool":
            answered = set()
            names = [call.get("id") for call, _ in objects_in(message, "tool_calls")]
            if len(set(map(str, names))) < len(names):
                return 400, f"Duplicate value for 'id' in {place}.tool_calls."
        elif (name := str(message.get("tool_call_id"))) in answered:
            return 400, f"Duplicate value for 'tool_call_id' of '{name}' in {place}."
        else:
            answered.add(name)
    return None


def other(request: Request, _: Any, ids: IdFactory) -> Rendered | None:
    """`GET /v1/models` and `GET /v1/models/MODEL`; None for any other request."""
    path = _PATH.search(request.path)
    if path is None or request.method != "GET" or "anthropic-version" in request.headers:
        return None
    if request.headers.get("authorization") is None and "api-key" not in request.headers:
        return render.failure(*REFUSALS["chat-credential-missing"], request, ids)
    if path["model"] is not None:
        return _answered(_model(path["model"], ids))
    return _answered({"object": "list", "data": [_model(each, ids) for each in _MODELS]})


def _model(name: str, ids: IdFactory) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": ids.now, "owned_by": "system"}


def _answered(value: Any) -> Rendered:
    return Rendered(200, (("content-type", "application/json"),), (Document(value, INDENTED),))
