"""Recordings of nock for Node.js: `nock.recorder.rec({output_objects: true})`, or a fixture of `nock.back`.

A list of definitions, one for each exchange: `scope`, `method`, `path`, `body`, `status`, `response`, `rawHeaders` (an
object; before nock 14, a list of names and values), and `reqheaders` if the recorder was configured to keep them. JSON
bodies are kept as values, compressed ones as hexadecimal text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Format, Record
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Body, Exchange, Headers, Request, Response

_HEX = frozenset("0123456789abcdef")


def _detect(value: Any) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and {"scope", "method", "path"} <= first.keys() and "request" not in first


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    lists = (record.value for record in records if isinstance(record.value, list))
    for number, each in enumerate(chain.from_iterable(lists)):
        yield _exchange(each, f"{path}: definition {number}", path)


def _exchange(definition: Any, where: str, path: str) -> Exchange:
    if not isinstance(definition, Mapping):
        raise ConformanceError(f"{where}: not an object", CUT)
    scope, place, status = (definition.get(name) for name in ("scope", "path", "status"))
    if not isinstance(scope, str) or not isinstance(place, str):
        raise ConformanceError(f"{where}: scope or path is missing", CUT)
    if isinstance(status, bool) or not isinstance(status, int):
        raise ConformanceError(f"{where}: status is missing", CUT)
    sent = Headers.of(_mapping(definition.get("reqheaders")))
    received = _headers(definition.get("rawHeaders", definition.get("headers")))
    return Exchange(
        request=Request(
            str(definition.get("method") or "POST").upper(), f"{scope}{place}", sent, _sent(definition, sent)
        ),
        response=Response(status, received, _received(definition, received)),
        source=path,
        group=path,
        lacks=frozenset() if "reqheaders" in definition else frozenset({"headers"}),
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _headers(value: Any) -> Headers:
    if isinstance(value, list):
        return Headers(zip(value[::2], value[1::2], strict=False))
    return Headers.of(_mapping(value))


def _sent(definition: Mapping[str, Any], headers: Headers) -> Body:
    body = definition.get("body")
    return bodies.received(body, headers)


def _received(definition: Mapping[str, Any], headers: Headers) -> Body:
    content = definition.get("response")
    if "content-encoding" in headers and isinstance(content, list) and all(isinstance(each, str) for each in content):
        content = "".join(content)
    if isinstance(content, str) and (definition.get("responseIsBinary") is True or "content-encoding" in headers):
        return bodies.received(_bytes(content), headers)
    return Body(content) if isinstance(content, list) else bodies.received(content, headers)


def _bytes(text: str) -> str | bytes:
    """Hexadecimal text decoded; other text unchanged."""
    return bytes.fromhex(text) if len(text) % 2 == 0 and _HEX.issuperset(text) else text


FORMAT = Format(name="nock", title="definitions that nock recorded (Node.js), as JSON", detect=_detect, read=_read)
