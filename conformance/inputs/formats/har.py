"""HTTP archives (HAR 1.2), saved by browsers, proxies and Polly.js."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Format, Record
from conformance.inputs.native import object_of
from conformance.inputs.websocket import turns_of
from conformance.model.exchange import Body, Exchange, Headers, Request, Response, lacks_at


def _detect(value: Any) -> bool:
    """Whether a document is an archive, whatever its entries contain."""
    log = value.get("log") if isinstance(value, Mapping) else None
    return isinstance(log, Mapping) and isinstance(log.get("entries"), list)


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    """The exchanges of an archive. They are one run."""
    logs = (record.value["log"]["entries"] for record in records if _detect(record.value))
    for number, entry in enumerate(chain.from_iterable(logs)):
        where = f"{path}: log entry {number}"
        exchange = _exchange(entry, where, path)
        yield from _turns(entry, exchange, where) if exchange.request.in_frame else (exchange,)


def _turns(entry: Any, handshake: Exchange, where: str) -> Iterable[Exchange]:
    """The turns of a connection over a WebSocket, whose messages Chrome adds to its entry; else the handshake."""
    messages = entry.get("_webSocketMessages") or ()
    turns = turns_of((each.get("type") == "send", str(each.get("data"))) for each in messages)
    request, origin = handshake.request, {"source": handshake.source, "group": handshake.group, "conversation": where}
    return [turn.exchange(request.url, request.headers, **origin) for turn in turns] or [handshake]


def _exchange(entry: Any, where: str, path: str) -> Exchange:
    request, response = (object_of(entry, side) for side in ("request", "response"))
    url, status = request.get("url"), response.get("status")
    if not isinstance(url, str) or not isinstance(status, int):
        raise ConformanceError(f"{where}: request.url or response.status is missing", "export the archive again")
    request_headers, response_headers = _headers(request), _headers(response)
    return Exchange(
        request=Request(
            method=str(request.get("method") or "POST").upper(),
            url=url,
            headers=request_headers,
            body=_request_body(request, request_headers),
        ),
        response=Response(status, response_headers, _response_body(response, response_headers)),
        source=path,
        group=path,
        lacks=lacks_at(url),
    )


def _headers(message: Mapping[str, Any]) -> Headers:
    pairs = message.get("headers")
    fields = [pair for pair in pairs if isinstance(pair, Mapping)] if isinstance(pairs, list) else []
    return Headers((pair.get("name", ""), pair.get("value", "")) for pair in fields)


def _request_body(request: Mapping[str, Any], headers: Headers) -> Body:
    post_data = object_of(request, "postData")
    text = post_data.get("text")
    if isinstance(text, str) and post_data.get("encoding") == "base64":
        return bodies.from_base64(text, headers)
    return bodies.received(text, headers)


def _response_body(response: Mapping[str, Any], headers: Headers) -> Body:
    content = object_of(response, "content")
    text = content.get("text")
    if isinstance(text, str) and content.get("encoding") == "base64":
        return bodies.from_base64(text, headers)
    if text is None and content.get("size"):
        return Body(None, note="the HAR file was saved without content")
    return bodies.received(text, headers)


FORMAT = Format(name="har", title="HTTP archives (HAR), of browsers, proxies and Polly.js", detect=_detect, read=_read)
