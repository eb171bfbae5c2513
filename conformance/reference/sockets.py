"""WebSockets of the reference server: each frame is a request, and its answer is sent as frames."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from conformance.model.exchange import Body, Headers, Request
from conformance.model.registry import beside, claim, optional_part
from conformance.model.rendered import Delivery

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

_UNKNOWN = 1008
"""The code with which a connection is closed that breaks a policy (RFC 6455, section 7.4.1)."""


class Answers(Protocol):
    """Answers a request of a connection."""

    def __call__(self, request: Request, connection: str) -> Delivery: ...


async def converse(socket: WebSocket, answers: Answers) -> None:
    """Answers frame by frame, until the client closes the connection or an answer is cut."""
    from starlette.websockets import WebSocketDisconnect

    request = Request("GET", str(socket.url), Headers(socket.headers.items()))
    connection = f"{socket.client.host}:{socket.client.port}" if socket.client else ""
    await socket.accept()
    try:
        while True:
            asked = replace(request, body=Body(await socket.receive_text()))
            sent = await asyncio.to_thread(answers, asked, connection)
            for frame in _frames(asked, sent):
                await socket.send_text(frame)
            if sent.cut:
                await socket.close(_UNKNOWN)
    except WebSocketDisconnect:
        return


def _frames(asked: Request, sent: Delivery) -> Iterable[str]:
    dialect = claim(asked) or beside(asked)
    frames = getattr(optional_part(dialect.name, "serving"), "frames", None) if dialect is not None else None
    if frames is None:
        return [json.dumps({"type": "error", "status": sent.rendered.status, **sent.response.body.json})]
    found: Iterable[str] = frames(asked.body.json, sent.response)
    return found
