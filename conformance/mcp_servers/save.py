"""Saves the traffic of a cell as a cassette."""

from __future__ import annotations

from pathlib import Path

from conformance.cassette.saving import redacted, save
from conformance.cassette.traffic import Sent, vcr_request
from conformance.mcp_servers.cells import DIALECT, Cell
from conformance.model.exchange import Exchange


def path_of(folder: Path, cell: Cell, target: str) -> Path:
    """The path of a cell's cassette."""
    return folder / DIALECT / cell.probe.name / f"{target}--{cell.driver}--{cell.revision}.yaml"


def save_cell(exchanges: list[Exchange], path: Path) -> None:
    """Writes the cassette, without secrets.

    Raises:
        ConformanceError: it would contain a secret, or cannot be written.
    """
    cassette, secrets = redacted([_sent(each) for each in exchanges], path)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(cassette, secrets)


def _sent(exchange: Exchange) -> Sent:
    request, response = exchange.request, exchange.response
    return Sent(
        vcr_request(request.method, request.url, request.headers, request.body.content),
        {
            "status": {"code": response.status, "message": None},
            "headers": response.headers.lists(),
            "body": {"string": response.body.content or b""},
        },
    )
