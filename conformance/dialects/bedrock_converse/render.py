"""The reference server's side of Converse: turns and errors as the provider sends them.

The keys are in the order of recorded traffic. Each event of a stream has `p`, which hides the length of its text.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from typing import Any

from conformance.dialects.bedrock_converse.blocks import SERVER
from conformance.dialects.bedrock_converse.reply import STOPS
from conformance.dialects.bedrock_converse.rules_failure import STATUSES
from conformance.model.document import FRAMED, Document, Mark
from conformance.model.eventstream import CONTENT_TYPE
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces, stop_in, value_and_text
from conformance.model.transcript import Ask, Part, Reasoning, Stop, Text, ToolCall, ToolResult, Turn

_WIRE_STOPS: dict[Stop, str] = {
    "tool-calls": "tool_use",
    "length": "max_tokens",
    "filter": "guardrail_intervened",
    "error": "malformed_model_output",
}
_STREAMED = {
    400: "validationException",
    424: "modelStreamErrorException",
    429: "throttlingException",
    503: "serviceUnavailableException",
}
_PADDING = string.ascii_letters + string.digits

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The turn as the provider sends it, as a stream if the request asks for one."""
    blocks = [block for part in turn.parts for block in _blocks(part, ids)]
    stop = stop_in(turn, STOPS, _WIRE_STOPS, "end_turn")
    read, written = ids.prompt_tokens(ask), ids.tokens(turn)
    usage = {
        "cacheReadInputTokens": ids.cached_tokens,
        "cacheWriteInputTokens": 0,
        "inputTokens": read - ids.cached_tokens,
        "outputTokens": written,
        "totalTokens": read + written,
    }
    served = {"metrics": {"latencyMs": 40 * written + 311}, "usage": usage}
    if not ask.stream:
        message = {"content": [block for block, _ in blocks], "role": "assistant"}
        body = {"metrics": served["metrics"], "output": {"message": message}, "stopReason": stop, "usage": usage}
        return Rendered(200, _headers("application/json", ids), (Document(body),))
    events = (
        ("messageStart", {"role": "assistant"}),
        *(event for index, block in enumerate(blocks) for event in _events(index, block)),
        ("messageStop", {"stopReason": stop}),
        ("metadata", served),
    )
    return Rendered(200, _headers(CONTENT_TYPE, ids), tuple(_event(name, payload) for name, payload in events))


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The provider's error body for a status. A header names the error, if the service model has one for it."""
    names = [name for name, its in reversed(STATUSES.items()) if its == status][:1]
    kinds = [("x-amzn-errortype", f"{name}:http://internal.amazon.com/coral/com.amazon.bedrock/") for name in names]
    return Rendered(status, (*_headers("application/json", ids), *kinds), (Document({"message": message}),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:  # noqa: ARG001 - as others
    """A stream that fails ends with an exception."""
    return (Document({"message": message}, FRAMED, _STREAMED.get(status, "internalServerException")),)


def _headers(kind: str, ids: IdFactory) -> tuple[tuple[str, str], ...]:
    parts = (ids.id("", size, "0123456789abcdef") for size in (8, 4, 4, 4, 12))
    return (("content-type", kind), ("x-amzn-requestid", "-".join(parts)))


def _blocks(part: Part, ids: IdFactory) -> Iterator[tuple[Json, str]]:
    """The content block of a part, and the text of its input that a stream carries."""
    if isinstance(part, Text) and part.text:
        yield {"text": part.text}, ""
    elif isinstance(part, Reasoning):
        seal = part.signature or ids.id("EqoBCkgI", 120)
        shown = {"reasoningText": {"signature": seal, "text": part.text}}
        yield {"reasoningContent": shown if part.text is not None else {"redactedContent": seal}}, ""
    elif isinstance(part, ToolCall):
        value, text = value_and_text(part.arguments)
        kind = {"type": SERVER} if part.kind == "server" else {}
        call_id = part.id or ids.id("tooluse_", 22)
        call = {"input": value, "name": part.name, "toolUseId": call_id, **kind}
        yield {"toolUse": call}, text
    elif isinstance(part, ToolResult):
        content = part.content if isinstance(part.content, list) else [{"json": part.content}]
        status = "error" if part.is_error else "success"
        yield {"toolResult": {"content": content, "status": status, "toolUseId": part.call_id}}, ""


def _events(index: int, block: tuple[Json, str]) -> Iterator[tuple[str, Json]]:
    """The events of a block. Those of text and reasoning have no start."""
    ((kind, value),) = block[0].items()
    at = {"contentBlockIndex": index}
    if kind in ("toolUse", "toolResult"):
        start = {key: each for key, each in value.items() if key not in ("input", "content")}
        yield "contentBlockStart", {**at, "start": {kind: start}}
    for delta in _deltas(kind, value, block[1]):
        yield "contentBlockDelta", {**at, "delta": delta}
    yield "contentBlockStop", at


def _deltas(kind: str, value: Any, text: str) -> Iterator[Json]:
    if kind == "text":
        yield from ({"text": piece} for piece in pieces(value))
    elif kind == "toolUse":
        yield from ({"toolUse": {"input": piece}} for piece in ("", *pieces(text)))
    elif kind == "toolResult":
        yield {"toolResult": value["content"]}
    elif "redactedContent" in value:
        yield {"reasoningContent": value}
    else:
        thought = value["reasoningText"]
        yield from ({"reasoningContent": {"text": piece}} for piece in pieces(thought["text"]))
        yield {"reasoningContent": {"signature": thought["signature"]}}


def _event(name: str, payload: Json) -> Document:
    size = len(json.dumps(payload)) * 7 % len(_PADDING)
    padded = {"p": _PADDING[: size + 1]}
    return Document(dict(sorted({**payload, **padded}.items())), FRAMED, name)
