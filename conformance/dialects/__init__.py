"""Dialects: one folder each, found by where it lies.

A dialect's folder holds a module attribute `DIALECT`, an object of the `Dialect` protocol, its `examples.py`,
its `rules*.py` and its `render.py`. Nothing outside the folder knows it by name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any, Protocol

from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.transcript import Ask, Moment, Turn


class Dialect(Protocol):
    """One wire grammar. Reading is total: what is unknown becomes an `Unknown` part, and nothing raises.

    `prefix` is that of its numbered requirements (`OAC`); it picks the citation of a neutral rule.
    `answers_last_call` says whether a request may not end in calls without results. `carrier` is the dialect
    whose text this one rides in (tags in the text of a plain chat, say); None for one that has its own endpoint.
    More facts are stated only by the dialect that they are true of: `named_choice_ends_plainly` (a reply to a
    named tool choice has the stop reason of an end), `tail` (what its paths have behind a base URL),
    `server_picks_stream` (the request does not say it), `lets_calls_go` (calls that are followed by a turn without
    any result have been accepted) and `folds_keys` (the one spelling of a request's keys, where two are right).
    """

    name: str
    prefix: str
    answers_last_call: bool
    carrier: str | None

    def claims(self, request: Request) -> bool:
        """Whether a request is of this dialect, by its path and the keys of its body."""

    def read_request(self, request: Request, body: Any) -> Ask:
        """The neutral request; `body` is its JSON value, of any type."""

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        """The model's turns in a successful body: one for each choice or candidate."""

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        """The same turns, from a stream."""

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        """The same stream, moment by moment: what each event adds to the turns."""

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        """The events of the response, or None where it was not streamed."""


@cache
def all_dialects() -> Mapping[str, Dialect]:
    """Every dialect by its name."""
    found: dict[str, Dialect] = {}
    package = importlib.import_module(__name__)
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            dialect: Dialect = importlib.import_module(f"{__name__}.{module.name}").DIALECT
            found[dialect.name] = dialect
    return dict(sorted(found.items()))


@cache
def _riders(carrier: str | None) -> tuple[Dialect, ...]:
    """The dialects that ride in another's text; those that have endpoints of their own for None."""
    return tuple(dialect for dialect in all_dialects().values() if dialect.carrier == carrier)


def claimants(request: Request) -> tuple[Dialect, ...]:
    """The dialects of a request: the one of its endpoint, then the one that rides in its text, if there is one."""
    for dialect in _riders(None):
        if dialect.claims(request):
            for rider in _riders(dialect.name):
                if rider.claims(request):
                    return (dialect, rider)
            return (dialect,)
    return ()


def claim(request: Request) -> Dialect | None:
    """The innermost dialect of a request, or None where none claims it."""
    return next(reversed(claimants(request)), None)


def layers_of(name: str) -> tuple[Dialect, ...]:
    """A dialect with its carrier before it."""
    dialect = all_dialects()[name]
    return (all_dialects()[dialect.carrier], dialect) if dialect.carrier else (dialect,)


def tail_of(name: str) -> str:
    """What the paths of a dialect, or of its carrier, have behind the base URL: `/chat/completions`."""
    return str(getattr(layers_of(name)[0], "tail", ""))


def part_of(dialect: str, module: str) -> ModuleType:
    """A module of a dialect's folder that only some uses need: `part_of("gemini", "render")`."""
    return importlib.import_module(f"{__name__}.{dialect.replace('-', '_')}.{module}")


def events_of(exchange: Exchange, *, asked: bool) -> tuple[Event, ...] | None:
    """The usual answer to `stream_events`: server-sent events, or a recorder's list of them if a stream was asked."""
    from conformance import sse

    if exchange.response.is_event_stream:
        return exchange.response.events
    if asked and exchange.response.body.parsed_by_recorder and isinstance(exchange.response.body.json, list):
        return tuple(sse.from_values(exchange.response.body.json))
    return None
