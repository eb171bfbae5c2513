"""A client that sends what a probe wants, right or wrong: one POST at a time, in the form of a revision."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2

from conformance.mcp_servers.reach import Line
from conformance.model import sse
from conformance.model.jsontext import canonical
from conformance.model.version import VERSION

STATELESS = "2026-07-28"
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
REVISIONS = (*HANDSHAKES, STATELESS)
_META = "io.modelcontextprotocol/"
_CLIENT = {"name": "conformance", "version": VERSION}
_ACCEPT = "application/json, text/event-stream"
_AFTER_SECONDS = 0.5
"""How long to read on after the response in a stream that the server does not end."""
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that a stateless request repeats in its header `Mcp-Name`."""


@dataclass(slots=True)
class Answer:
    """What came back for a POST. `at` is when the response itself arrived, on the loop's clock."""

    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    messages: list[dict[str, Any]] = field(default_factory=list)
    response: dict[str, Any] | None = None
    failure: Exception | None = None
    number: int = 0
    """The number of the exchange in the traffic."""
    at: float | None = None

    @property
    def result(self) -> dict[str, Any] | None:
        """The result, if there is one that is an object."""
        result = (self.response or {}).get("result")
        return result if isinstance(result, dict) else None

    @property
    def error(self) -> dict[str, Any] | None:
        """The JSON-RPC error, if there is one."""
        error = (self.response or {}).get("error")
        return error if isinstance(error, dict) else None

    @property
    def code(self) -> Any:
        """The code of the error."""
        return (self.error or {}).get("code")

    @property
    def summary(self) -> str:
        """What came back, in a few words."""
        if self.failure is not None:
            return f"no response ({type(self.failure).__name__})"
        if self.error is not None:
            return f"error {self.code} with status {self.status}"
        what = "a result" if self.response is not None else "no message"
        return f"{what} with status {self.status}"


