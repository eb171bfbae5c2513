"""Which requests create an interaction."""

from __future__ import annotations

import re

from conformance.model.exchange import Request

_PATH = re.compile(r"/v1(?:beta|alpha)\w*/(?:[^?]*/)?interactions$")
_KEYS = ("model", "agent")


def claims(request: Request) -> bool:
    """Whether a request creates an interaction, by its path or, behind a proxy, by the keys of its body."""
    path = request.path.rstrip("/")
    if request.method != "POST" or not path.endswith("/interactions"):
        return False
    body = request.body.json
    return _PATH.search(path) is not None or (isinstance(body, dict) and any(key in body for key in _KEYS))
