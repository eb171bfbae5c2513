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


def _of_request(body: Mapping[str, Any]) -> str | None:
    is_own = isinstance(body.get("messages"), list) and body.keys() & {"inferenceConfig", "toolConfig"}
    return f"/model/{UNKNOWN_MODEL}/converse" if is_own else None


def _of_reply(value: Mapping[str, Any]) -> str | None:
    is_own = "stopReason" in value and isinstance(value.get("output"), dict)
    return f"/model/{UNKNOWN_MODEL}/converse" if is_own else None


BODIES = Bodies(_of_request, _of_reply)
