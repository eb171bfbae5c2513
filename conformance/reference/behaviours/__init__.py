"""The behaviours of the reference server that belong to no single dialect, and their application to a response."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.model.behaviour import Behaviour, Level, Situation, registered
from conformance.model.dialect import Dialect
from conformance.model.document import Document, Mark
from conformance.model.document_changes import with_objects, with_values
from conformance.model.exchange import Request
from conformance.model.registry import part_of
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Turn
from conformance.reference.variation import Varied
from conformance.scenario.model import Conversation, ScriptedTurn


@cache
def all_behaviours() -> Mapping[str, Behaviour]:
    """Every behaviour by its name: those of this package, and those of the dialects' folders."""
    package = importlib.import_module(__name__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return registered()


def chosen(names: Iterable[str]) -> tuple[Behaviour, ...]:
    """The behaviours of these names, in this order.

    Raises:
        ConformanceError: a name is unknown.
    """
    known = all_behaviours()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known, "`conformance serve --list` names them all")
            raise ConformanceError(f"there is no behaviour {name!r}", hint)
    return tuple(known[name] for name in names)


class AppliedBehaviours:
    """The behaviours that apply to one response, level by level, each after what `vary` changes.

    `changed_turn` is whether a behaviour changed the turn.
    """

    def __init__(
        self, behaviours: Sequence[Behaviour], dialect: Dialect, attempt: int = 0, vary: Varied | None = None
    ) -> None:
        self._vary = vary
        self._behaviours = [each for each in behaviours if each.concerns(dialect)]
        self.dialect = dialect
        self._attempt = attempt
        self.changed_turn = False

    def _at(self, level: Level) -> Iterable[Callable[..., Any]]:
        return (each.change for each in self._behaviours if each.level == level)

    def script(self, conversation: Conversation) -> Conversation:
        """The conversation with its script changed."""
        model: tuple[ScriptedTurn, ...] = conversation.model
        for change in self._at("script"):
            model = change(model)
        self.changed_turn |= model != conversation.model
        return replace(conversation, model=model)

    def turn(self, turn: Turn) -> Turn:
        """The turn to render."""
        turn = before = turn if self._vary is None else self._vary.turn(turn)
        for change in self._at("turn"):
            turn = change(turn)
        self.changed_turn |= turn != before
        return turn

    def ids(self, ids: IdFactory) -> IdFactory:
        """What makes ids and times."""
        ids = ids if self._vary is None else self._vary.ids(ids)
        for change in self._at("ids"):
            ids = change(ids)
            self.changed_turn = True
        return ids

    def varied(self, rendered: Rendered, *, streamed: bool) -> Rendered:
        """The rendered response before the behaviours change its bytes."""
        return rendered if self._vary is None else self._vary.answer(rendered, self.dialect.name, streamed=streamed)

    def delivery(self, rendered: Rendered, request: Request, *, streamed: bool, calls: bool = False) -> Delivery:
        """The rendered response as it is sent; `calls` is whether its turn has calls."""

        def fail(status: int, message: str) -> Rendered:
            ids = IdFactory(f"{self.dialect.name} {status}")
            failed: Rendered = part_of(self.dialect.name, "render").failure(status, message, request, ids)
            return failed

        if not self._behaviours:
            return Delivery.of(rendered)
        sent = Delivery.of(self.answer(rendered, streamed=streamed))
        for change in self._at("delivery"):
            sent = change(sent, Situation(streamed, calls, self._attempt, fail))
        return sent

    def answer(self, rendered: Rendered, *, streamed: bool) -> Rendered:
        """The rendered response to send."""
        documents: list[Document | Mark] = list(rendered.documents)
        good = 200 <= rendered.status < 300
        for change in self._at("document" if good else "failure"):
            documents = with_objects(documents, change) if good else with_values(documents, change)
        for change in self._at("stream") if good and streamed else ():
            documents = change(documents)
        rendered = replace(rendered, documents=tuple(documents))
        for change in self._at("response"):
            rendered = change(rendered)
        return rendered
