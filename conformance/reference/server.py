"""The reference server: a real HTTP server on loopback that plays scenarios in every dialect."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from conformance.errors import HarnessError
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Body, Headers, Request
from conformance.model.kept import Kept
from conformance.model.local import why_not_local
from conformance.model.rendered import Delivery
from conformance.reference.address import page_of
from conformance.reference.answering import answer_to
from conformance.reference.bounds import Bounds
from conformance.reference.intake import Intake, RefusedError
from conformance.reference.stored import other
from conformance.reference.variation import Variation
from conformance.scenario.model import Scenario

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest
    from starlette.responses import Response as WebResponse
    from starlette.websockets import WebSocket

_START_SECONDS = 10.0
_USUAL = Bounds()
_SMALL = 1 << 16
"""Bodies up to this size are answered in the event loop: the answer takes a few ms, a thread for it about one more."""

Pages = Callable[[Request, str], Delivery]
"""Answers a request for a page of the server's own, at the given path below `/_conformance`."""


class Service(Protocol):
    """What answers the requests: sessions that judge their clients, or scenarios alone."""

    def respond(self, request: Request, connection: str, behaviours: Sequence[Behaviour]) -> Delivery:
        """Answers a request of a connection under the given behaviours."""

    def refuse(self, request: Request, status: int, message: str) -> None:
        """Notes a request whose body was refused before it was read."""


class Unjudged:
    """Answers each request by itself, with what it keeps for later ones: no sessions, no report."""

    def __init__(self, scenarios: Mapping[str, Scenario], vary: Variation | None = None) -> None:
        self._scenarios = scenarios
        self._vary = vary
        self._kept = Kept()

    def respond(self, request: Request, connection: str, behaviours: Sequence[Behaviour]) -> Delivery:
        """Answers a request by the scenario that it plays."""
        del connection
        return (
            other(request, self._kept)
            or answer_to(request, self._scenarios, behaviours, self._vary, self._kept).delivery
        )

    def refuse(self, request: Request, status: int, message: str) -> None:
        """Keeps nothing."""


class ReferenceServer:
    """Serves scenarios at `origin`, in its own thread, while the context is open.

    A port of 0 takes any free one. `behaviours` change its responses. `service` answers in place of the bare scenarios;
    both may be changed between two requests. Requests beyond the `bounds` are refused before it sees them. `pages` has
    the server's own pages, if it has any. With `hosts`, requests are refused that are neither to a name of loopback nor
    to one of these.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        port: int = 0,
        behaviours: Sequence[Behaviour] = (),
        service: Service | None = None,
        *,
        pages: Pages | None = None,
        bounds: Bounds = _USUAL,
        hosts: Collection[str] | None = None,
    ) -> None:
        import uvicorn
        from starlette.applications import Starlette
        from starlette.routing import Route, WebSocketRoute

        from conformance.reference.connections import protocol, sockets

        self.service: Service = service or Unjudged(scenarios)
        self.behaviours = behaviours
        self._pages = pages
        self._hosts = hosts
        self._intake = Intake(bounds)
        app = Starlette(
            routes=[
                Route("/{path:path}", self._respond, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
                WebSocketRoute("/{path:path}", self._converse),
            ]
        )
        config = uvicorn.Config(
            app,
            host="127.0.0.1",
            port=port,
            log_level="critical",
            server_header=False,
            date_header=False,
            lifespan="off",
            ws=sockets(),
            ws_max_size=bounds.body_bytes,
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
        from conformance.reference.responses import refusal

        request = Request(web.method, str(web.url), Headers(web.headers.items()), Body(b""))
        try:
            self._refuse_foreign(web.method, web.headers)
            async with self._intake.body(web) as body, self._intake.turn(len(body)):
                return await self.answer(web, replace(request, body=Body(body)))
        except RefusedError as error:
            await asyncio.to_thread(self.service.refuse, request, error.status, error.message)
            return refusal(request, error, self._intake.bounds.linger_seconds)

    def _refuse_foreign(self, method: str, headers: Mapping[str, str]) -> None:
        if self._hosts is None:
            return
        reason = why_not_local(method, headers.get("host"), headers.get("origin"), self._hosts)
        if reason is not None:
            raise RefusedError(403, reason)

    async def _converse(self, socket: WebSocket) -> None:
        """Answers the frames of a WebSocket. A page of another origin could open one, too."""
        from conformance.reference.sockets import converse

        try:
            self._refuse_foreign("POST", socket.headers)
        except RefusedError:
            await socket.close()
            return
        try:
            await converse(
                socket, lambda request, connection: self.service.respond(request, connection, self.behaviours)
            )
        except Exception as error:
            self.faults.append(f"reference server: internal error: {type(error).__name__}: {error}")
            raise

    async def answer(self, web: WebRequest, request: Request) -> WebResponse:
        """The response to a request that was read."""
        from conformance.reference.responses import cut_at_once, internal_error, response_of

        connection = f"{web.client.host}:{web.client.port}" if web.client else ""
        respond = partial(self.service.respond, request, connection, self.behaviours)
        if self._pages is not None and (page := page_of(request)) is not None:
            respond = partial(self._pages, request, page)
        try:
            small = request.method == "POST" and len(request.body.content or b"") < _SMALL
            sent = respond() if small else await asyncio.to_thread(respond)
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer and we get the fault
            self.faults.append(f"reference server: internal error on {request.path}: {type(error).__name__}: {error}")
            return internal_error()
        if sent.cut and not sent.pieces:
            cut_at_once(web)
        return response_of(sent)
