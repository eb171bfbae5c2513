"""The reference server's side of raw prompts: texts and errors as vLLM sends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_completions.reply import STOPS
from conformance.model.document import DONE, SERVER_SENT, Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces, stop_in
from conformance.model.transcript import Ask, Stop, Turn

_WIRE_STOPS: dict[Stop, str] = {"length": "length", "filter": "content_filter"}
_KINDS = {400: "BadRequestError", 401: "AuthenticationError", 404: "NotFoundError", 429: "RateLimitError"}
_HEXADECIMAL = "0123456789abcdef"
_JSON = (("content-type", "application/json"),)
_SSE = (("content-type", "text/event-stream; charset=utf-8"),)

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn's text as one choice, as a stream if the request asks for one.

    A `stop_wire` that is a number is the token that ended the text, which vLLM reports as `stop_reason`.
    """
    head = {"id": ids.id("cmpl-", 32, _HEXADECIMAL), "created": ids.now, "model": ask.model or ""}
    limit = request.body.json.get("max_tokens") if isinstance(request.body.json, dict) else None
    prompt, completion = ids.prompt_tokens(ask), ids.tokens(turn)
    completion = min(completion, limit) if isinstance(limit, int) else completion
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    finish = stop_in(turn, STOPS, _WIRE_STOPS, "stop")
    token = turn.stop_wire if isinstance(turn.stop_wire, int) else None
    if ask.stream:
        options = request.body.json.get("stream_options") if isinstance(request.body.json, dict) else None
        wanted = isinstance(options, dict) and options.get("include_usage") is True
        return Rendered(200, _SSE, (*_chunks(head, turn.text, finish, token, usage if wanted else None), DONE))
    choice = {**_choice(turn.text, finish, token), "prompt_logprobs": None}
    body = {"object": "text_completion", **head, "choices": [choice], "usage": usage}
    return Rendered(200, _JSON, (Document(_ordered(body)),))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The server's error body for a status."""
    return Rendered(status, _JSON, (Document({"error": _error(status, message)}),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with the error as data, and still with `[DONE]`."""
    return (Document({"error": _error(status, message)}, SERVER_SENT), DONE)


def _error(status: int, message: str) -> Json:
    kind = _KINDS.get(status, "InternalServerError" if status >= 500 else "BadRequestError")
    return {"message": message, "type": kind, "param": None, "code": status}


def _chunks(head: Json, text: str, finish: str, token: int | None, usage: Json | None) -> Iterator[Document]:
    cut = pieces(text) or [""]
    for number, piece in enumerate(cut):
        last = number == len(cut) - 1
        choice = _choice(piece, finish if last else None, token if last else None)
        yield _event({"object": "text_completion", **head, "choices": [choice]})
    if usage is not None:
        yield _event({"object": "text_completion", **head, "choices": [], "usage": usage})


def _choice(text: str, finish: str | None, token: int | None) -> Json:
    return {"index": 0, "text": text, "logprobs": None, "finish_reason": finish, "stop_reason": token}


def _ordered(body: Json) -> Json:
    """The keys in the order in which the server writes them."""
    return {key: body[key] for key in ("id", "object", "created", "model", "choices", "usage") if key in body}


def _event(body: Json) -> Document:
    return Document(_ordered(body), SERVER_SENT)
