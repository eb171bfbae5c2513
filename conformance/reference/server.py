"""The reference server: a real HTTP server on loopback that plays scenarios in every dialect."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from email.utils import formatdate
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Self

from conformance.errors import HarnessError
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Body, Headers, Request
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.reference.answering import answer, answer_to
from conformance.reference.bounds import Bounds
from conformance.reference.intake import Intake, RefusedError
from conformance.scenario.model import Scenario

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest
    from starlette.responses import Response as WebResponse
    from starlette.types import Receive, Scope, Send

__all__ = ["ReferenceServer", "answer"]

_START_SECONDS = 10.0
_NOW = IdFactory("").now
_USUAL = Bounds()
_SMALL = 1 << 16
"""Bodies up to this size are answered in the event loop: the answer takes a few ms, a thread for it about one more."""

Responder = Callable[[Request, str, Sequence[Behaviour]], Delivery]
"""Answers a request of a connection under the given behaviours."""


class ClosedByBehaviourError(Exception):
    """The end of a connection that a behaviour cuts: the HTTP server closes it when it sees an error."""


class ReferenceServer:
    """Serves scenarios at `origin`, in its own thread, while the context is open.

    A port of 0 takes any free one. `behaviours` change its responses; they may be changed between two requests.
    `responder` answers in place of the bare scenarios: sessions that judge, or a cassette. Requests beyond the `bounds`
    are refused before it sees them; `on_refused` is told of those whose head was read.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        port: int = 0,
        behaviours: Sequence[Behaviour] = (),
        responder: Responder | None = None,
        bounds: Bounds = _USUAL,
    ) -> None:
        import uvicorn
        from starlette.applications import Starlette
        from starlette.routing import Route

        from conformance.reference.connections import protocol

        self._respond_to = responder or (
            lambda request, _, behaviours: answer_to(request, scenarios, behaviours).delivery
        )
        self.behaviours = behaviours
        self.on_refused: Callable[[Request, int, str], None] | None = None
        self._intake = Intake(bounds)
        app = Starlette(
            routes=[Route("/{path:path}", self._respond, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])]
        )
        config = uvicorn.Config(
            app,
            host="127.0.0.1",
            port=port,
            log_level="critical",
            server_header=False,
            date_header=False,
            lifespan="off",
            ws="none",
            http=protocol(bounds),
            h11_max_incomplete_event_size=bounds.head_bytes,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, name="reference-server", daemon=True)
        self.faults: list[str] = []
        """Errors of the server itself, never the client's."""

    @property
    def origin(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(_START_SECONDS / 0.01)):
            if self._server.started:
                return self
            if not self._thread.is_alive():
                break
            waited.wait(0.01)
        raise HarnessError("the reference server did not start", "check that the port is free, or use port 0")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=_START_SECONDS)

    def wait(self, stopped: threading.Event | None = None) -> None:
        """Serves until the process is interrupted, or `stopped` is set."""
        with suppress(KeyboardInterrupt):
            while self._thread.is_alive() and not (stopped is not None and stopped.is_set()):
                self._thread.join(timeout=0.2)

    async def _respond(self, web: WebRequest) -> WebResponse:
        from conformance.reference.refusal import refusal

        request = Request(web.method, str(web.url), Headers(web.headers.items()), Body(b""))
        try:
            async with self._intake.body(web) as body, self._intake.turn(len(body)):
                return await self._answer(web, replace(request, body=Body(body)))
        except RefusedError as error:
            if self.on_refused is not None:
                await asyncio.to_thread(self.on_refused, request, error.status, error.message)
            return _with_headers(*refusal(request, error, self._intake.bounds.linger_seconds))

    async def _answer(self, web: WebRequest, request: Request) -> WebResponse:
        from starlette.responses import Response

        connection = f"{web.client.host}:{web.client.port}" if web.client else ""
        try:
            if request.method == "POST" and len(request.body.content or b"") < _SMALL:
                sent = self._respond_to(request, connection, self.behaviours)
            else:
                sent = await asyncio.to_thread(self._respond_to, request, connection, self.behaviours)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer and we get the fault
            self.faults.append(f"reference server: internal error on {request.path}: {type(error).__name__}: {error}")
            return Response("internal error of the reference server", 500)
        if sent.cut and not sent.pieces:
            _cut_at_once(web)
        if len(sent.pieces) == 1 and not sent.cut:
            return _with_headers(Response(sent.pieces[0], sent.rendered.status), sent.rendered)
        return _with_headers(_pieces_type()(sent), sent.rendered)


def _with_headers(response: WebResponse, rendered: Rendered) -> WebResponse:
    response.headers["date"] = formatdate(_NOW, usegmt=True)
    for name, value in rendered.headers:
        response.headers[name] = value
    return response


@cache
def _pieces_type() -> Callable[[Delivery], WebResponse]:
    from starlette.responses import Response

    class Pieces(Response):
        """Sends the pieces one by one. Starlette's own stream also waits for the client's end, in a task for each."""

        def __init__(self, sent: Delivery) -> None:
            super().__init__(status_code=sent.rendered.status)
            del self.headers["content-length"]
            self._sent = sent

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            for number, piece in enumerate(self._sent.pieces):
                if number and self._sent.pause:
                    await asyncio.sleep(self._sent.pause)
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            if self._sent.cut:
                await asyncio.sleep(0.01)
                raise ClosedByBehaviourError
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return Pieces


def _cut_at_once(web: WebRequest) -> None:
    """Closes the connection before a byte of the answer: the HTTP server's own cycle has its transport."""
    cycle = getattr(web.receive, "__self__", None)
    transport = getattr(cycle, "transport", None)
    if transport is not None:
        transport.abort()
    raise ClosedByBehaviourError
