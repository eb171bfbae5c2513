"""Recordings of google/test-server, the proxy between the tests of Google's SDKs and Google: one conversation a file.

A body is `bodySegments`: values of JSON, several of them in a stream. The host is `serverAddress`, apart from the path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from conformance.inputs import interactions
from conformance.inputs.format import Format
from conformance.inputs.native import object_of


def _detect(value: Any) -> bool:
    return isinstance(value, Mapping) and "recordID" in value and isinstance(value.get("interactions"), list)


def _interaction(recorded: Mapping[str, Any]) -> Any:
    """The interaction as a cassette has it."""
    request, response = object_of(recorded, "request"), object_of(recorded, "response")
    place, host = request.get("url"), request.get("serverAddress")
    if isinstance(place, str) and place.startswith("/") and isinstance(host, str):
        place = f"{request.get('protocol') or 'https'}://{host}{place}"
    return {
        "request": {**request, "url": place, "body": _body(request)},
        "response": {**response, "status": response.get("statusCode"), "body": _body(response)},
    }


def _body(message: Mapping[str, Any]) -> Any:
    """The one value of a body, or the text of its stream."""
    segments = message.get("bodySegments")
    if not isinstance(segments, list) or not segments:
        return None
    kind = str(object_of(message, "headers").get("Content-Type"))
    if "text/event-stream" not in kind or message.get("statusCode") != HTTPStatus.OK:  # a failure is no stream
        return segments[0] if len(segments) == 1 else segments
    return "".join(f"data: {json.dumps(each, ensure_ascii=False)}\r\n\r\n" for each in segments)


FORMAT = Format(
    name="google-test-server",
    title="recordings of google/test-server, as JSON",
    detect=_detect,
    read=interactions.read_as("interactions", _detect, _interaction),
)
