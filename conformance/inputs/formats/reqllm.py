"""Fixtures of ReqLLM, the library of Elixir: one exchange a file.

The request's body is base64. The response's is a parsed value, or `chunks`: the pieces of a stream in base64, as they
came from the network.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Format, Record
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Body, Exchange, Headers, Request, Response


def _detect(value: Any) -> bool:
    request = value.get("request") if isinstance(value, Mapping) else None
    return isinstance(request, Mapping) and "canonical_json" in request and isinstance(value.get("response"), Mapping)


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        if not _detect(record.value):
            raise ConformanceError(f"{record.source}: request or response is missing", CUT)
        yield _exchange(record.value, record.source, path)


def _exchange(fixture: Mapping[str, Any], where: str, path: str) -> Exchange:
    request, response = fixture["request"], fixture["response"]
    url, status = request.get("url"), response.get("status")
    if not isinstance(url, str):
        raise ConformanceError(f"{where}: request.url is missing", CUT)
    if isinstance(status, bool) or not isinstance(status, int):
        raise ConformanceError(f"{where}: response.status is missing", CUT)
    sent, received = (Headers.of(_mapping(side.get("headers"))) for side in (request, response))
    body, chunks = request.get("body"), fixture.get("chunks")
    return Exchange(
        request=Request(
            str(request.get("method") or "POST").upper(),
            url,
            sent,
            _unpacked(body, sent) if _is_packed(body) else Body(request["canonical_json"]),
        ),
        response=Response(
            status,
            received,
            _joined(chunks, received) if isinstance(chunks, list) else _unpacked(response.get("body"), received),
        ),
        source=where,
        group=path,
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_packed(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("b64"), str)


def _unpacked(body: Any, headers: Headers) -> Body:
    return bodies.from_base64(body["b64"], headers) if _is_packed(body) else bodies.received(body, headers)


def _joined(chunks: list[Any], headers: Headers) -> Body:
    try:
        pieces = [base64.b64decode(each["b64"], validate=True) for each in chunks if _is_packed(each)]
    except ValueError as error:
        return Body(None, note=f"invalid base64 ({error})")
    return bodies.received(b"".join(pieces), headers)


FORMAT = Format(name="reqllm", title="fixtures of ReqLLM (Elixir), as JSON", detect=_detect, read=_read)
