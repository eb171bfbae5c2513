"""The reference server's side of tiny-chat."""

from __future__ import annotations

from typing import Any

from conformance.model.document import SERVER_SENT, Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces
from conformance.model.transcript import Ask, Turn

_JSON = (("content-type", "application/json"),)
_STREAM = (("content-type", "text/event-stream"),)
_STOPS = {"tool-calls": "calls", "length": "length"}


def answer(turn: Turn, ask: Ask, _request: Request, ids: IdFactory) -> Rendered:
    """The turn as one object, or as events if the request asks for a stream."""
    calls = [
        {"id": call.id or ids.id("call_", 8), "name": call.name, "arguments": call.arguments} for call in turn.calls
    ]
    stop = _STOPS.get(turn.stop or "end", "end")
    if not ask.stream:
        return Rendered(200, _JSON, (Document(_reply(turn.text, calls, stop)),))
    texts = [Document({"text": piece}, SERVER_SENT) for piece in pieces(turn.text)]
    called = [Document({"call": call}, SERVER_SENT) for call in calls]
    return Rendered(200, _STREAM, (*texts, *called, Document({"stop": stop}, SERVER_SENT)))


def _reply(text: str, calls: list[Any], stop: str) -> dict[str, Any]:
    return {"text": text, **({"calls": calls} if calls else {}), "stop": stop}


def failure(status: int, message: str, _request: Request, _ids: IdFactory) -> Rendered:
    """The server's error body."""
    return Rendered(status, _JSON, (Document(_error(message)),))


def _error(message: str) -> dict[str, Any]:
    return {"error": {"type": "refused", "message": message}}


def stream_failure(_status: int, message: str, _sent: int) -> tuple[Document | Mark, ...]:
    """A stream that fails ends with an event that has the error."""
    return (Document(_error(message), SERVER_SENT),)
