"""The reference server: a real HTTP server on loopback that plays scenarios in every dialect."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from email.utils import formatdate
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Self

from conformance.errors import HarnessError
from conformance.judge.checker import UNANSWERED, request_findings
from conformance.judge.contracted import refused
from conformance.judge.rule import coded_rules
from conformance.judge.view import View
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claim, has_part, layers_of, part_of
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Malformed
from conformance.reference.behaviours import AppliedBehaviours
from conformance.reference.model import next_turn, script_of, turn_of
from conformance.reference.plans import planned
from conformance.reference.variation import Variation
from conformance.scenario.model import ProviderError, Scenario

if TYPE_CHECKING:
    from starlette.requests import Request as WebRequest
    from starlette.responses import Response as WebResponse

_START_SECONDS = 10.0
_NOW = IdFactory("").now
_UNKNOWN_PATH = Style(separators=(", ", ": "), after="\n")


def answer(
    request: Request,
    scenarios: Mapping[str, Scenario],
    behaviours: Sequence[Behaviour] = (),
    vary: Variation | None = None,
) -> Rendered:
    """The response to a request, in its dialect: the scenario's next turn, or an error.

    `behaviours` change the scripted turns and errors, `vary` what providers vary; a refusal of a wrong request is not
    changed.
    """
    dialect = claim(request)
    if dialect is None:
        return _unanswerable(f"unknown path; send POST to a path with one of {', '.join(_paths())}")
    if not has_part(dialect.name, "render"):
        return _unanswerable(f"this server cannot answer in dialect {dialect.name}: it has no render module")
    body_value = request.body.json
    ask = dialect.read_request(request, body_value)
    ids = IdFactory(f"{dialect.name} {'stream' if ask.stream else 'sync'} {len(ask.history)}")
    refusal = _refusal(dialect, request)
    if refusal:
        return _failure(dialect, *refusal, request, ids)
    script = script_of(ask, scenarios)
    if script is None:
        return _failure(
            dialect,
            404,
            "No scenario starts with this user message; `conformance serve` prints the messages that do.",
            request,
            ids,
        )
    scenario, conversation = script
    ids.seed = f"{scenario.id} {ids.seed}"
    varied = vary.of(request) if vary is not None else None
    ids = varied.ids(ids) if varied is not None else ids
    applied = AppliedBehaviours(behaviours, dialect)
    ids = applied.ids(ids)
    conversation = applied.script(conversation)
    scripted = next_turn(planned(conversation, scenario) if dialect.plans_ahead else conversation, ask)
    if scripted is None:
        return _failure(dialect, 400, f"The scenario {scenario.id} has no further turn.", request, ids)
    render = part_of(dialect.name, "render")
    if scripted.error is not None and not (scripted.text and ask.stream):
        failure = _failure(dialect, scripted.error.status, scripted.error.message, request, ids)
        return applied.answer(failure, streamed=False)
    turn = turn_of(scripted, ask)
    turn = applied.turn(varied.turn(turn) if varied is not None else turn)
    rendered: Rendered = render.answer(turn, ask, request, ids)
    if varied is not None:
        rendered = varied.answer(rendered, dialect.name, streamed=ask.stream)
    if scripted.error is not None:
        rendered = _broken_off(render, rendered, scripted.error)
    return applied.answer(rendered, streamed=ask.stream)


def _paths() -> list[str]:
    """The path of each dialect that this server can answer in."""
    dialects = all_dialects()
    return sorted({each.path for name, each in dialects.items() if each.path and has_part(name, "render")})


def _unanswerable(reason: str) -> Rendered:
    return Rendered(404, (("content-type", "application/json"),), (Document({"error": reason}, _UNKNOWN_PATH),))


def _broken_off(render: ModuleType, whole: Rendered, error: ProviderError) -> Rendered:
    """A stream that fails half-way: the first half of the turn, then the dialect's form of a failure."""
    begun = whole.documents[: max(1, len(whole.documents) // 2)]
    end: tuple[Document | Mark, ...] = render.stream_failure(error.status, error.message, len(begun))
    return replace(whole, documents=(*begun, *end))


def _refusal(dialect: Dialect, request: Request) -> tuple[int, str] | None:
    """With which status a provider would refuse the request, and why.

    It is not JSON; it violates a row of the contract that is known to be refused; or it breaks a rule in Python of
    severity error.
    """
    if isinstance(request.body.json, Malformed):
        return 400, f"The body is not valid JSON: {request.body.json.reason}."
    sent = Exchange(request, Response(UNANSWERED), complete=True)
    for layer in layers_of(dialect.name):
        for each in refused(View(sent, layer)):
            return each.refused or 400, f"{each.message} ({each.rule} at {each.pointer or 'the request'})"
    for finding in request_findings(request, dialect):
        if finding.severity is Severity.ERROR and finding.rule in coded_rules():
            return 400, f"{finding.message} ({finding.rule} at {finding.pointer or 'the request'})"
    return None


def _failure(dialect: Dialect, status: int, message: str, request: Request, ids: IdFactory) -> Rendered:
    rendered: Rendered = part_of(dialect.name, "render").failure(status, message, request, ids)
    return rendered


class ReferenceServer:
    """Serves scenarios at `origin`, in its own thread, while the context is open.

    A port of 0 takes any free one. `behaviours` change its responses; they may be changed between two requests. `vary`
    varies them.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        port: int = 0,
        behaviours: Sequence[Behaviour] = (),
        vary: Variation | None = None,
    ) -> None:
        import uvicorn
        from starlette.applications import Starlette
        from starlette.routing import Route

        self._scenarios = scenarios
        self.behaviours = behaviours
        self.vary = vary
        app = Starlette(routes=[Route("/{path:path}", self._respond, methods=["GET", "POST", "DELETE"])])
        config = uvicorn.Config(
            app,
            host="127.0.0.1",
            port=port,
            log_level="critical",
            server_header=False,
            date_header=False,
            lifespan="off",
            ws="none",
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

    def wait(self) -> None:
        """Serves until the process is interrupted."""
        with suppress(KeyboardInterrupt):
            while self._thread.is_alive():
                self._thread.join(timeout=0.5)

    async def _respond(self, web: WebRequest) -> WebResponse:
        from starlette.responses import Response, StreamingResponse

        body = await web.body()
        request = Request(web.method, str(web.url), Headers(web.headers.items()), Body(body))
        try:
            rendered = await asyncio.to_thread(answer, request, self._scenarios, self.behaviours, self.vary)
            chunks = rendered.chunks
        except Exception as error:  # noqa: BLE001 - whatever it is, the client gets an answer and we get the fault
            self.faults.append(f"reference server: internal error on {request.path}: {type(error).__name__}: {error}")
            return Response("internal error of the reference server", 500)
        if len(chunks) == 1:
            response: Response = Response(chunks[0], rendered.status)
        else:
            response = StreamingResponse(_one_by_one(chunks), rendered.status)
        response.headers["date"] = formatdate(_NOW, usegmt=True)
        for name, value in rendered.headers:
            response.headers[name] = value
        return response


async def _one_by_one(chunks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
        await asyncio.sleep(0)
