"""Writes the traffic as a cassette: redacted, searched again for secrets, and written as a whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conformance.cassette import format as cassette_format
from conformance.cassette.compressed import unpacked
from conformance.cassette.gate import Gate
from conformance.cassette.load import UnsavedCassette, parse_cassette
from conformance.cassette.persist import write_atomically
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.cassette.traffic import Sent
from conformance.errors import ConformanceError
from conformance.model.exchange import Request
from conformance.model.version import VERSION

_LOCAL = ("127.0.0.1", "localhost", "::1")
_CODED = ("content-encoding", "content-length", "transfer-encoding")


def redacted(sent: Sequence[Sent], path: Path) -> tuple[UnsavedCassette, tuple[str, ...]]:
    """The cassette of these exchanges, not yet on disk, and the secrets that were removed from it."""
    redactor = Redactor(known_secrets())
    document: dict[str, Any] = {
        "version": 1,
        "metadata": _metadata(sent),
        "interactions": [_interaction(each) for each in sent],
    }
    for _ in range(2):  # a value that a later exchange shows to be a secret may also be in an earlier one
        document = redactor.document(document)
    text = cassette_format.dump(document).replace("`conformance record`", "`conformance.recording()`", 1)
    return parse_cassette(text, path), redactor.secrets


def save(cassette: UnsavedCassette, secrets: Iterable[str]) -> None:
    """Writes the cassette.

    Raises:
        ConformanceError: it would contain a secret, or the file cannot be written.
    """
    leaks = Gate(secrets).cassette(cassette)
    if leaks:
        raise ConformanceError(
            f"{cassette.path}: not recorded: the cassette would contain a secret: {leaks[0]}",
            "an existing cassette was left unchanged",
        )
    write_atomically(Path(cassette.path), cassette.text)


def credentials(sent: Iterable[Sent]) -> tuple[str, ...]:
    """The secrets in the headers and URLs of live requests, which no message may quote."""
    redactor = Redactor(known_secrets())
    for each in sent:
        redactor.url(each.request["uri"])
        for name, values in each.request["headers"].items():
            for value in values:
                redactor.header(name, value)
    return redactor.secrets


def _metadata(sent: Sequence[Sent]) -> dict[str, Any]:
    hosts = {Request("GET", each.request["uri"]).host for each in sent}
    local = all(host in _LOCAL or host.endswith(".localhost") for host in hosts)
    return {
        "provenance": "local" if local else "live",
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "conformance_version": VERSION,
    }


def _interaction(sent: Sent) -> dict[str, Any]:
    request, response = sent.request, sent.received
    assert response is not None  # noqa: S101 - what was not answered is not kept
    content = response["body"].get("string", b"")
    headers = response["headers"]
    if isinstance(content, bytes) and (plain := unpacked(content)) is not None:
        content = plain
        headers = {name: values for name, values in headers.items() if name.lower() not in _CODED}
    return {
        "request": {**request, "body": _text(request["body"])},
        "response": {**response, "headers": headers, "body": {"string": _text(content)}},
    }


def _text(body: Any) -> Any:
    """Bytes as text, if they are text; a value that is not serialised yet (aiohttp's `json=`) as JSON."""
    if isinstance(body, (dict, list)):
        return json.dumps(body)
    if not isinstance(body, bytes):
        return body
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body
