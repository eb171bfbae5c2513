"""Which requests are Converse's: the operation and the model are in the path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import UNKNOWN_MODEL, Request

_PATH = re.compile(r"/model/(?P<model>.+)/converse(?P<stream>-stream)?/?$")


def claims(request: Request) -> bool:
    """Whether a request is for one of the two operations."""
    return request.method == "POST" and _PATH.search(request.path) is not None


def named_in(request: Request) -> tuple[str | None, bool]:
    """The model that the path names, and whether it asks for a stream."""
    found = _PATH.search(request.path)
    return (found["model"], found["stream"] is not None) if found else (None, False)


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("messages"), list) and ("inferenceConfig" in body or "toolConfig" in body)


def _is_reply(value: Mapping[str, Any]) -> bool:
    return "stopReason" in value and isinstance(value.get("output"), dict)


BODIES = Bodies(f"/model/{UNKNOWN_MODEL}/converse", _is_request, _is_reply)
