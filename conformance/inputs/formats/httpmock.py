"""Recordings of httpmock for Rust: `MockServer::record`, or the mocks of its standalone server.

One YAML document for each exchange: `when` has the `method`, `path`, `query_param`, `header` and `body` of the request,
`then` the `status`, `header` and `body` of the response. Only the headers that the recorder was told to keep are there,
and no host. Rig, which records in this format, keeps binary bodies as base64 (`body_encoding`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Format, Record
from conformance.inputs.interactions import CUT
from conformance.inputs.native import object_of
from conformance.model.exchange import Body, Exchange, Headers, Request, Response


def _detect(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and all(isinstance(value.get(side), Mapping) for side in ("when", "then"))
        and isinstance(value["when"].get("path"), str)
    )


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for number, record in enumerate(record for record in records if record.value is not None):
        where = f"{path}: document {number}"
        if not isinstance(record.value, Mapping):
            raise ConformanceError(f"{where}: not a mock of httpmock, which has `when` and `then`", CUT)
        yield _exchange(record.value, where, path)


def _exchange(mock: Mapping[str, Any], where: str, path: str) -> Exchange:
    when, then = object_of(mock, "when"), object_of(mock, "then")
    place, status = when.get("path"), then.get("status", 200)
    if not isinstance(place, str) or isinstance(status, bool) or not isinstance(status, int):
        raise ConformanceError(f"{where}: when.path or then.status is missing", CUT)
    query = urlencode(_pairs(when.get("query_param")))
    sent, received = Headers(_pairs(when.get("header"))), Headers(_pairs(then.get("header")))
    return Exchange(
        request=Request(
            str(when.get("method") or "POST").upper(), f"{place}?{query}" if query else place, sent, _body(when, sent)
        ),
        response=Response(status, received, _body(then, received)),
        source=path,
        group=path,
    )


def _pairs(listed: Any) -> list[tuple[str, str]]:
    entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    return [(str(each.get("name")), str(each.get("value"))) for each in entries]


def _body(side: Mapping[str, Any], headers: Headers) -> Body:
    body = side.get("body", side.get("json_body"))
    if isinstance(body, str) and side.get("body_encoding") == "base64":
        return bodies.from_base64(body, headers)
    return bodies.received(body, headers)


FORMAT = Format(
    name="httpmock",
    title="recordings of httpmock (Rust), such as Rig's",
    detect=_detect,
    read=_read,
    lacks=frozenset({"headers"}),
)
