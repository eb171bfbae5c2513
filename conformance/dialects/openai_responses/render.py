"""The reference server's side of Responses: turns and errors as api.openai.com sends them.

Key order, headers, the two-space body, ids that share the response's stem, and the echo of the request's options
follow recorded traffic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects import openai_headers
from conformance.dialects.openai_citations import url_citations
from conformance.dialects.openai_responses.render_events import events_for
from conformance.judge.relations.strict import strict_gaps
from conformance.model.document import INDENTED, SERVER_SENT, Document, Mark
from conformance.model.exchange import Request
from conformance.model.rendered import IdFactory, Rendered, arguments_text
from conformance.model.transcript import Ask, Reasoning, Search, Stop, Text, ToolCall, Turn, Unknown
from conformance.model.values import list_of

_MODELS = {
    "gpt-4o-mini": "gpt-4o-mini-2024-07-18",
    "gpt-4o": "gpt-4o-2024-08-06",
    "gpt-5-mini": "gpt-5-mini-2025-08-07",
}
_THINKING = ("o1", "o3", "o4", "gpt-5")
_INCOMPLETE: dict[Stop, str] = {"length": "max_output_tokens", "filter": "content_filter"}
_ERRORS: dict[int, tuple[str, str | None]] = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("invalid_request_error", None),
    404: ("invalid_request_error", "not_found"),
    429: ("requests", "rate_limit_exceeded"),
}

Json = dict[str, Any]


def answer(turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
    """The turn as the provider sends it, as a stream if the request asks for one."""
    body = request.body.json if isinstance(request.body.json, dict) else {}
    own_ids = _ResponseIds(ids)
    status = {"error": "failed", "length": "incomplete", "filter": "incomplete"}.get(turn.stop or "end", "completed")
    included = list_of(body.get("include"))
    sealed, sources = "reasoning.encrypted_content" in included, "web_search_call.action.sources" in included
    item_status = "incomplete" if status == "incomplete" else "completed"
    output = list(_items(turn, own_ids, item_status, sealed=sealed, sources=sources))
    response = _response(own_ids.item("resp_"), status, output, body, ids)
    if turn.stop in _INCOMPLETE:
        response["incomplete_details"] = {"reason": _INCOMPLETE[turn.stop]}
    if status == "failed":
        response["error"] = {"code": "server_error", "message": turn.text or "The server had an error."}
        response["output"] = []
    response["usage"] = _usage(ids.prompt_tokens(ask), ids.cached_tokens, ids.tokens(turn), _thought(turn))
    if not ask.stream:
        return Rendered(200, openai_headers.answered("application/json", ids), (Document(_sync(response), INDENTED),))
    options = body.get("stream_options")
    padded = not (isinstance(options, dict) and options.get("include_obfuscation") is False)
    events = events_for(response, ids, padded=padded, reseal=own_ids.seal)
    return Rendered(200, openai_headers.answered("text/event-stream; charset=utf-8", ids), tuple(events))


def accepted(rendered: Rendered, request: Request) -> Rendered:
    """A response in the background is queued; the client fetches it later."""
    [*_, last] = rendered.documents
    if len(rendered.documents) > 1 or not in_background(request.body.json) or not isinstance(last, Document):
        return rendered
    queued = {**last.value, "status": "queued", "completed_at": None, "output": [], "usage": None}
    return Rendered(rendered.status, rendered.headers, (Document(queued, INDENTED),))


def in_background(body: Any) -> bool:
    """Whether a request lets the server answer later."""
    return isinstance(body, dict) and body.get("background") is True


def events_after(response: Json, number: int, ids: IdFactory) -> tuple[Document, ...]:
    """The events of a stream that a client resumes after one of them."""
    return tuple(events_for(response, ids, padded=True, reseal=_ResponseIds(ids).seal))[number + 1 :]


def failure(status: int, message: str, request: Request, ids: IdFactory) -> Rendered:  # noqa: ARG001 - as others
    """The provider's error body for a status."""
    kind, code = _ERRORS.get(status, ("server_error" if status >= 500 else "invalid_request_error", None))
    if "didn't provide" in message:
        code = None  # the code is for a key that is wrong
    param = openai_headers.param_of(message)
    if message.startswith("Previous response with id"):
        param, code = "previous_response_id", "previous_response_not_found"
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    headers = (
        ("content-type", "application/json"),
        ("openai-processing-ms", "15"),
        *openai_headers.identity(ids),
        *openai_headers.retry(status),
    )
    return Rendered(status, headers, (Document(body, INDENTED),))


