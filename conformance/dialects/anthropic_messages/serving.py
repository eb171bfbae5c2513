"""What the reference server answers on Anthropic's paths besides messages: models, and counts of tokens."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.anthropic_messages import render
from conformance.dialects.anthropic_messages.request import read_request
from conformance.model.document import Document
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered

REFUSALS = {"credential-missing": (401, "x-api-key header is required")}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
_MODELS = {"claude-sonnet-4-6": "Claude Sonnet 4.6", "claude-sonnet-4-5-20250929": "Claude Sonnet 4.5"}
_PATH = re.compile(r"/v1/models(?:/(?P<model>[^/]+))?/?$")


def other(request: Request, _: Any, ids: IdFactory) -> Rendered | None:
    """`GET /v1/models` of this API, `POST /v1/messages/count_tokens`; None for any other request."""
    if request.method == "POST" and request.path.rstrip("/").endswith("/messages/count_tokens"):
        if _keyless(request):
            return render.failure(*REFUSALS["credential-missing"], request, ids)
        return _answered({"input_tokens": ids.prompt_tokens(read_request(request, request.body.json))}, ids)
    path = _PATH.search(request.path)
    if path is None or request.method != "GET" or "anthropic-version" not in request.headers:
        return None
    if _keyless(request):
        return render.failure(*REFUSALS["credential-missing"], request, ids)
    if path["model"] is not None:
        return _answered(_model(path["model"]), ids)
    names = list(_MODELS)
    listed = {"data": [_model(each) for each in names], "has_more": False}
    return _answered({**listed, "first_id": names[0], "last_id": names[-1]}, ids)


def _keyless(request: Request) -> bool:
    return "x-api-key" not in request.headers and "authorization" not in request.headers


def _model(name: str) -> dict[str, Any]:
    shown = _MODELS.get(name, name)
    return {"type": "model", "id": name, "display_name": shown, "created_at": "2026-02-17T00:00:00Z"}


def _answered(value: Any, ids: IdFactory) -> Rendered:
    headers = (("content-type", "application/json"), ("request-id", ids.id("req_011", 21)))
    return Rendered(200, headers, (Document(value),))
