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


def _path(body: Mapping[str, Any]) -> str:
    model = body.get("model", body.get("modelVersion"))
    name = quote(str(model).rpartition("/")[2], safe=".-_") if isinstance(model, str) and model else UNKNOWN_MODEL
    return f"/v1beta/models/{name}:generateContent"


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("contents"), (list, str)) and "messages" not in body


def _is_reply(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("candidates"), list) or isinstance(value.get("promptFeedback"), dict)


BODIES = Bodies(_path, _is_request, _is_reply)
