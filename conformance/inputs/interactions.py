"""Reads the exchanges in a cassette of vcrpy and others that write a request beside its response."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from conformance.errors import ConformanceError
from conformance.inputs import bodies
from conformance.inputs.format import Record
from conformance.inputs.sanitized import without_replaced
from conformance.model.exchange import Body, Exchange, Headers, Lack, Request, Response, lacks_at

NOTES = "conformance"
"""A member of an interaction that `conformance proxy` adds where something is missing. vcrpy ignores it.

`request` and `response`: why that body is not recorded, or not whole. `ended`: how the exchange ended too early.
`lacks`: what the transport does not have (`conformance.model.exchange.Lack`).
"""
_LACKS = frozenset(get_args(Lack))

_STATUS = ("status", "status_code", "statusCode", "code")
_DIGITS = 9
"""The most digits of a status that is read as a number."""
CUT = "the file may be truncated: correct it or record it again"
_OTHER = f"{CUT}; if another recorder wrote it so, convert it to exchange JSONL (docs/logs.md)"
_FLAT = {
    "request": {
        "method": "method",
        "url": "url",
        "request_url": "url",
        "request_headers": "headers",
        "request_body": "body",
    },
    "response": {
        "status": "status",
        "status_code": "status",
        "response_status": "status",
        "response_headers": "headers",
        "response_body": "body",
    },
}
"""The members of an interaction in which both sides are one object, with what they are called in two."""


def interactions_of(document: Any) -> Sequence[Any] | None:
    """The interactions of a cassette of any layout; None if the document is not a cassette."""
    if isinstance(document, list):
        known = all(isinstance(each, dict) and ("request" in each or _is_flat(each)) for each in document)
        return document if document and known else None
    if not isinstance(document, Mapping):
        return None
    for key in ("interactions", "http_interactions"):
        if key in document:
            return document[key] if isinstance(document[key], list) else [] if document[key] is None else None
    requests, responses = document.get("requests"), document.get("responses")
    if isinstance(requests, list) and isinstance(responses, list):
        # One list for each side: an item without a partner stays incomplete, and is refused below.
        pairs: list[dict[str, Any]] = [{"request": request} for request in requests]
        for number, response in enumerate(responses):
            if number < len(pairs):
                pairs[number]["response"] = response
        return pairs
    if _is_flat(document):
        return [document]
    return [document] if _is_one(document.get("request"), document.get("response")) else None


def _is_flat(document: Mapping[str, Any]) -> bool:
    """Whether both sides of an interaction are in one object: `request_body` beside `response_body`."""
    return {"request_body", "response_body"} <= document.keys() and not document.keys().isdisjoint(
        {"url", "request_url"}
    )


def _in_two(interaction: Mapping[str, Any]) -> Mapping[str, Any]:
    """An interaction with an object for each side."""
    if not _is_flat(interaction):
        return interaction
    sides = {
        side: {name: interaction[key] for key, name in names.items() if key in interaction}
        for side, names in _FLAT.items()
    }
    return {**interaction, **sides}


def _is_one(request: Any, response: Any) -> bool:
    """Whether the two sides of a document are those of an interaction, cut off or not: other tools have such, too."""
    if not isinstance(request, Mapping):
        return False
    return "uri" in request or (isinstance(response, Mapping) and _status(response) is not None)


def read_as(
    key: str, is_one: Callable[[Any], bool], convert: Callable[[Mapping[str, Any]], Any]
) -> Callable[[Iterable[Record], str], Iterator[Exchange]]:
    """Reads a format that has interactions in another spelling: at a key, each to be converted to a cassette's."""

    def read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
        for record in records:
            if not is_one(record.value):
                raise ConformanceError(f"{record.source}: `{key}` is missing", CUT)
            found = [convert(each) if isinstance(each, Mapping) else each for each in record.value[key]]
            yield from exchanges_of(found, path, own=False)

    return read


def metadata_of(document: Any) -> dict[str, Any]:
    """The metadata that vcrpy keeps about the recording; empty if there is none."""
    metadata = document.get("metadata") if isinstance(document, Mapping) else None
    return dict(metadata) if isinstance(metadata, Mapping) else {}


def exchanges_of(interactions: Sequence[Any], path: str, *, own: bool) -> tuple[Exchange, ...]:
    """The exchanges of a cassette. They are one run.

    Raises:
        ConformanceError: an interaction is incomplete; the text names it and what is missing.
    """
    return tuple(
        _exchange(each, f"{path}: interaction {number}", path, own) for number, each in enumerate(interactions)
    )


def _exchange(interaction: Any, where: str, path: str, own: bool) -> Exchange:  # noqa: FBT001 - passed on once
    if not isinstance(interaction, Mapping):
        raise ConformanceError(f"{where}: not an object", CUT)
    interaction = _in_two(interaction)
    request, response = interaction.get("request"), interaction.get("response")
    for side, message in (("request", request), ("response", response)):
        if not isinstance(message, Mapping):
            raise ConformanceError(f"{where}: {side} is missing", _OTHER if "request" not in interaction else CUT)
    assert request is not None and response is not None  # noqa: S101, PT018 - checked above
    url = request.get("uri", request.get("url"))
    if not isinstance(url, str):
        raise ConformanceError(f"{where}: request.uri is missing", _OTHER)
    status = _status(response)
    if status is None:
        raise ConformanceError(f"{where}: response.status is missing", CUT)
    chunks = interaction.get("chunks")
    if isinstance(chunks, list) and all(isinstance(each, str) for each in chunks):  # a stream as it came, in pieces
        response = {**response, "body": "".join(chunks)}
    request_headers, response_headers = _headers(request), _headers(response)
    notes = interaction.get(NOTES) if own else None
    notes = notes if isinstance(notes, Mapping) else {}
    lacks = frozenset(each for each in notes.get("lacks") or () if each in _LACKS)
    exchange = Exchange(
        request=Request(
            method=str(request.get("method") or "POST").upper(),
            url=url,
            headers=request_headers,
            body=_noted(bodies.recorded(dict(request), request_headers, own=own), notes.get("request")),
        ),
        response=Response(
            status=status,
            headers=response_headers,
            body=_noted(bodies.recorded(dict(response), response_headers, own=own), notes.get("response")),
        ),
        source=path,
        complete=own and not lacks,
        group=path,
        lacks=lacks | lacks_at(url),
    )
    return exchange if own else without_replaced(exchange)


def _noted(body: Body, note: Any) -> Body:
    return Body(body.content, note) if isinstance(note, str) else body


def _headers(message: Mapping[str, Any]) -> Headers:
    headers = message.get("headers")
    if isinstance(headers, Mapping):
        return Headers.of(headers)
    pairs = headers if isinstance(headers, list) else []
    if all(isinstance(pair, Mapping) and "name" in pair for pair in pairs):
        return Headers((pair["name"], pair.get("value", "")) for pair in pairs)
    return Headers(tuple(pair) for pair in pairs if isinstance(pair, (list, tuple)) and len(pair) == 2)


def _status(response: Mapping[str, Any]) -> int | None:
    """The status as a number: `{code: 200}`, `200`, `200 OK`, or in a field of its own."""
    status = next((response[name] for name in _STATUS if name in response), None)
    if isinstance(status, Mapping):
        status = status.get("code")
    if isinstance(status, str):
        status = status.split(" ", 1)[0]
        status = int(status) if status.isdecimal() and len(status) <= _DIGITS else response.get("code")
    return status if isinstance(status, int) and not isinstance(status, bool) else None