class RawClient:
    """One session, or one run of stateless requests, with a server."""

    def __init__(self, line: Line, revision: str) -> None:
        self.line = line
        self.revision = revision
        self.session: str | None = None
        self.agreed = False
        self._ids = itertools.count(1)

    @property
    def stateless(self) -> bool:
        """Whether the revision has no handshake."""
        return self.revision == STATELESS

    def initialize(self, revision: str | None = None) -> dict[str, Any]:
        """The parameters of `initialize`."""
        return {"protocolVersion": revision or self.revision, "capabilities": {}, "clientInfo": _CLIENT}

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str | None] | None = None,
        number: int | None = None,
    ) -> Answer:
        """Sends a request; a header of None is left out."""
        body = self.message(method, params, next(self._ids) if number is None else number)
        return await self.post(body, self._headers(body, headers))

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        """Sends a notification."""
        body = self.message(method, params, None)
        return await self.post(body, self._headers(body, None))

    def message(self, method: str, params: Mapping[str, Any] | None, number: int | None) -> dict[str, Any]:
        """A message in the form of the revision; a notification without a number."""
        body: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if number is not None:
            body["id"] = number
        given = dict(params or {})
        if self.stateless:
            meta = {
                f"{_META}protocolVersion": self.revision,
                f"{_META}clientCapabilities": {},
                f"{_META}clientInfo": _CLIENT,
            }
            given["_meta"] = {**meta, **given.get("_meta", {})}
        if given:
            body["params"] = given
        return body

    def next_id(self) -> int:
        """An id that no request has."""
        return next(self._ids)

    def _headers(self, body: Mapping[str, Any], changed: Mapping[str, str | None] | None) -> dict[str, str]:
        method, params = str(body.get("method")), body.get("params") or {}
        headers: dict[str, str | None] = {"accept": _ACCEPT, "content-type": "application/json"}
        if self.stateless:
            headers |= {"mcp-protocol-version": self.revision, "mcp-method": method}
            named = params.get(_NAMED.get(method, ""))
            if isinstance(named, str):
                headers["mcp-name"] = named
        elif method != "initialize":
            headers["mcp-protocol-version"] = self.revision if self.agreed and self.revision >= "2025-06-18" else None
            headers["mcp-session-id"] = self.session
        headers |= changed or {}
        return {name: value for name, value in headers.items() if value is not None}

    async def post(self, body: Any, headers: Mapping[str, str] | None = None) -> Answer:
        """Sends a body, which is text or a value; whatever fails is part of the answer."""
        content = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        headers = headers if headers is not None else self._headers({"method": ""}, None)
        answer = Answer(number=len(self.line.traffic.sent))
        wanted = canonical(body["id"]) if isinstance(body, dict) and "id" in body else None
        try:
            async with self.line.http.stream("POST", self.line.url, content=content.encode(), headers=headers) as got:
                answer.status, answer.headers = got.status_code, got.headers
                await self._read(got, answer, wanted)
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            answer.failure = error
        return answer

    async def _read(self, got: httpx2.Response, answer: Answer, wanted: str | None) -> None:
        if "text/event-stream" not in got.headers.get("content-type", "").lower():
            await got.aread()
            _take(answer, _values(got.text), wanted)
            return
        with anyio.CancelScope() as scope:
            async for values in _event_values(got):
                _take(answer, values, wanted)
                if answer.response is not None:
                    scope.deadline = min(scope.deadline, anyio.current_time() + _AFTER_SECONDS)
                for value in values:
                    if "method" in value and "id" in value:
                        await self._reply(value)

    async def _reply(self, value: Mapping[str, Any]) -> None:
        """Answers a request of the server: this client has no features to ask for, except to be pinged."""
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": value["id"]}
        if value.get("method") == "ping":
            reply["result"] = {}
        else:
            reply["error"] = {"code": -32601, "message": "The client does not have this method."}
        await self.post(reply, self._headers({"method": ""}, None))

    async def send(self, method: str, headers: Mapping[str, str | None] | None = None, seconds: float = 1.0) -> Answer:
        """Sends a GET or a DELETE; of a stream that it opens, it reads what comes within `seconds`."""
        given: dict[str, str | None] = {
            "accept": "text/event-stream" if method == "GET" else "*/*",
            "mcp-protocol-version": self.revision if self.revision >= "2025-06-18" else None,
            "mcp-session-id": self.session,
            **(headers or {}),
        }
        answer = Answer(number=len(self.line.traffic.sent))
        kept = {name: value for name, value in given.items() if value is not None}
        try:
            async with self.line.http.stream(method, self.line.url, headers=kept) as got:
                answer.status, answer.headers = got.status_code, got.headers
                with anyio.move_on_after(seconds):
                    await got.aread()
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            answer.failure = error
        return answer


@asynccontextmanager
async def raw(line: Line, revision: str) -> AsyncIterator[RawClient]:
    """A client whose session is deleted at its end."""
    client = RawClient(line, revision)
    try:
        yield client
    finally:
        if client.session is not None:
            with anyio.move_on_after(5.0, shield=True):
                await client.send("DELETE")


def _take(answer: Answer, values: Sequence[dict[str, Any]], wanted: str | None) -> None:
    answer.messages += values
    for value in values:
        if "method" not in value and wanted is not None and answer.response is None:
            given = value.get("id")
            # A response with another id is one nevertheless, where it is the only one; a rule reports its id.
            if canonical(given) == wanted or given is None or isinstance(given, (str, int)):
                answer.response = value
                answer.at = anyio.current_time()


def _values(text: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]


async def _event_values(got: httpx2.Response) -> AsyncIterator[list[dict[str, Any]]]:
    """The messages of a stream as they arrive."""
    buffer, seen = "", 0
    async for chunk in got.aiter_text():
        buffer += chunk
        events = [each for each in sse.events(buffer) if each.complete]
        found = [value for event in events[seen:] for value in _values(event.data)]
        seen = len(events)
        yield found
