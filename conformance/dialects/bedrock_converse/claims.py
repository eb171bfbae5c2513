"""Which requests are Converse's, by their path; and those of Nova's own API, which has the same bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from conformance.model.dialect import Bodies
from conformance.model.exchange import UNKNOWN_MODEL, Request

_PATH = re.compile(
    r"/model/(?P<model>.+)/(?P<operation>converse|converse-stream|invoke|invoke-with-response-stream)/?$",
)
_NOVA = frozenset({"schemaVersion", "inferenceConfig", "toolConfig"})
"""Fields of Nova's requests that no other model's own API has."""


def claims(request: Request) -> bool:
    """Whether a request is for Converse, or has Nova's messages. Models of pictures and vectors have others."""
    found = _PATH.search(request.path) if request.method == "POST" else None
    if found is None or found["operation"].startswith("converse"):
        return found is not None
    keys = request.body.json.keys() if isinstance(request.body.json, dict) else ()
    return "messages" in keys and ("nova" in found["model"] or not _NOVA.isdisjoint(keys))


def named_in(request: Request) -> tuple[str | None, bool]:
    """The model that the path names, and whether it asks for a stream."""
    found = _PATH.search(request.path)
    return (found["model"], found["operation"].endswith("-stream")) if found else (None, False)


def _is_request(body: Mapping[str, Any]) -> bool:
    return isinstance(body.get("messages"), list) and ("inferenceConfig" in body or "toolConfig" in body)


def _is_reply(value: Mapping[str, Any]) -> bool:
    return "stopReason" in value and isinstance(value.get("output"), dict)


BODIES = Bodies(f"/model/{UNKNOWN_MODEL}/converse", _is_request, _is_reply)
