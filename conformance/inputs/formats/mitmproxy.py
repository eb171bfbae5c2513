"""Flows of mitmproxy (`mitmdump -w FILE`): netstrings with a type, one dictionary a flow.

Read in the form that mitmproxy 1 to 12 write (`mitmproxy.io.tnetstring`): `LENGTH:PAYLOAD` and one byte for the type,
so mitmproxy is not needed. Bodies are the bytes on the wire, still compressed. Other flows than HTTP are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Format
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Exchange, Headers, Request, Response

_BEGIN = re.compile(rb"\d{1,12}:\d{1,4}:[a-z_]+;")
_LARGEST = 1 << 29
"""The maximum size of one flow, the same as of one document in other formats."""
_DEEPEST = 100


def _detect(head: bytes) -> bool:
    """Whether the bytes begin with the first key of a dictionary."""
    found = _BEGIN.match(head)
    return found is not None and b"}" not in found[0]


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    number = 0
    while (flow := _next(stream, f"{path}: flow {number}")) is not None:
        if flow.get("type") == "http" and isinstance(flow.get("request"), Mapping):
            yield _exchange(flow, path)
        number += 1


def _next(stream: IO[bytes], where: str) -> Mapping[str, Any] | None:
    """The next flow; None at the end.

    Raises:
        ConformanceError: the bytes are not a flow, or are cut off.
    """
    digits = b""
    while (char := stream.read(1)) not in (b":", b""):
        digits += char
        if not char.isdigit() or len(digits) > 12:
            raise ConformanceError(f"{where}: not a flow of mitmproxy", "save the flows again with `mitmdump -w FILE`")
    if not char and not digits:
        return None
    if not digits or int(digits) > _LARGEST:
        raise ConformanceError(f"{where}: not a flow of mitmproxy", "save the flows again with `mitmdump -w FILE`")
    payload = stream.read(int(digits))
    kind = stream.read(1)
    if len(payload) < int(digits) or not kind:
        raise ConformanceError(f"{where}: the file is cut off", CUT)
    try:
        value = _value(payload, kind, 0)
    except ValueError as error:
        raise ConformanceError(f"{where}: not a flow of mitmproxy ({error})", CUT) from None
    return value if isinstance(value, Mapping) else {}


def _value(data: bytes, kind: bytes, depth: int) -> Any:
    if kind == b";":
        return data.decode("utf-8", "surrogateescape")
    if kind == b",":
        return data
    if kind == b"#":
        return int(data)
    if kind == b"^":
        return float(data)
    if kind == b"!":
        return data == b"true"
    if kind == b"~":
        return None
    if kind in (b"]", b"}"):
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        items = list(_items(data, depth + 1))
        return items if kind == b"]" else dict(zip(map(_key, items[::2]), items[1::2], strict=True))
    raise ValueError(f"unknown type {kind!r}")


def _key(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _items(data: bytes, depth: int) -> Iterator[Any]:
    position = 0
    while position < len(data):
        colon = data.index(b":", position, position + 13)
        end = colon + 1 + int(data[position:colon])
        yield _value(data[colon + 1 : end], data[end : end + 1], depth)
        position = end + 1


def _exchange(flow: Mapping[str, Any], path: str) -> Exchange:
    request = flow["request"]
    response = flow["response"] if isinstance(flow.get("response"), Mapping) else {}
    sent, received = _headers(request), _headers(response)
    status = response.get("status_code")
    return Exchange(
        request=Request(
            method=_text(request.get("method") or "POST").upper(),
            url=_url(request, sent),
            headers=sent,
            body=bodies.received(request.get("content"), sent),
        ),
        response=Response(
            status if isinstance(status, int) else 100, received, bodies.received(response.get("content"), received)
        ),
        source=path,
        group=path,
        lacks=frozenset() if response else frozenset({"response"}),
    )


def _url(request: Mapping[str, Any], headers: Headers) -> str:
    """The URL. The `Host` header is preferred to the address, which with a reverse proxy is that of the upstream."""
    host, port, scheme = _text(request.get("host") or ""), request.get("port"), _text(request.get("scheme") or "http")
    authority = _text(request.get("authority") or "") or headers.get("host")
    if not authority:
        authority = host if port in (80, 443, None) else f"{host}:{port}"
    return f"{scheme}://{authority}{_text(request.get('path') or '/')}"


def _headers(message: Mapping[str, Any]) -> Headers:
    pairs = message.get("headers")
    return Headers(
        (_text(pair[0]), _text(pair[1]))
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, list) and len(pair) == 2
    )


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


FORMAT = Format(
    name="mitmproxy",
    title="flows of mitmproxy, saved with `mitmdump -w`",
    detect_bytes=_detect,
    read_bytes=_read,
    suffixes=(".flow", ".flows", ".mitm", ".dump"),
)
