"""The reference server's error for an MCP client: it serves no tools; `executor/mcp_server` does."""

from __future__ import annotations

from typing import Any

from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Turn

_CODES = {400: -32600, 404: -32601}
_BODY = Style(separators=(", ", ": "))


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - the form of every render.py
    """An error: MCP carries no turns of a model."""
    return failure(404, "This server plays models; it serves no tools.", request, ids)


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as above
    """A JSON-RPC error with the id of the request, if it has one."""
    body = request.body.json
    number = body.get("id") if isinstance(body, dict) else None
    error: dict[str, Any] = {"code": _CODES.get(status, -32603), "message": message}
    answered = {"jsonrpc": "2.0", "id": number, "error": error}
    return Rendered(status, (("content-type", "application/json"),), (Document(answered, _BODY),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as above
    """Empty: MCP streams no turns of a model."""
    return ()
