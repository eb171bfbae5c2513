"""The readers of tiny-chat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.model.dialect import Readers, sse_events_of
from conformance.model.exchange import Exchange, Request
from conformance.model.sse import Event
from conformance.model.stream_events import closed, stopped, whole_parts
from conformance.model.transcript import (
    Ask,
    Part,
    Role,
    Stop,
    StreamEvent,
    Text,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Turn,
)

_ROLES: dict[str | None, Role] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}
_STOPS: dict[str | None, Stop] = {"end": "end", "calls": "tool-calls", "length": "length"}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def read_request(_request: Request, body: Any) -> Ask:
    """The messages as turns, and the tools."""
    tools, messages = _list(_dict(body).get("tools")), _list(_dict(body).get("messages"))
    return Ask(
        model=_text(_dict(body).get("model")),
        stream=_dict(body).get("stream") is True,
        tools=tuple(
            ToolDefinition(
                _text(_dict(tool).get("name")),
                _text(_dict(tool).get("description")) or "",
                _dict(tool).get("parameters"),
                pointer=f"/tools/{number}",
            )
            for number, tool in enumerate(tools)
        ),
        history=tuple(_turns(messages)),
    )


def _turns(messages: list[Any]) -> Iterator[Turn]:
    """A turn for each message; neighbouring results are one."""
    results: Turn | None = None
    for number, message in enumerate(map(_dict, messages)):
        at = f"/messages/{number}"
        role = _ROLES.get(_text(message.get("role")), "unknown")
        if role == "tool":
            result = ToolResult(_text(message.get("id")), None, message.get("result"), pointer=at)
            results = Turn(role, (*(results.parts if results else ()), result), results.pointer if results else at)
            continue
        if results is not None:
            yield results
            results = None
        yield Turn(role, tuple(_parts(message, at)), at)
    if results is not None:
        yield results


def _parts(message: dict[str, Any], at: str) -> Iterator[Part]:
    text = _text(message.get("text"))
    if text:
        yield Text(text, f"{at}/text")
    for number, call in enumerate(_list(message.get("calls"))):
        yield _call(call, f"{at}/calls/{number}")


def _call(call: Any, at: str) -> ToolCall:
    return ToolCall(_text(_dict(call).get("id")), _text(_dict(call).get("name")), _dict(call).get("arguments"), at)


def read_reply(body: Any) -> tuple[Turn, ...]:
    """The one turn of a reply."""
    stop = _dict(body).get("stop")
    parts = tuple(_parts(_dict(body), ""))
    return (Turn("assistant", parts, stop=_STOPS.get(_text(stop)), stop_wire=stop, stop_pointer="/stop"),)


def read_stream(events: Sequence[Event]) -> tuple[Turn, ...]:
    """The same turn, from the pieces of its text and its whole calls."""
    parts: list[Part] = []
    stop, at = None, ""
    for event in events:
        data = _dict(event.json)
        for part in _event_parts(event):
            last = parts[-1] if parts else None
            if isinstance(last, Text) and isinstance(part, Text):
                parts[-1] = Text(last.text + part.text, last.pointer)
            else:
                parts.append(part)
        if "stop" in data:
            stop, at = data["stop"], f"{event.pointer}/stop"
    return (Turn("assistant", tuple(parts), stop=_STOPS.get(_text(stop)), stop_wire=stop, stop_pointer=at),)


def stream_events(events: Sequence[Event]) -> Iterator[StreamEvent]:
    """What each event adds, and at the end why the turn stopped."""
    yield from closed(_moments(events))
    for turn in read_stream(events):
        yield from stopped(turn)


def _moments(events: Sequence[Event]) -> Iterator[StreamEvent]:
    calls = 0
    for event in events:
        parts = _event_parts(event)
        yield from whole_parts(parts, calls)
        calls += sum(isinstance(part, ToolCall) for part in parts)


def _event_parts(event: Event) -> list[Part]:
    """A piece of text or a whole call."""
    data = _dict(event.json)
    found: list[Part] = []
    if piece := _text(data.get("text")):
        found.append(Text(piece, f"{event.pointer}/text"))
    if "call" in data:
        found.append(_call(data["call"], f"{event.pointer}/call"))
    return found


def sse_events(exchange: Exchange) -> tuple[Event, ...] | None:
    """The events of a response that was asked for as a stream."""
    return sse_events_of(exchange, asked=_dict(exchange.request.body.json).get("stream") is True)


READERS = Readers(
    read_request=read_request,
    read_reply=read_reply,
    read_stream=read_stream,
    stream_events=stream_events,
    sse_events=sse_events,
)
