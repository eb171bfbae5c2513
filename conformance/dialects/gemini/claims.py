"""Which requests are Gemini's: the method and the model are in the path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from conformance.model.dialect import Bodies
from conformance.model.exchange import UNKNOWN_MODEL, Request

_METHOD = re.compile(r"/(?:models|tunedModels|endpoints)/([^/:]+):(generateContent|streamGenerateContent)/?$")


def method_of(request: Request) -> tuple[str, str] | None:
    """The model and the method that the URL names; None if the URL does not belong to this dialect."""
    found = _METHOD.search(request.path)
    return (found[1], found[2]) if found else None


def claims(request: Request) -> bool:
    """Whether a request is for one of the two methods."""
    return request.method == "POST" and method_of(request) is not None


def _path(model: Any) -> str:
    name = quote(str(model).rpartition("/")[2], safe=".-_") if isinstance(model, str) and model else UNKNOWN_MODEL
    return f"/v1beta/models/{name}:generateContent"


def _of_request(body: Mapping[str, Any]) -> str | None:
    is_own = isinstance(body.get("contents"), (list, str)) and "messages" not in body
    return _path(body.get("model")) if is_own else None


def _of_reply(value: Mapping[str, Any]) -> str | None:
    is_own = isinstance(value.get("candidates"), list) or isinstance(value.get("promptFeedback"), dict)
    return _path(value.get("modelVersion")) if is_own else None


BODIES = Bodies(_of_request, _of_reply)
