"""Which exchanges belong to one conversation: each is recorded in a file of its own.

A client is known by its API key and its `User-Agent`. Its request continues the conversation of the session that a
header names, of the reply that it refers to, or of the turns that it repeats, with the same ids of calls if several
have the same turns. A request without a turn of the model begins a conversation.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Generic, TypeVar

from conformance.cassette.secretnames import header_holder
from conformance.judge.continuation import last_reply
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.exchange import Exchange, Headers
from conformance.model.registry import claim
from conformance.model.transcript import Text, ToolCall, ToolResult, Turn

_REMEMBERED = 8_192
_ALIKE = 64
"""How many conversations with the same turns are kept apart."""
_LONGEST = 2_000
_TURNS = ("turns", "client", "dialect", "content")
"""The parts of a key of turns; that of a reply's ids may follow."""
T = TypeVar("T")
_Key = tuple[Hashable, ...]


class Conversations(Generic[T]):
    """Finds the conversation of an exchange. `opened` makes a new one, for a dialect or for requests of none."""

    def __init__(self, opened: Callable[[str | None], T]) -> None:
        self._opened = opened
        self._known: OrderedDict[_Key, list[T]] = OrderedDict()
        self._reached: OrderedDict[int, _Key] = OrderedDict()
        """The turns that each conversation has reached: of equal ones, that which is not continued yet goes on."""

    def of(self, exchange: Exchange, client: str) -> T:
        """The conversation that an exchange continues, or a new one. The exchange still has its ids."""
        dialect = claim(exchange.request)
        keys: list[_Key] = []
        if dialect is None:
            latest: _Key = ("others", client)
            found = self._find([latest])
        else:
            latest = ("latest", client, dialect.name)
            view = View(exchange, dialect)
            history = view.ask.history
            found = self._find(_sought(exchange, view, client, dialect.name, latest))
            keys = list(_named(exchange, view, history, client, dialect.name))
        if found is None:
            found = self._opened(dialect.name if dialect is not None else None)
        for key in (*keys, latest):
            same = self._known.setdefault(key, [])
            same[:] = [*(each for each in same if each is not found), found][-_ALIKE:]
            self._known.move_to_end(key)
        if keys:
            self._reached[id(found)] = keys[-1]
            self._reached.move_to_end(id(found))
        for kept in (self._known, self._reached):
            while len(kept) > _REMEMBERED:
                kept.popitem(last=False)
        return found

    def _find(self, keys: Sequence[_Key]) -> T | None:
        for key in keys:
            same = self._known.get(key, [])
            here = [each for each in same if self._reached.get(id(each)) == key[: len(_TURNS)]]
            if same:
                return (here or same)[-1]
        return None


def _sought(exchange: Exchange, view: View, client: str, dialect: str, latest: _Key) -> list[_Key]:
    session = _session(exchange.request.headers)
    if session is not None:
        return [("session", session)]
    ask, history = view.ask, view.ask.history
    keys: list[_Key] = []
    if ask.continues is not None:
        keys.append(("reply", client, ask.continues))
    at = last_reply(history)
    if at >= 0:
        turns = ("turns", client, dialect, _content(history[:at]))
        keys += [(*turns, _ids(history[at])), turns]
    talks = any(turn.role == "user" for turn in history)
    if at >= 0 or ask.continues is not None or (not talks and _session(exchange.response.headers) is None):
        keys.append(latest)
    return keys


def _named(exchange: Exchange, view: View, history: Sequence[Turn], client: str, dialect: str) -> Iterator[_Key]:
    """The keys by which later requests find the conversation of this exchange."""
    for headers in (exchange.request.headers, exchange.response.headers):
        session = _session(headers)
        if session is not None:
            yield "session", session
    turns = ("turns", client, dialect, _content(history))
    for reply in view.replies:
        if reply.id is not None:
            yield "reply", client, reply.id
        yield (*turns, _ids(reply))
    yield turns


def _session(headers: Headers) -> str | None:
    """The id of a session: a header that names one, not a cookie."""
    return next((value for name, value in headers if header_holder(name) == "session"), None)


def _ids(turn: Turn) -> tuple[str | None, ...]:
    return tuple(call.id for call in turn.calls)


def _content(turns: Sequence[Turn]) -> int:
    """The content of the turns, without ids and reasoning, which clients may leave out."""
    return hash(tuple((turn.role, *_parts(turn)) for turn in turns))


def _parts(turn: Turn) -> Iterator[tuple[str, str]]:
    for part in turn.parts:
        if isinstance(part, Text) and part.text.strip():
            yield "text", part.text.strip()
        elif isinstance(part, ToolCall):
            yield "call", part.name or ""
        elif isinstance(part, ToolResult):
            yield "result", jsontext.brief(part.content, _LONGEST)
