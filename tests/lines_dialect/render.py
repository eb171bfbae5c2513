"""The reference server's side."""

from __future__ import annotations

from typing import Any

from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces
from conformance.model.transcript import Ask, Turn

_JSON = (("content-type", "application/json; charset=utf-8"),)
_LINES = (("content-type", "application/x-ndjson"),)
_LINE = Style(after="\n")


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The turn as one object, or as lines where the request asks for a stream."""
    calls = [{"function": {"name": call.name, "arguments": call.arguments}} for call in turn.calls]
    end = {
        "done_reason": "length" if turn.stop == "length" else "stop",
        "done": True,
        "total_duration": 2_100_000_000,
        "prompt_eval_count": ids.prompt_tokens(ask),
        "eval_count": ids.tokens(turn),
    }
    if not ask.stream:
        return Rendered(200, _JSON, (_line(ask, turn.text, calls, end),))
    said = [_line(ask, piece, [], {"done": False}) for piece in pieces(turn.text)]
    called = [_line(ask, "", calls, {"done": False})] if calls else []
    return Rendered(200, _LINES, (*said, *called, _line(ask, "", [], end)))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The server's error body."""
    return Rendered(status, _JSON, (Document({"error": message}),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with a line that holds the error."""
    return (Document({"error": message}, _LINE),)


def _line(ask: Ask, text: str, calls: list[Any], rest: dict[str, Any]) -> Document:
    message = {"role": "assistant", "content": text, **({"tool_calls": calls} if calls else {})}
    value = {"model": ask.model, "created_at": "2026-09-21T12:26:40.0871Z", "message": message, **rest}
    return Document(value, _LINE)
