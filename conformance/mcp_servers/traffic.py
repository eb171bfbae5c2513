"""The traffic of one cell: each request with what came back, also of a stream that was never ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from conformance.cassette.compressed import unpacked
from conformance.model.exchange import UNANSWERED, Body, Exchange, Headers, Lack, Request, Response


@dataclass(slots=True)
class Sent:
    """One request. `status` is None until a response begins; `failure` is why it did not begin or was cut off."""

    request: Request
    status: int | None = None
    headers: Headers = field(default_factory=Headers)
    content: bytearray = field(default_factory=bytearray)
    failure: Exception | None = None
    whole: bool = False
    """Whether the client read the body to its end."""

    def exchange(self, source: str, lacks: frozenset[Lack]) -> Exchange:
        """The exchange as evidence."""
        content = bytes(self.content)
        plain = unpacked(content)
        body = Body(content if plain is None else plain)
        if not self.whole and not content and self.headers.get("content-length") != "0":
            body = Body(note="the client did not read the body")
        response = Response(UNANSWERED if self.status is None else self.status, self.headers, body)
        return Exchange(self.request, response, source=source, complete=True, group=source, lacks=lacks)


@dataclass(slots=True)
class Traffic:
    """All requests of a cell, in the order in which they were sent. `lacks` is what the transport does not have."""

    sent: list[Sent] = field(default_factory=list)
    lacks: frozenset[Lack] = frozenset()

    def begin(self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes) -> Sent:
        """Notes a request before anything answers it."""
        self.sent.append(Sent(Request(method, url, Headers(headers), Body(body))))
        return self.sent[-1]

    def exchanges(self, source: str) -> list[Exchange]:
        """The exchanges that have a response, without requests to listen that nothing answered."""
        return [each.exchange(source, self.lacks) for each in self.sent if each.status is not None]
