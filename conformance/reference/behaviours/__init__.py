"""Behaviours: each makes one change in the reference server's responses.

A behaviour is a decorated function in a module of this package. It also declares how `conformance diff` must grade
the change, and in which words; the tests check both.
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

`script`: `(turns: tuple[ScriptedTurn, ...]) -> tuple[ScriptedTurn, ...]`, the turns of the model in the script.
`turn`: `(turn: Turn) -> Turn`, one turn before a dialect renders it.
`ids`: `(ids: IdFactory) -> IdFactory`, what makes ids and times.
`document`: `(value: dict) -> dict`, each JSON object of a successful answer: a body, or the data of an event.
`stream`: `(documents: list[Document | Mark]) -> list[Document | Mark]`, all of a successful stream.
`failure`: `(value: Any) -> Any`, the body of a refusal that the scenario scripts.
`response`: `(rendered: Rendered) -> Rendered`, status and headers of any scripted answer.
"""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One change in the responses, and how a comparison with the usual responses must report it.

    `dialects` are those in which it can be seen, empty for all; with `hosted`, also the text dialects that they host.
    `scenario` is one that shows it, `streamed` the mode that does (None for both). The comparison must report a
    difference of this `grade` that matches `words`, a regular expression; for noise, it must report only noise.
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
        """What changes: the first line of the docstring."""
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
    """Registers the decorated function as a behaviour; without `dialects` it can be seen in every dialect."""

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
        ConformanceError: a name is unknown.
    """
    known = all_behaviours()
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`conformance serve --list` names them all"
            raise ConformanceError(f"there is no behaviour called {name!r}", hint)
    return tuple(known[name] for name in names)


class AppliedBehaviours:
    """The behaviours that apply to one response, level by level."""

    def __init__(self, behaviours: Sequence[Behaviour], dialect: Dialect) -> None:
        self._behaviours = [each for each in behaviours if each.concerns(dialect)]

    def _at(self, level: Level) -> Iterable[Callable[..., Any]]:
        return (each.change for each in self._behaviours if each.level == level)

    def script(self, conversation: Conversation) -> Conversation:
        """The conversation with its script changed."""
        model: tuple[ScriptedTurn, ...] = conversation.model
        for change in self._at("script"):
            model = change(model)
        return replace(conversation, model=model)

    def turn(self, turn: Turn) -> Turn:
        """The turn to render."""
        for change in self._at("turn"):
            turn = change(turn)
        return turn

    def ids(self, ids: IdFactory) -> IdFactory:
        """What makes ids and times."""
        for change in self._at("ids"):
            ids = change(ids)
        return ids

    def answer(self, rendered: Rendered, *, streamed: bool) -> Rendered:
        """The rendered response to send."""
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
