"""The traffic of a test, in order: each request as the client sent it, with the response that it got."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from conformance.inputs import interactions
from conformance.model.exchange import UNANSWERED, Exchange, Headers
from conformance.model.frozen import dataclass

_LAST_EVENT = re.compile(rb'data: ?\[DONE\]|"type": ?"(message_stop|response\.(completed|failed|incomplete))"')
_TAIL = 1 << 20


@dataclass(slots=True)
class Sent:
    """One request and its response, in vcrpy's form. `response` is None until it arrives.

    `cassette` is vcrpy's cassette that recorded or answered it, None for a transport. `number` is that of the recorded
    exchange that answered. `whole`: the request has every header that the client sent. `origin` is the
    object of the HTTP library or of vcrpy that the request was read from.
    """

    request: dict[str, Any]
    response: dict[str, Any] | None = None
    cassette: Any = None
    number: int | None = None
    whole: bool = True
    origin: Any = None
    ended: bool = True
    """Whether the program read the response to its end."""
    elsewhere: bool = False
    """Whether another log has it, too, and is judged."""
    pieces: list[bytes] = field(default_factory=list)
    """What the program has read of a response that was logged before its body."""

    @property
    def interaction(self) -> dict[str, Any]:
        """The interaction of a cassette; a request without an answer has a status that marks it.

        A stream that the program left before its end is no answer to judge: nobody saw the rest of it.
        """
        seen = None if self.left else self.received
        return {"request": self.request, "response": seen or {"status": {"code": UNANSWERED}, "headers": {}}}

    @property
    def received(self) -> dict[str, Any] | None:
        """The response with what has been read of its body."""
        if self.response is None or not self.pieces:
            return self.response
        return self.response | {"body": {"string": b"".join(self.pieces)}}

    def exchange(self, source: str) -> Exchange:
        """The exchange, marked as complete if nothing of it was dropped.

        A recorder may have dropped the headers of a response that it plays: then their absence is no evidence.
        """
        [found] = interactions.exchanges_of([self.interaction], source, own=False)
        dropped = self.number is not None and found.response.headers.get("content-type") is None
        return replace(found, complete=self.whole and not dropped, group=f"live {source}")

    def answer(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """Logs the response, before any of its body is read."""
        fields = Headers(list(headers)).lists()
        self.response = {"status": {"code": status, "message": None}, "headers": fields, "body": {"string": b""}}
        self.ended = False

    def read(self, piece: bytes) -> None:
        """Adds what the program has read of the response's body."""
        if self.response is not None:
            self.pieces.append(piece)

    @property
    def left(self) -> bool:
        """Whether the program left the response before its end, and before the event after which clients leave it."""
        if self.response is None or self.ended:
            return False
        return _LAST_EVENT.search(b"".join(self.pieces)[-_TAIL:]) is None


@dataclass(slots=True)
class Log:
    """The exchanges of one test or recording, and the cassettes of vcrpy that it opened."""

    sent: list[Sent] = field(default_factory=list)
    tapes: list[Any] = field(default_factory=list)
    contacted: list[tuple[str, str, str]] = field(default_factory=list)
    """Host, method and path of each request over http.client; the host alone of each resolved name."""

    def opened(self, tape: Any) -> None:
        """Remembers a cassette that was opened or used."""
        if not any(each is tape for each in self.tapes):
            self.tapes.append(tape)


def vcr_request(method: str, url: str, headers: Iterable[tuple[str, str]], body: Any) -> dict[str, Any]:
    """A request in vcrpy's form: each header with the list of its values."""
    fields: dict[str, list[str]] = {}
    for name, value in headers:
        fields.setdefault(_text(name), []).append(_text(value))
    return {"method": method, "uri": url, "headers": fields, "body": body}


def vcr_response(response: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of vcrpy's response: code that replays it may change the original later."""
    status = response.get("status") or {"code": response.get("status_code"), "message": None}
    body = response.get("body")
    content = body.get("string", b"") if isinstance(body, Mapping) else response.get("content", b"")
    headers = {
        str(name): list(values) if isinstance(values, (list, tuple)) else [values]
        for name, values in (response.get("headers") or {}).items()
    }
    return {"status": dict(status), "headers": headers, "body": {"string": content}}


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
