"""Which conversation of a session a request belongs to."""

from __future__ import annotations

from conformance.model.dialect import Dialect
from conformance.model.transcript import Ask, Turn
from conformance.reference.choosing import Script
from conformance.reference.open_conversations import Open
from conformance.reference.played import Played
from conformance.reference.session import Session


class Placed:
    """Finds the conversation of a request once its script is known, or begins one.

    `open` are the conversations of its script; there is none before `place`.
    """

    open: Open

    def __init__(self, session: Session, connection: str, *, retried: bool) -> None:
        self.played: Played | None = None
        self.history: tuple[Turn, ...] = ()
        self._session = session
        self._connection = connection
        self._retried = retried

    def refused(self, dialect: Dialect) -> None:
        """A refused request belongs to the latest open conversation of its dialect."""
        self.played = next(
            (each for each in reversed(self._session.played) if each.dialect == dialect.name and not each.finished),
            None,
        )

    def place(self, dialect: Dialect, ask: Ask, script: Script, position: int) -> tuple[str, int]:
        """What distinguishes the ids of the conversation, and how often this turn was asked for before."""
        self.history = ask.history[script.opening + 1 :]
        part = script.scenario.conversations.index(script.conversation)
        self.open = self._session.latest[dialect.name, script.scenario.id, part]
        if position:
            found = self.open.continued(position, self.history, self._connection)
        else:
            found = self.open.again(retried=self._retried)
        if found is None:
            self._session.numbers[script.scenario.id] += 1
            number = self._session.numbers[script.scenario.id]
            found = Played(number, script.scenario.id, part, dialect.name, ask.stream, len(script.conversation.model))
            self._session.played.append(found)
            self.open.add(found)
        self.played = found
        found.connection = self._connection
        attempt = found.asked.get(position, 0)
        found.asked[position] = attempt + 1
        return f" {found.number}" if found.number > 1 else "", attempt
