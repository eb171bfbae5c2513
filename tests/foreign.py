"""A foreign endpoint for tests: the reference's answers behind a server that misbehaves on purpose.

It is not the reference server: it answers below any path, counts what it is asked, and each fault is a function that
takes the number of the request (from 0) and the request, and gives a response in place of the good one, or None.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import Response
from starlette.routing import Route

from conformance.model.exchange import Body, Headers, Request
from conformance.model.kept import Kept
from conformance.reference.answering import answer_to
from conformance.scenario.load import all_scenarios

Fault = Callable[[int, Request], Response | None]


class Foreign:
    """The server while it runs: where it is, and what it was asked."""

    def __init__(self, fault: Fault | None, edit: Callable[[int, bytes], bytes] | None) -> None:
        self.requests: list[Request] = []
        self.origin = ""
        self.released = threading.Event()
        """Set when the test is over: whoever hangs may stop."""
        self._fault = fault
        self._edit = edit
        self._lock = threading.Lock()
        self._kept = Kept()

    async def respond(self, web: WebRequest) -> Response:
        request = Request(web.method, str(web.url), Headers(web.headers.items()), Body(await web.body()))
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        fault = await asyncio.to_thread(self._fault, number, request) if self._fault else None
        if fault is not None:
            return fault
        rendered = (await asyncio.to_thread(answer_to, request, all_scenarios(), kept=self._kept)).delivery.rendered
        body = b"".join(rendered.chunks)
        if self._edit is not None:
            body = self._edit(number, body)
        headers = {name: value for name, value in rendered.headers if name.lower() != "content-length"}
        return Response(body, rendered.status, headers)

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


@contextmanager
def foreign(fault: Fault | None = None, edit: Callable[[int, bytes], bytes] | None = None) -> Iterator[Foreign]:
    """Serves until the context closes. `edit` changes the body of a good answer."""
    made = Foreign(fault, edit)
    app = Starlette(routes=[Route("/{path:path}", made.respond, methods=["GET", "POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    pause = threading.Event()
    while not server.started:
        assert thread.is_alive()
        pause.wait(0.01)
    made.origin = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        made.released.set()
        server.should_exit = True
        server.force_exit = True
        thread.join(10)


def refused(
    status: int, headers: Mapping[str, str] | None = None, body: Any = b'{"error": {"message": "no"}}'
) -> Response:
    """A failure of the provider."""
    return Response(body, status, {"content-type": "application/json", **(headers or {})})
