"""Which requests are Gemini's: the method and the model are in the path."""

from __future__ import annotations

import re

from conformance.model.exchange import Request

_METHOD = re.compile(r"/(?:models|tunedModels|endpoints)/([^/:]+):(generateContent|streamGenerateContent)/?$")


def method_of(request: Request) -> tuple[str, str] | None:
    """The model and the method that the URL names; None if the URL does not belong to this dialect."""
    found = _METHOD.search(request.path)
    return (found[1], found[2]) if found else None


def claims(request: Request) -> bool:
    """Whether a request is for one of the two methods."""
    return request.method == "POST" and method_of(request) is not None
