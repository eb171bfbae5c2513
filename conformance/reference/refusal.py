"""The answer to a request whose body is not taken: the provider's error, and an end that its client can read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import Response

from conformance.model.exchange import Request
from conformance.model.registry import claim, has_part
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.reference.answering import failure_of, unanswerable
from conformance.reference.intake import RefusedError

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


def refusal(request: Request, error: RefusedError, linger: float) -> tuple[Response, Rendered]:
    """The provider's error in the dialect of the request's path; it drops the rest of the body for `linger` seconds."""
    dialect = claim(request)
    if dialect is not None and has_part(dialect.name, "render"):
        rendered = failure_of(dialect, error.status, error.message, request, IdFactory(error.message))
    else:
        rendered = unanswerable(error.message, error.status)
    return _Refusal(Delivery.of(rendered).body, rendered.status, linger), rendered


class _Refusal(Response):
    """Ends only when the client has stopped sending: closed with bytes unread, a connection loses the answer, too."""

    def __init__(self, content: bytes, status: int, linger: float) -> None:
        super().__init__(content, status, {"connection": "close"})
        self._linger = linger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        try:
            async with asyncio.timeout(self._linger):
                while (await receive()).get("more_body", False):
                    pass
        except TimeoutError:
            pass
        await send({"type": "http.response.body", "body": b"", "more_body": False})
