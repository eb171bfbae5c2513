"""Which requests create an interaction."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
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


def _is_request(body: Mapping[str, Any]) -> bool:
    return "input" in body and "agent" in body


def _is_reply(value: Mapping[str, Any]) -> bool:
    is_event = str(value.get("event_type")).startswith("interaction.")
    is_own = value.get("object") == "interaction" or value.keys() >= {"id", "status", "steps"}
    return is_event or is_own


BODIES = Bodies("/v1beta/interactions", _is_request, _is_reply)