def stream_failure(status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:
    """A stream that fails ends with an `error` event, numbered like any other."""
    _, code = _ERRORS.get(status, ("", None))
    event = {"type": "error", "code": code or "server_error", "message": message, "param": None}
    return (Document({**event, "sequence_number": sent}, SERVER_SENT, "error"),)


class _ResponseIds:
    """Ids of one response and its items: they all contain its stem and its creation time."""

    def __init__(self, ids: IdFactory) -> None:
        self._ids = ids
        self._stem = ids.id("0", 15, openai_headers.HEXADECIMAL)

    def item(self, prefix: str) -> str:
        return f"{prefix}{self._stem}00{self._ids.now:08x}" + self._ids.id("", 24, openai_headers.HEXADECIMAL)

    def call(self) -> str:
        return self._ids.id("call_", 24)

    def seal(self) -> str:
        return self._ids.id("gAAAAAB", 150) + "=="


def _items(turn: Turn, ids: _ResponseIds, status: str, *, sealed: bool, sources: bool) -> Iterator[Json]:
    """The output items of a turn; consecutive texts are one message. `sources`: those of a search are asked for."""
    texts: list[str] = []
    if turn.search is not None:
        yield _searched(turn.search, ids, sources=sources)
    for part in (*turn.parts, None):
        if isinstance(part, Text):
            texts.append(part.text)
            continue
        if texts:
            yield _message(texts, turn.search, ids, status)
            texts = []
        if isinstance(part, Reasoning):
            yield _reasoning(part, ids, sealed=sealed)
        elif isinstance(part, ToolCall):
            yield _call(part, ids)
        elif isinstance(part, Unknown) and isinstance(part.value, dict):
            yield part.value


def _searched(search: Search, ids: _ResponseIds, *, sources: bool) -> Json:
    action: Json = {"type": "search", "queries": [search.query], "query": search.query}
    if sources:
        action["sources"] = [{"type": "url", "url": each.url} for each in search.sources]
    return {"id": ids.item("ws_"), "type": "web_search_call", "status": "completed", "action": action}


def _message(texts: list[str], search: Search | None, ids: _ResponseIds, status: str) -> Json:
    content = [
        {"type": "output_text", "annotations": url_citations(search, text), "logprobs": [], "text": text}
        for text in texts
    ]
    return {"id": ids.item("msg_"), "type": "message", "status": status, "content": content, "role": "assistant"}


def _reasoning(part: Reasoning, ids: _ResponseIds, *, sealed: bool) -> Json:
    item: Json = {"id": ids.item("rs_"), "type": "reasoning"}
    if sealed:
        item |= {"content": [], "encrypted_content": part.signature or ids.seal()}
    return {**item, "summary": [{"type": "summary_text", "text": part.text}] if part.text else []}


def _call(part: ToolCall, ids: _ResponseIds) -> Json:
    if part.kind == "server":
        return {"id": ids.item("ws_"), "type": f"{part.name}_call", "status": "completed", "action": part.arguments}
    if part.kind == "custom":
        return {
            "id": ids.item("ctc_"),
            "type": "custom_tool_call",
            "status": "completed",
            "call_id": part.id or ids.call(),
            "input": arguments_text(part),
            "name": part.name,
        }
    return {
        "id": ids.item("fc_"),
        "type": "function_call",
        "status": "completed",
        "arguments": arguments_text(part),
        "call_id": part.id or ids.call(),
        "name": part.name,
    }


def _response(response_id: str, status: str, output: list[Json], body: Json, ids: IdFactory) -> Json:
    """A response object without its usage; it repeats the settings of the request."""
    model = str(body.get("model") or "gpt-4o-mini")
    thinks = model.startswith(_THINKING)
    asked = body.get("reasoning") if isinstance(body.get("reasoning"), dict) else {}
    return {
        "id": response_id,
        "object": "response",
        "created_at": ids.now,
        "status": status,
        "background": in_background(body),
        "completed_at": ids.now + 1 if status == "completed" else None,
        "error": None,
        "frequency_penalty": 0.0,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "max_output_tokens": body.get("max_output_tokens"),
        "max_tool_calls": None,
        "model": _MODELS.get(model, model),
        "moderation": None,
        "output": output,
        "parallel_tool_calls": body.get("parallel_tool_calls") is not False,
        "presence_penalty": 0.0,
        "previous_response_id": body.get("previous_response_id"),
        "prompt_cache_key": None,
        "prompt_cache_retention": None,
        "reasoning": {"effort": "medium" if thinks else None, "summary": None, **(asked or {})},
        "safety_identifier": None,
        "service_tier": "default",
        "store": body.get("store") is not False,
        "temperature": float(body.get("temperature") or 1.0),
        "text": {"format": {"type": "text"}, "verbosity": "medium", **(body.get("text") or {})},
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": [_tool(tool) for tool in list_of(body.get("tools"))],
        "top_logprobs": 0,
        "top_p": float(body.get("top_p") or 1.0),
        "truncation": "disabled",
        "usage": None,
        "user": None,
        "metadata": body.get("metadata") or {},
    }


def _tool(tool: Any) -> Any:
    """A tool as the server repeats it: without `strict`, it closes the schema if it can."""
    if not isinstance(tool, dict) or tool.get("type") != "function":
        return tool
    schema, strict = tool.get("parameters"), tool.get("strict")
    if "strict" not in tool and isinstance(schema, dict):
        closed = {**schema, "additionalProperties": False}
        strict = not any(strict_gaps(closed, ""))
        schema = closed if strict else schema
    return {
        "type": "function",
        "description": tool.get("description"),
        "name": tool.get("name"),
        "parameters": schema,
        "strict": strict is True,
    }


def _sync(response: Json) -> Json:
    """The body of a response that is not streamed: it has `billing` after `background`."""
    entries: Json = {}
    for key, value in response.items():
        entries[key] = value
        if key == "background":
            entries["billing"] = {"payer": "developer"}
    return entries


def _usage(read: int, cached: int, written: int, thought: int) -> Json:
    return {
        "input_tokens": read,
        "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": written + thought,
        "output_tokens_details": {"reasoning_tokens": thought},
        "total_tokens": read + written + thought,
    }


def _thought(turn: Turn) -> int:
    """Reasoning is counted in steps of 64."""
    return 64 * sum(isinstance(part, Reasoning) for part in turn.parts)
