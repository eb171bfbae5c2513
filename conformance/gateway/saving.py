"""Saves both legs of a run as exchange JSONL, redacted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from conformance.cassette.redact import Redactor
from conformance.errors import ConformanceError
from conformance.gateway.running import Crossed
from conformance.model.exchange import Body, Exchange, Headers


def save(folder: Path, crossed: Crossed, secrets: Sequence[str]) -> None:
    """Writes `CLIENT--UPSTREAM/CELL.client.jsonl` and `.upstream.jsonl` below the folder.

    Raises:
        ConformanceError: a file cannot be written.
    """
    redactor = Redactor(secrets)
    inside = folder / f"{crossed.pair.client}--{crossed.pair.upstream}"
    for leg, exchanges in (("client", crossed.client), ("upstream", crossed.run.upstream)):
        path = inside / f"{crossed.cell.id}.{leg}.jsonl"
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
        "request": {
            "method": request.method,
            "url": redactor.url(request.url),
            "headers": _headers(request.headers, redactor),
            "body": _body(request.body, redactor),
        },
        "response": {
            "status": response.status,
            "headers": _headers(response.headers, redactor),
            "body": _body(response.body, redactor),
        },
    }


def _headers(headers: Headers, redactor: Redactor) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in headers:
        found.setdefault(name, []).append(redactor.header(name, value))
    return found


def _body(body: Body, redactor: Redactor) -> str:
    """The body's text as it was sent; exchange JSONL takes text, and keeps its bytes."""
    return redactor.text(body.text or "")
