"""The place of a request: its session, its conversation there, and its turn of the script."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from conformance.judge.alone import Alone
from conformance.model.dialect import Dialect
from conformance.model.exchange import Body, Request
from conformance.model.kept import Kept
from conformance.model.registry import claim, layers_of
from conformance.model.transcript import Ask, Turn
from conformance.reference.address import Address
from conformance.reference.choosing import Script
from conformance.reference.played import Played
from conformance.reference.session import Session
from conformance.reference.stored import Refusal, restored

_RETRIES = "x-stainless-retry-count"
"""The header in which several SDKs give the number of times that they have sent a request before."""

_NOTHING = Ask()


class Scripts(Protocol):
    """What the server can play: scenarios, or recorded conversations."""

    @property
    def keeps(self) -> bool:
        """Whether it stores its responses for later requests."""

    def answers(self, dialect: Dialect) -> bool:
        """Whether it can answer in a dialect."""

    def script_of(self, dialect: Dialect, ask: Ask, wanted: str | None) -> Script | None:
        """The script of a request; `wanted` is the scenario that the client asks for by other means than its words."""

    def unmatched(self, dialect: Dialect | None, wanted: str | None) -> str:
        """Why a request has no script; for None, why it has no dialect."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request belongs.

    Attributes:
        request: The request as it was sent.
        views: How each layer of its dialect reads it, the host first; none if no dialect that can be
            answered claims it.
        whole: The request with what the server keeps put in.
        ask: The same in neutral form.
        lacking: The refusal if the server does not keep what the request refers to.
        reason: Why it has no script; empty if it has one.
        script: The script that it plays.
        position: The number of the turn that it asks for, from 0.
        played: Its conversation, which is new if the session does not have it yet; None without a session or a script.
        connection: The connection on which it came.
    """

    request: Request
    views: tuple[Alone, ...]
    whole: Request
    ask: Ask = _NOTHING
    lacking: Refusal | None = None
    reason: str = ""
    script: Script | None = None
    position: int = 0
    played: Played | None = None
    connection: str = ""

    @property
    def dialect(self) -> Dialect | None:
        return self.views[-1].dialect if self.views else None

    @property
    def history(self) -> tuple[Turn, ...]:
        """The turns after the one that begins the script."""
        return self.ask.history[self.script.opening + 1 :] if self.script is not None else ()

    @property
    def attempt(self) -> int:
        """How often the client asked for the same turn before."""
        return self.played.asked.get(self.position, 0) if self.played is not None else 0


def place(
    address: Address,
    scripts: Scripts,
    session: Session | None = None,
    connection: str = "",
    kept: Kept | None = None,
) -> Place:
    """The place of a request in a session, or without one; what is `kept` then is put in."""
    request, wanted = address.request, address.scenario
    dialect = claim(request)
    if dialect is None or not scripts.answers(dialect):
        return Place(request, (), request, reason=scripts.unmatched(dialect, wanted))
    views = tuple(Alone(request, layer) for layer in layers_of(dialect.name, request))
    kept = session.kept if session is not None else kept
    body, lacking = restored(dialect, request, kept) if kept is not None and scripts.keeps else (None, None)
    whole = request if body is None else replace(request, body=Body(body))
    ask = views[-1].ask if body is None else dialect.readers.read_request(whole, body)
    made = partial(Place, request, views, whole, ask, lacking, connection=connection)
    script = scripts.script_of(dialect, ask, wanted)
    if script is None:
        return made(reason=scripts.unmatched(dialect, wanted))
    found = made(script=script, position=script.position(ask.history))
    return found if session is None else replace(found, played=_conversation(found, dialect, script, session))


def _conversation(found: Place, dialect: Dialect, script: Script, session: Session) -> Played:
    """The conversation that a request continues or repeats, or a new one."""
    part = script.scenario.conversations.index(script.conversation)
    number, turns = session.numbers[script.scenario.id] + 1, len(script.conversation.model)
    begun = Played(number, script.scenario.id, part, dialect.name, found.ask.stream, turns)
    known = session.conversations_of(begun)
    if found.position:
        return known.continued(found.position, found.history, found.connection) or begun
    return known.again(retried=(found.request.headers.get(_RETRIES) or "0") != "0") or begun
