"""WireMock: the stub mappings that it recorded, and its journal of requests (`GET /__admin/requests`).

A mapping has the request's body if it matches it as a whole (`equalToJson`, `equalTo`); of others only
the response is judged. Bodies in files (`bodyFileName`) are read from the folder `__files` next to `mappings`. The
journal has both sides, with the response as it was sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies, opening
from conformance.inputs.format import Format, Record
from conformance.inputs.interactions import CUT
from conformance.inputs.native import object_of
from conformance.model.exchange import Body, Exchange, Headers, Lack, Request, Response

_MATCHERS = frozenset({"urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "bodyPatterns"})
_BODIES = frozenset({"jsonBody", "bodyFileName", "base64Body", "proxyBaseUrl"})


def _detect(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    several = value.get("mappings")
    if isinstance(several, list):
        return all(_isobject_of(each) for each in several[:3])
    journal = value.get("requests")
    if isinstance(journal, list) and "responses" not in value:
        return bool(journal) and isinstance(journal[0], Mapping) and "responseDefinition" in journal[0]
    return _isobject_of(value) and bool(
        _MATCHERS & value["request"].keys() or _BODIES & value["response"].keys() or "bodyPatterns" in value["request"]
    )


def _isobject_of(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(value.get(side), Mapping) for side in ("request", "response"))


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        value = record.value if isinstance(record.value, Mapping) else {}
        if isinstance(value.get("requests"), list):
            for number, each in enumerate(reversed(value["requests"])):  # the journal has the latest request first
                yield _from_journal(each, f"{path}: request {number}", path)
            continue
        stubs = value["mappings"] if isinstance(value.get("mappings"), list) else [value]
        for number, stub in enumerate(stubs):
            if not _isobject_of(stub):
                raise ConformanceError(f"{path}: mapping {number}: request or response is missing", CUT)
            if "proxyBaseUrl" not in stub["response"]:
                yield _from_stub(stub, f"{path}: mapping {number}", path)


def _from_journal(entry: Any, where: str, path: str) -> Exchange:
    request = object_of(entry, "request")
    response = object_of(entry, "response") or object_of(entry, "responseDefinition")
    url, status = request.get("absoluteUrl", request.get("url")), response.get("status")
    if not isinstance(url, str) or not isinstance(status, int):
        raise ConformanceError(f"{where}: request.url or response.status is missing", CUT)
    sent, received = Headers.of(object_of(request, "headers")), Headers.of(object_of(response, "headers"))
    return Exchange(
        request=Request(str(request.get("method") or "POST").upper(), url, sent, _body(request, sent)),
        response=Response(status, received, _body(response, received)),
        source=path,
        id=entry.get("id") if isinstance(entry.get("id"), str) else None,
        group=path,
    )


def _from_stub(stub: Mapping[str, Any], where: str, path: str) -> Exchange:
    request, response = stub["request"], stub["response"]
    url = next(
        (request[name] for name in ("url", "urlPath", "urlPathTemplate") if isinstance(request.get(name), str)), "/"
    )
    received = Headers.of(object_of(response, "headers"))
    status = response.get("status", 200)
    if not isinstance(status, int):
        raise ConformanceError(f"{where}: response.status is not a number", CUT)
    asked = _matched(request.get("bodyPatterns"))
    lacks: set[Lack] = {"headers"}
    if asked is None:
        lacks.add("request")
    return Exchange(
        request=Request(
            str(request.get("method") or "POST").upper().replace("ANY", "POST"),
            url,
            Headers(),
            asked or Body(),
        ),
        response=Response(status, received, _of_file(response, path) or _body(response, received)),
        source=path,
        id=stub.get("id") if isinstance(stub.get("id"), str) else None,
        group="",
        lacks=frozenset(lacks),
    )


def _matched(patterns: Any) -> Body | None:
    """The body that a mapping matches as a whole."""
    for each in patterns if isinstance(patterns, list) else ():
        for name in ("equalToJson", "equalTo"):
            if isinstance(each, Mapping) and name in each:
                return Body(each[name])
    return None


def _of_file(response: Mapping[str, Any], path: str) -> Body | None:
    name = response.get("bodyFileName")
    if not isinstance(name, str):
        return None
    folder = Path(path).resolve().parent
    roots = (folder.parent / "__files", folder / "__files")
    root = next((each for each in roots if (each / name).is_file()), None)
    if root is None or not (root / name).resolve().is_relative_to(root):
        return Body(None, note=f"the file {name} is not in the folder __files next to the mappings")
    with opening.opened(str(root / name)) as stream:
        return bodies.received(opening.whole(stream, str(root / name)), Headers.of(object_of(response, "headers")))


def _body(message: Mapping[str, Any], headers: Headers) -> Body:
    for name in ("bodyAsBase64", "base64Body"):
        if isinstance(message.get(name), str):
            return bodies.from_base64(message[name], headers)
    if "jsonBody" in message:
        return Body(message["jsonBody"])
    return bodies.received(message.get("body"), headers)


FORMAT = Format(name="wiremock", title="stub mappings and request journals of WireMock", detect=_detect, read=_read)
