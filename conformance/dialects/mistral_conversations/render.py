"""The reference server's side of conversations: outputs and errors in the forms of the SDK's types."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from conformance.dialects import mistral_errors
from conformance.dialects.mistral_conversations.claims import PATH
from conformance.dialects.mistral_conversations.stream import DONE, ERROR, STARTED
from conformance.dialects.mistral_errors import HEXADECIMAL, headers
from conformance.model.document import SERVER_SENT, Document, Mark, compact
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, pieces
from conformance.model.transcript import Ask, Malformed, Reasoning, Text, Turn

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    path = PATH.search(request.path)
    kept = path["id"] if path is not None and not path["restart"] else None
    named = {"conversation_id": kept or ids.id("conv_", 32, HEXADECIMAL)}
    made = f"{datetime.fromtimestamp(ids.now, UTC):%Y-%m-%dT%H:%M:%SZ}"
    read, written = ids.prompt_tokens(ask), ids.tokens(turn)
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    outputs = list(_outputs(turn, ask, ids))
    if not ask.stream:
        times = {"object": "entry", "created_at": made, "completed_at": made}
        body = {"object": "conversation.response", **named, "outputs": [{**times, **each} for each in outputs]}
        return Rendered(200, headers("application/json", ids), (Document({**body, "usage": usage}),))
    events = (
        {"type": STARTED, **named},
        *(event for index, each in enumerate(outputs) for event in _events(index, each)),
        {"type": DONE, "usage": usage},
    )
    sent = tuple(Document({**each, "created_at": made}, SERVER_SENT, each["type"]) for each in events)
    return Rendered(200, headers("text/event-stream; charset=utf-8", ids), sent)


def failure(status: int, message: str, _request: Request, ids: IdFactory) -> Rendered:
    """The provider's error body for a status."""
    return mistral_errors.failure(status, message, ids)


def stream_failure(status: int, message: str, _sent: int) -> tuple[Document | Mark, ...]:
    """A stream that fails ends with an event of its own."""
    return (Document({"type": ERROR, "message": message, "code": status}, SERVER_SENT, ERROR),)


def _outputs(turn: Turn, ask: Ask, ids: IdFactory) -> Iterator[Json]:
    """The entries of a turn: one for its texts and thoughts, and one for each call."""
    by = {"model": ask.model} if ask.model else {}
    said = [_chunk(part) for part in turn.parts if isinstance(part, (Text, Reasoning)) and part.text]
    if said or not turn.calls:
        plain = all(each["type"] == "text" for each in said)
        content = "".join(each["text"] for each in said) if plain else said
        name = ids.id("msg_", 32, HEXADECIMAL)
        yield {"type": "message.output", "id": name, **by, "role": "assistant", "content": content}
    for call in turn.calls:
        text = call.arguments.text if isinstance(call.arguments, Malformed) else call.wire or compact(call.arguments)
        named = {"id": ids.id("fc_", 32, HEXADECIMAL), **by, "tool_call_id": call.id or ids.id("", 9)}
        yield {"type": "function.call", **named, "name": call.name, "arguments": text}


def _chunk(part: Text | Reasoning) -> Json:
    text = {"type": "text", "text": part.text}
    return text if isinstance(part, Text) else {"type": "thinking", "thinking": [text], "closed": True}


def _events(index: int, output: Json) -> Iterator[Json]:
    """The events of an entry; each repeats what the entry is."""
    kind = "message.output.delta" if output["type"] == "message.output" else "function.call.delta"
    rest = {key: value for key, value in output.items() if key not in ("type", "content", "arguments")}
    head = {"type": kind, "output_index": index, **rest}
    if kind == "function.call.delta":
        yield from ({**head, "arguments": piece} for piece in pieces(output["arguments"]))
        return
    content = output["content"]
    for place, each in enumerate([{"type": "text", "text": content}] if isinstance(content, str) else content):
        for piece in pieces(each["text"] if each["type"] == "text" else each["thinking"][0]["text"]):
            thought = {"type": "thinking", "thinking": [{"type": "text", "text": piece}], "closed": False}
            yield {**head, "content_index": place, "content": piece if each["type"] == "text" else thought}
