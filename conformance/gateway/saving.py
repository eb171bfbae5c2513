"""Saves both legs of a run as exchange JSONL, redacted."""

from __future__ import annotations

import json
from pathlib import Path

from conformance.cassette.redact import Redactor
from conformance.errors import ConformanceError
from conformance.gateway.flow import GatewayRun
from conformance.matrix.endpoint import Endpoint
from conformance.model.exchange import Exchange, Headers, Request, Response


def save(folder: Path, run: GatewayRun, endpoint: Endpoint) -> None:
    """Writes `CLIENT--UPSTREAM/CELL.client.jsonl` and `.upstream.jsonl` below the folder.

    Raises:
        ConformanceError: a file cannot be written.
    """
    redactor = Redactor(endpoint.secrets, headers=endpoint.private_headers)
    inside = folder / f"{run.pair.client}--{run.pair.upstream}"
    for leg, exchanges in (("client", run.legs.client), ("upstream", run.legs.upstream)):
        path = inside / f"{run.cell.id}.{leg}.jsonl"
        lines = [json.dumps(_record(each, redactor), ensure_ascii=False) + "\n" for each in exchanges]
        try:
            inside.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(lines), encoding="utf-8", errors="replace")
        except OSError as error:
            raise ConformanceError(
                f"{path}: cannot write the recording: {error.strerror or error}", "pass --save a writable folder"
            ) from error


def _record(exchange: Exchange, redactor: Redactor) -> dict[str, object]:
    request, response = exchange.request, exchange.response
    return {
        "conversation": "1",
        "request": {"method": request.method, "url": redactor.url(request.url), **_content(request, redactor)},
        "response": {"status": response.status, **_content(response, redactor)},
    }


def _content(message: Request | Response, redactor: Redactor) -> dict[str, object]:
    """The headers and the body as they were sent: exchange JSONL takes a body as text, and frames as their events."""
    headers = Headers((redactor.text(name), redactor.header(name, value)) for name, value in message.headers)
    if message.body.framed:
        return {"headers": headers.lists(), "body": json.loads(redactor.text(json.dumps(message.body.json)))}
    return {"headers": headers.lists(), "body": redactor.text(message.body.text or "")}
