"""The JSON-RPC messages of an exchange, on both sides, in a body, a batch or a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from conformance.judge.view import View
from conformance.model.finding import Hit, Side
from conformance.model.frozen import dataclass
from conformance.model.jsontext import canonical
from conformance.model.pointer import join

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Message:
    """One message. `pointer` is empty where it is the whole body; `event` its number in a stream."""

    side: Side
    pointer: str
    value: dict[str, Any]
    event: int | None = None

    @property
    def is_request(self) -> bool:
        return "method" in self.value and "id" in self.value

    @property
    def is_response(self) -> bool:
        return "method" not in self.value

    @property
    def method(self) -> str | None:
        method = self.value.get("method")
        return method if isinstance(method, str) else None

    @property
    def params(self) -> dict[str, Any]:
        return _object(self.value.get("params"))

    @property
    def meta(self) -> dict[str, Any]:
        return _object(self.params.get("_meta"))

    @property
    def result(self) -> dict[str, Any] | None:
        """The result, if the message is a response with a result that is an object."""
        result = self.value.get("result")
        return result if self.is_response and isinstance(result, dict) else None

    @property
    def error(self) -> dict[str, Any] | None:
        """The error, if the message is a response with an error that is an object."""
        error = self.value.get("error")
        return error if self.is_response and isinstance(error, dict) else None

    def at(self, *tokens: str | int) -> str | None:
        """The place below this message; None for the whole body."""
        return join(self.pointer, *tokens) or None

    def hit(self, message: str, *tokens: str | int, expected: str | None = None, actual: str | None = None) -> Hit:
        """A hit at a place below this message."""
        return Hit(self.at(*tokens), message, expected, actual, side=self.side)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def once(read: Callable[[View], T]) -> Callable[[View], T]:
    """Reads each exchange once: many rules read the same messages, and a batch can have thousands."""
    known: WeakKeyDictionary[View, T] = WeakKeyDictionary()

    @wraps(read)
    def reading(view: View) -> T:
        if view not in known:
            known[view] = read(view)
        return known[view]

    return reading


@once
def sent(view: View) -> tuple[Message, ...]:
    """The messages of the request: one, or those of a batch."""
    return tuple(_of(view.request, "request", ""))


@once
def received(view: View) -> tuple[Message, ...]:
    """The messages of the response: its body, a batch, or the events of a stream.

    A failure may have another body than a JSON-RPC error: answers of proxies and authorisation servers are not judged.
    """
    response = view.exchange.response
    if response.is_event_stream:
        return tuple(
            message for event in response.events for message in _of(event.json, "response", event.pointer, event.number)
        )
    return tuple(
        message for message in _of(response.body.json, "response", "") if view.ok or "jsonrpc" in message.value
    )


def _of(value: Any, side: Side, base: str, event: int | None = None) -> Iterator[Message]:
    if isinstance(value, dict):
        yield Message(side, base, value, event)
    for number, each in enumerate(value if isinstance(value, list) else ()):
        if isinstance(each, dict):
            yield Message(side, join(base, number), each, event)


def answered(view: View, method: str | None = None) -> Iterator[tuple[Message, Message | None]]:
    """Each request with its response; with `method`, only requests of that method."""
    return (each for each in _answered(view) if method is None or each[0].method == method)


@once
def _answered(view: View) -> tuple[tuple[Message, Message | None], ...]:
    responses = [message for message in received(view) if message.is_response]
    by_id = {canonical(each.value["id"]): each for each in reversed(responses) if "id" in each.value}
    requests = [message for message in sent(view) if message.is_request]
    alone = responses[0] if len(requests) == len(responses) == 1 else None
    return tuple((each, by_id.get(canonical(each.value["id"]), alone)) for each in requests)
