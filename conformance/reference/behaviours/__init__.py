"""Behaviours: one change each in what the reference server answers, to see what a comparison makes of it.

A behaviour is a decorated function; it is found by where it lies, in the modules of this package. Beside the change
itself it declares how `conformance diff` has to grade it, and in what words: that is what the tests hold it to.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from conformance.errors import ConformanceError
from conformance.model.dialect import Dialect
from conformance.model.document import Document, Mark
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Turn
from conformance.reference.documents import with_objects, with_values
from conformance.scenario.model import Conversation, ScriptedTurn

Grade = Literal["noise", "review", "change"]
Level = Literal["script", "turn", "ids", "document", "stream", "failure", "response"]
"""What a behaviour changes, and the form of its function.

`script`: `(speeches: tuple[ScriptedTurn, ...]) -> tuple[ScriptedTurn, ...]`, what the model says turn by turn.
`turn`: `(turn: Turn) -> Turn`, one turn before any dialect has rendered it.
`ids`: `(ids: IdFactory) -> IdFactory`, where ids and times come from.
`document`: `(value: dict) -> dict`, each JSON object of a successful answer: a body, or the data of an event.
`stream`: `(documents: list[Document | Mark]) -> list[Document | Mark]`, all of a successful stream.
`failure`: `(value: Any) -> Any`, the body of a refusal that the scenario scripts.
`response`: `(rendered: Rendered) -> Rendered`, status and headers of any scripted answer.
"""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`dialects` are those that it can be seen in, none for all; with `hosted`, also those written in their texts.

    `scenario` is one that shows it, `streamed` the mode that does (None for both). `grade` and `words`, a regular
    expression, are what a comparison with the usual answers has to say of it: a difference of that grade in those
    words, and, for noise, nothing but noise.
    """

    name: str
    level: Level
    dialects: tuple[str, ...]
    scenario: str
    streamed: bool | None
    grade: Grade
    words: str
    hosted: bool
    change: Callable[..., Any]

    @property
    def summary(self) -> str:
        """What is other than usual: the first line of the docstring."""
        return (self.change.__doc__ or "").strip().split("\n")[0]

    def concerns(self, dialect: Dialect) -> bool:
        """Whether the behaviour can be seen in this dialect."""
        hosted = self.hosted and dialect.host in self.dialects
        return not self.dialects or dialect.name in self.dialects or hosted


_REGISTRY: dict[str, Behaviour] = {}


def behaviour(
    name: str,
    *,
    level: Level,
    scenario: str,
    grade: Grade,
    words: str,
    dialects: Iterable[str] = (),
    streamed: bool | None = None,
    hosted: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the decorated function as a behaviour; without `dialects` it can be seen in all of them."""

    def register(change: Callable[..., Any]) -> Callable[..., Any]:
        if name in _REGISTRY and _REGISTRY[name].change.__module__ != change.__module__:
            raise ValueError(f"two behaviours are called {name}")
        _REGISTRY[name] = Behaviour(name, level, tuple(dialects), scenario, streamed, grade, words, hosted, change)
        return change

    return register


@cache
def all_behaviours() -> Mapping[str, Behaviour]:
    """Every behaviour by its name."""
    package = importlib.import_module(__name__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(sorted(_REGISTRY.items()))


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
        documents: list[Document | Mark] = list(rendered.documents)
        for change in self._at("document"):
            documents = with_objects(documents, change)
        for change in self._at("stream") if streamed else ():
            documents = change(documents)
        return replace(rendered, documents=tuple(documents))

    def _failure(self, rendered: Rendered) -> Rendered:
        documents: list[Document | Mark] = list(rendered.documents)
        for change in self._at("failure"):
            documents = with_values(documents, change)
        return replace(rendered, documents=tuple(documents))
