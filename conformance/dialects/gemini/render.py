"""The reference server's side of Gemini: replies, streams and errors in the form of recorded ones."""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.gemini.reply import NUMBERS
from conformance.dialects.gemini.wire import generation
from conformance.model.document import INDENTED, Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import ALPHANUMERIC, IdFactory, Rendered, pieces
from conformance.model.transcript import (
    Ask,
    Malformed,
    Part,
    Reasoning,
    Search,
    Stop,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    Unknown,
)

_MODEL = "gemini-3-flash-preview"
_REASONS: dict[Stop, str] = {
    "end": "STOP",
    "tool-calls": "STOP",
    "length": "MAX_TOKENS",
    "filter": "SAFETY",
    "pause": "CONTINUATION",
    "error": "MALFORMED_FUNCTION_CALL",
    "other": "OTHER",
}
_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
_TYPE = "type.googleapis.com/google.rpc."
_URL_SAFE = ALPHANUMERIC + "-_"
_SEAL_LENGTH = 300
_IDS_SINCE, _THINKS_SINCE = 3.0, 2.5
_BODY = replace(INDENTED, after="\n")
_EVENTS = Style(separators=(",", ": "), before="data: ", after="\r\n\r\n")
_ARRAY = replace(_BODY, first="[", before=",\r\n")
_ARRAY_END = Mark("]")


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as Gemini sends it, with generated ids and signatures where the turn has none."""
    model = ask.model or _MODEL
    version = generation(model) or generation(_MODEL) or 0.0
    parts = list(_parts(turn, version, ids))
    usage = _Usage(ask, turn, version, ids)
    common = {"modelVersion": model, "responseId": ids.id("", 22, _URL_SAFE)}
    reason: Any = turn.stop_wire if isinstance(turn.stop_wire, str) else _REASONS[turn.stop or "end"]
    if "enum-encoding=int" in request.query.get("$alt", "") and reason in NUMBERS:
        reason = NUMBERS.index(reason)
    if not ask.stream:
        message = {"finishMessage": "Model generated function call(s)."} if turn.calls else {}
        body = _body(parts, {"finishReason": reason}, usage.whole(), common, message | _grounding(turn))
        return Rendered(200, _headers(_kind(request, streamed=ask.stream)), (Document(body, _BODY),))
    bodies = []
    chunks = _spread(parts, own_end=version >= _IDS_SINCE)
    for number, chunk in enumerate(chunks):
        end = {"finishReason": reason} if number + 1 == len(chunks) else {}
        bodies.append(_body(chunk, end, usage.so_far(chunk, last=bool(end)), common, _grounding(turn) if end else {}))
    return Rendered(200, _headers(_kind(request, streamed=ask.stream)), _stream(bodies, request))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - an error has no ids
    """The error body for a status; the delay is in the details, not in a retry-after header."""
    word = _STATUSES.get(status) or ("INVALID_ARGUMENT" if status < 500 else "INTERNAL")
    error: dict[str, Any] = {"code": status, "message": message, "status": word}
    details = _details(status, message)
    body: Any = {"error": {**error, "details": details} if details else error}
    streamed = ":streamGenerateContent" in request.path
    if streamed and request.query.get("alt") != "sse":
        body = [body]
    return Rendered(status, _headers(_kind(request, streamed=streamed)), (Document(body, _BODY),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with the plain error body, on several lines and without `data:`."""
    word = _STATUSES.get(status) or ("INVALID_ARGUMENT" if status < 500 else "INTERNAL")
    return (Document({"error": {"code": status, "message": message, "status": word}}, _BODY),)


def _details(status: int, message: str) -> list[dict[str, Any]]:
    if status == 400 and "api key" in message.lower():
        service = "generativelanguage.googleapis.com"
        return [
            {
                "@type": f"{_TYPE}ErrorInfo",
                "reason": "API_KEY_INVALID",
                "domain": "googleapis.com",
                "metadata": {"service": service},
            },
            {"@type": f"{_TYPE}LocalizedMessage", "locale": "en-US", "message": message},
        ]
    if status == 429:
        return [{"@type": f"{_TYPE}RetryInfo", "retryDelay": "48s"}]
    return []


def _parts(turn: Turn, version: float, ids: IdFactory) -> Iterator[dict[str, Any]]:
    """The wire's parts. The first call is signed from 2.5 on, closing text from 3 on."""
    signed = False
    parts = list(turn.parts)
    for number, part in enumerate(parts):
        if isinstance(part, ToolCall) and part.kind != "server":
            signature = part.signature
            if signature is None and not signed and version >= _THINKS_SINCE:
                signature = _seal(ids)
            signed = True
            yield {"functionCall": _call(part, version, ids), **_signature(signature)}
        elif isinstance(part, Text):
            following = parts[number + 1] if number + 1 < len(parts) else None
            signature = following.signature if isinstance(following, Reasoning) and following.text is None else None
            if signature is None and following is None and version >= _IDS_SINCE:
                signature = _seal(ids)
            yield {"text": part.text, **_signature(signature)}
        else:
            yield from _other(part, after_text=number > 0 and isinstance(parts[number - 1], Text))
    if not parts:
        yield {"text": ""}


def _call(call: ToolCall, version: float, ids: IdFactory) -> dict[str, Any]:
    arguments = {} if isinstance(call.arguments, Malformed) else call.arguments
    call_id = call.id
    if call_id is None and version >= _IDS_SINCE:
        call_id = ids.id("", 8, string.ascii_lowercase + string.digits)
    return {"name": call.name, "args": arguments, **({"id": call_id} if call_id else {})}


