"""An exchange of JSON-RPC messages on an HTML page: requests, notifications, results and errors, in their order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from conformance.model.exchange import Exchange, is_broken
from conformance.model.finding import Side
from conformance.model.pointer import join
from conformance.model.printable import count

MOST = 60
"""How many messages of one side are shown."""


class Message(NamedTuple):
    """One message: what it is, its content as JSON or text, and its place. `kind` is a style of the page."""

    role: str
    kind: str
    title: str
    text: str
    pointer: str


def messages_of(exchange: Exchange) -> list[Message]:
    """The messages of both sides; none if neither body has a JSON-RPC message."""
    asked = list(_within(exchange.request.body.json, ""))
    answered = list(_answers(exchange))
    if not any("jsonrpc" in value for value, _ in (*asked, *answered)):
        return []
    found = [*_some("client", asked), *_some("server", answered)]
    if not answered:
        status = exchange.response.status
        body = "" if exchange.response.body.empty else exchange.response.body.text or ""
        found.append(Message("server", "text", f"status {status}, no message", body, ""))
    return found


def _answers(exchange: Exchange) -> Iterator[tuple[Mapping[str, Any], str]]:
    if exchange.response.is_event_stream:
        for event in exchange.response.events:
            yield from _within(event.json, event.pointer)
    else:
        yield from _within(exchange.response.body.json, "")


def _within(value: Any, base: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The messages of a body: one, or those of a batch."""
    if is_broken(value):
        return
    if isinstance(value, dict):
        yield value, base
    for number, each in enumerate(value if isinstance(value, list) else ()):
        if isinstance(each, dict):
            yield each, join(base, number)


def _some(role: str, values: list[tuple[Mapping[str, Any], str]]) -> Iterator[Message]:
    for value, pointer in values[:MOST]:
        yield _message(role, value, pointer)
    if len(values) > MOST:
        yield Message(role, "text", f"⋯ {count(len(values) - MOST, 'message')} left out", "", "")


def _message(role: str, value: Mapping[str, Any], pointer: str) -> Message:
    number = json.dumps(value["id"], ensure_ascii=False) if "id" in value else None
    if "method" in value:
        method = value["method"] if isinstance(value["method"], str) else json.dumps(value["method"])
        title = f"notification {method}" if number is None else f"request {number}: {method}"
        return Message(role, "call", title, _text(value.get("params")), pointer)
    of = f" of request {number}" if number is not None else ""
    if "error" in value:
        error = value["error"]
        problem = f" {error.get('code')}: {error.get('message')}" if isinstance(error, dict) else ""
        rest = error.get("data") if isinstance(error, dict) else error
        return Message(role, "unknown", f"error{of}{problem}", _text(rest), pointer)
    if "result" in value:
        return Message(role, "result", f"result{of}", _text(value["result"]), pointer)
    return Message(role, "unknown", "neither request, result nor error", _text(dict(value)), pointer)


def _text(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False, indent=2)


def is_at(message: Message, about: Side | None, pointer: str | None) -> bool:
    """Whether a place on the side `about` is in the message."""
    side = "request" if message.role == "client" else "response"
    if pointer is None or side != about:
        return False
    return f"{pointer}/".startswith(f"{message.pointer}/") or not message.pointer
