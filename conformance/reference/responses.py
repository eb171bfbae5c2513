"""The HTTP responses of the reference server."""

from __future__ import annotations

import asyncio
from email.utils import formatdate
from typing import TYPE_CHECKING

from starlette.responses import Response

from conformance.model.exchange import Request
from conformance.model.registry import claim, has_part
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.reference.answering import failure_of, unanswerable
from conformance.reference.intake import RefusedError

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest
    from starlette.types import Receive, Scope, Send

_NOW = IdFactory("").now


class ClosedByBehaviourError(Exception):
    """The end of a connection that a behaviour cuts: the HTTP server closes it when it sees an error."""


def response_of(sent: Delivery) -> Response:
    """The response that delivers an answer, in one piece if it is sent so."""
    if len(sent.pieces) == 1 and not sent.cut:
        return _with_headers(Response(sent.pieces[0], sent.rendered.status), sent.rendered)
    return _with_headers(_Pieces(sent), sent.rendered)


def refusal(request: Request, error: RefusedError, linger: float) -> Response:
    """The provider's error for a body that is not taken, in the dialect of the request's path.

    Its client can read it: the rest of the body is dropped for `linger` seconds.
    """
    dialect = claim(request)
    if dialect is not None and has_part(dialect.name, "render"):
        rendered = failure_of(dialect, error.status, error.message, request, IdFactory(error.message))
    else:
        rendered = unanswerable(error.message, error.status)
    return _with_headers(_Refusal(rendered, linger), rendered)


def internal_error() -> Response:
    """The response to a request on which the server itself has failed."""
    return Response("internal error of the reference server", 500)


def cut_at_once(web: WebRequest) -> None:
    """Closes the connection before a byte of the answer: the HTTP server's own cycle has its transport."""
    cycle = getattr(web.receive, "__self__", None)
    transport = getattr(cycle, "transport", None)
    if transport is not None:
        transport.abort()
    raise ClosedByBehaviourError


def _with_headers(response: Response, rendered: Rendered) -> Response:
    response.headers["date"] = formatdate(_NOW, usegmt=True)
    for name, value in rendered.headers:
        response.headers[name] = value
    return response


class _Pieces(Response):
    """Sends the pieces one by one. Starlette's own stream also waits for the client's end, in a task for each."""

    def __init__(self, sent: Delivery) -> None:
        super().__init__(status_code=sent.rendered.status)
        del self.headers["content-length"]
        self._sent = sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for number, piece in enumerate(self._sent.pieces):
            if number and self._sent.pause:
                await asyncio.sleep(self._sent.pause)
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if self._sent.cut:
            await asyncio.sleep(0.01)
            raise ClosedByBehaviourError
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Refusal(Response):
    """Ends only when the client has stopped sending: closed with bytes unread, a connection loses the answer, too."""

    def __init__(self, rendered: Rendered, linger: float) -> None:
        super().__init__(rendered.body, rendered.status, {"connection": "close"})
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
