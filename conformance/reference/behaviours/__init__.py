"""The behaviours of the reference server: those that no single dialect owns, and what applies them to an answer."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.behaviour import Behaviour, Level, registered
from conformance.model.dialect import Dialect
from conformance.model.documents import Document, answered, documents
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Turn
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
        ConformanceError: there is none of that name.
    """
    known = all_behaviours()
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`conformance serve --list` names them all"
            raise ConformanceError(f"there is no behaviour called {name!r}", hint)
    return tuple(known[name] for name in names)


class AppliedBehaviours:
    """The behaviours that one answer has, level by level. Without any, everything stays as it is."""

    def __init__(self, behaviours: Sequence[Behaviour], dialect: Dialect) -> None:
        self._behaviours = [each for each in behaviours if each.concerns(dialect)]

    def _at(self, level: Level) -> Iterable[Callable[..., Any]]:
        return (each.change for each in self._behaviours if each.level == level)

    def script(self, conversation: Conversation) -> Conversation:
        """The conversation as the model is to carry it on."""
        model: tuple[ScriptedTurn, ...] = conversation.model
        for change in self._at("script"):
            model = change(model)
        return replace(conversation, model=model)

    def turn(self, turn: Turn) -> Turn:
        """The turn as it is to be rendered."""
        for change in self._at("turn"):
            turn = change(turn)
        return turn

    def ids(self, ids: IdFactory) -> IdFactory:
        """Where ids and times are to come from."""
        for change in self._at("ids"):
            ids = change(ids)
        return ids

    def answer(self, rendered: Rendered, *, streamed: bool) -> Rendered:
        """A rendered answer as it is to be sent."""
        if 200 <= rendered.status < 300:
            rendered = self._documents(rendered, streamed=streamed)
        else:
            rendered = self._failure(rendered)
        for change in self._at("response"):
            rendered = change(rendered)
        return rendered

    def _documents(self, rendered: Rendered, *, streamed: bool) -> Rendered:
        said = documents(rendered)
        for change in self._at("document"):
            said = [each.having(change(each.value)) if isinstance(each.value, dict) else each for each in said]
        for change in self._at("stream") if streamed else ():
            said = change(said)
        return answered(rendered, said)

    def _failure(self, rendered: Rendered) -> Rendered:
        said: list[Document] = documents(rendered)
        for change in self._at("failure"):
            said = [each if each.value is None else each.having(change(each.value)) for each in said]
        return answered(rendered, said)
