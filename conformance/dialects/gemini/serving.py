"""What the reference server answers on Gemini's paths besides generation: models, and counts of tokens."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.gemini import render
from conformance.dialects.gemini.request import read_request
from conformance.dialects.gemini.wire import get
from conformance.model.document import INDENTED, Document
from conformance.model.exchange import Request
from conformance.model.pointer import MISSING
from conformance.model.rendered import IdFactory, Rendered

REFUSALS = {"credential-missing": (403, "Method doesn't allow unregistered callers. Use an API key.")}
"""With which status and words the provider refuses what breaks a rule, if not with a 400."""
_MODELS = ("gemini-3-flash-preview", "gemini-2.5-flash")
_PATH = re.compile(r"/v1(?:beta|alpha)\w*/models(?:/(?P<model>[^/:]+))?(?P<method>:countTokens)?/?$")


def other(request: Request, _: Any, ids: IdFactory) -> Rendered | None:
    """`GET /v1beta/models`, and `POST ...:countTokens`; None for any other request."""
    path = _PATH.search(request.path)
    if path is None or (request.method == "POST") != bool(path["method"]):
        return None
    if not any(name in request.headers for name in ("x-goog-api-key", "authorization")) and "key" not in request.query:
        return render.failure(*REFUSALS["credential-missing"], request, ids)
    if path["method"]:
        inner = get(request.body.json, "generateContentRequest")
        count = ids.prompt_tokens(read_request(request, request.body.json if inner is MISSING else inner))
        details = [{"modality": "TEXT", "tokenCount": count}]
        return _answered({"totalTokens": count, "promptTokensDetails": details})
    if path["model"]:
        return _answered(_model(path["model"]))
    return _answered({"models": [_model(each) for each in _MODELS]})


def _model(name: str) -> dict[str, Any]:
    return {
        "name": f"models/{name}",
        "version": "001",
        "displayName": name,
        "inputTokenLimit": 1_048_576,
        "outputTokenLimit": 65_536,
        "supportedGenerationMethods": ["generateContent", "countTokens"],
    }


def _answered(value: Any) -> Rendered:
    return Rendered(200, (("content-type", "application/json; charset=UTF-8"),), (Document(value, INDENTED),))