def _other(part: Part, *, after_text: bool) -> Iterator[dict[str, Any]]:
    if isinstance(part, Reasoning):
        if part.text is not None:
            yield {"text": part.text, "thought": True, **_signature(part.signature)}
        elif not after_text:
            yield {"text": "", **_signature(part.signature)}
    elif isinstance(part, ToolCall):
        yield {"executableCode": part.arguments}
    elif isinstance(part, ToolResult):
        yield {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": part.content}}
    elif isinstance(part, Unknown) and isinstance(part.value, dict):
        yield part.value


def _grounding(turn: Turn) -> dict[str, Any]:
    """What the provider's own search found, which is no part of the content; segments are counted in bytes."""
    search: Search | None = turn.search
    if search is None:
        return {}
    segment = {"endIndex": len(turn.text.encode()), "text": turn.text}
    return {
        "groundingMetadata": {
            "searchEntryPoint": {"renderedContent": "<div></div>"},
            "groundingChunks": [{"web": {"uri": each.url, "title": each.title}} for each in search.sources],
            "groundingSupports": [{"segment": segment, "groundingChunkIndices": [*range(len(search.sources))]}],
            "webSearchQueries": [search.query],
        }
    }


def _seal(ids: IdFactory) -> str:
    return ids.id("E", _SEAL_LENGTH - 1, ALPHANUMERIC + "+/")


def _signature(signature: str | None) -> dict[str, str]:
    return {"thoughtSignature": signature} if signature is not None else {}


def _spread(parts: list[dict[str, Any]], *, own_end: bool) -> list[list[dict[str, Any]]]:
    """The parts as chunks: text in pieces, a call whole; from 3 on the end has a chunk of its own."""
    chunks: list[list[dict[str, Any]]] = []
    closing: dict[str, str] = {}
    for number, part in enumerate(parts):
        text = part.get("text")
        if not isinstance(text, str):
            chunks.append([part])
            continue
        last = own_end and number + 1 == len(parts)
        seal = {key: value for key, value in part.items() if key == "thoughtSignature"}
        thought = {"thought": True} if part.get("thought") is True else {}
        cut = [{"text": piece, **thought} for piece in pieces(text, 32)]
        if last and not thought:
            closing = seal
        elif seal:
            cut = [*cut[:-1], {**(cut[-1] if cut else {"text": ""}), **seal}]
        chunks.extend([piece] for piece in cut)
    if own_end or not chunks:
        chunks.append([{"text": "", **closing}])
    return chunks


class _Usage:
    """The counts, which increase from chunk to chunk. Members that are zero are omitted."""

    def __init__(self, ask: Ask, turn: Turn, version: float, ids: IdFactory) -> None:
        self._prompt = ids.prompt_tokens(ask)
        self._cached = ids.cached_tokens
        self._all = ids.tokens(turn)
        self._thoughts = 40 + self._all if version >= _THINKS_SINCE else 0
        if self._thoughts + self._all > ids.max_tokens:  # the limit is that of both together
            self._thoughts = max(1, int(ids.max_tokens) - self._all)
            self._all = max(0, int(ids.max_tokens) - self._thoughts)
        self._sent = 0

    def whole(self) -> dict[str, Any]:
        return self._counts(self._all)

    def so_far(self, chunk: list[dict[str, Any]], *, last: bool) -> dict[str, Any]:
        size = sum(len(json.dumps(part.get("functionCall", part.get("text")), default=str)) for part in chunk)
        self._sent = self._all if last else min(self._all, self._sent + max(1, size // 4))
        return self._counts(self._sent)

    def _counts(self, candidates: int) -> dict[str, Any]:
        return {
            "promptTokenCount": self._prompt,
            "candidatesTokenCount": candidates,
            "totalTokenCount": self._prompt + candidates + self._thoughts,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": self._prompt}],
            **({"cachedContentTokenCount": self._cached} if self._cached else {}),
            **({"thoughtsTokenCount": self._thoughts} if self._thoughts else {}),
            "serviceTier": "standard",
        }


def _body(
    parts: list[dict[str, Any]],
    end: dict[str, Any],
    usage: dict[str, Any],
    common: dict[str, Any],
    more: dict[str, Any],
) -> dict[str, Any]:
    candidate = {"content": {"parts": parts, "role": "model"}, **end, "index": 0, **more}
    return {"candidates": [candidate], "usageMetadata": usage, **common}


def _stream(bodies: list[dict[str, Any]], request: Request) -> tuple[Document | Mark, ...]:
    """Server-sent events with CRLF, or without `alt=sse` the elements of one array, as they come."""
    if request.query.get("alt") == "sse":
        return tuple(Document(body, _EVENTS) for body in bodies)
    return (*(Document(body, _ARRAY) for body in bodies), _ARRAY_END)


def _kind(request: Request, *, streamed: bool) -> str:
    sse = streamed and request.query.get("alt") == "sse"
    return "text/event-stream" if sse else "application/json; charset=UTF-8"


def _headers(kind: str) -> tuple[tuple[str, str], ...]:
    return (
        ("x-gemini-service-tier", "standard"),
        ("content-type", kind),
        ("vary", "Origin, X-Origin, Referer"),
        ("server", "scaffolding on HTTPServer2"),
        ("x-xss-protection", "0"),
        ("x-frame-options", "SAMEORIGIN"),
        ("x-content-type-options", "nosniff"),
        ("server-timing", "gfet4t7; dur=1204"),
    )
