"""Behaviours: each makes one change in the reference server's responses.

A behaviour is a decorated function, discovered in `conformance/reference/behaviours`, or, if it is about one
dialect's wire format, in the `behaviours` module of the dialect's folder. That module also names, in `SHARED`, the
behaviours of the former kind that the dialect has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

from conformance.model.dialect import Dialect
from conformance.model.frozen import dataclass
from conformance.model.registry import all_dialects, optional_part
from conformance.model.rendered import Delivery, Rendered

Grade = Literal["noise", "review", "change"]
Level = Literal["script", "turn", "ids", "document", "stream", "failure", "response", "delivery"]
"""What a behaviour changes, and the form of its function.

`script`: `(turns: tuple[ScriptedTurn, ...]) -> tuple[ScriptedTurn, ...]`, the turns of the model in the script.
`turn`: `(turn: Turn) -> Turn`, one turn before a dialect renders it.
`ids`: `(ids: IdFactory) -> IdFactory`, what makes ids and times.
`document`: `(value: dict) -> dict`, each JSON object of a successful answer: a body, or the data of an event.
`stream`: `(documents: list[Document | Mark]) -> list[Document | Mark]`, all of a successful stream.
`failure`: `(value: Any) -> Any`, the body of a refusal that the scenario scripts.
`response`: `(rendered: Rendered) -> Rendered`, status and headers of any scripted answer.
`delivery`: `(delivery: Delivery, situation: Situation) -> Delivery`, how any scripted answer is sent, or whether.
"""


@dataclass(frozen=True, slots=True)
class Situation:
    """What a behaviour of the level `delivery` may depend on.

    `calls` is whether the turn has calls, `attempt` how often the client asked for the same turn before; `fail` makes
    the provider's error of a status.
    """

    streamed: bool
    calls: bool
    attempt: int
    fail: Callable[[int, str], Rendered]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One change in the responses, and how a comparison with the usual responses must report it; the tests check both.

    Attributes:
        name: As users write it: `ids-regenerated`.
        level: What it changes.
        scenario: One that shows it.
        streamed: The mode that shows it; None for both.
        grade: The grade of the difference that the comparison must report; for noise, it must report only noise.
        words: A regular expression that the message of this difference must match.
        everywhere: Whether it can be seen in every dialect.
        hosted: Whether it can also be seen in the dialects that are written in the text of one that shows it.
        change: The change.
        fault: Whether it shows in what a client does, not in a comparison of recordings: `scenario`, `grade` and
            `words` mean nothing then.
    """

    name: str
    level: Level
    scenario: str
    streamed: bool | None
    grade: Grade
    words: str
    everywhere: bool
    hosted: bool
    change: Callable[..., Any]
    fault: bool = False

    @property
    def summary(self) -> str:
        """What changes: the first line of the docstring."""
        return (self.change.__doc__ or "").strip().split("\n")[0]

    @property
    def dialects(self) -> tuple[str, ...]:
        """The dialects that name it; empty if every dialect has it."""
        return tuple(name for name in all_dialects() if self.name in shown_by(name))

    def concerns(self, dialect: Dialect) -> bool:
        """Whether the behaviour can be seen in this dialect."""
        host = dialect.host if self.hosted else None
        return (
            self.everywhere or self.name in shown_by(dialect.name) or (host is not None and self.name in shown_by(host))
        )


OF_APIS = (
    "argument-of-enum-changed",
    "call-dropped",
    "call-repeated",
    "calls-merged",
    "calls-reordered",
    "comments-between-events",
    "field-new",
    "id-scheme-of-another-server",
    "ids-regenerated",
    "model-dated",
    "model-other",
    "parallel-to-sequential",
    "text-before-calls",
    "text-before-calls-gone",
    "text-reworded",
    "usage-other",
)
"""The behaviours of `conformance/reference/behaviours` that every API has whose calls are fields of its own."""
_REGISTRY: dict[str, Behaviour] = {}


def behaviour(
    name: str,
    level: Level,
    grade: Grade,
    words: str,
    *,
    scenario: str = "weather",
    streamed: bool | None = None,
    everywhere: bool = False,
    hosted: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the decorated function as a behaviour; see `Behaviour` for what each argument means.

    Raises:
        ValueError: two behaviours have the same name.
    """

    def register(change: Callable[..., Any]) -> Callable[..., Any]:
        if name in _REGISTRY and _REGISTRY[name].change.__module__ != change.__module__:
            raise ValueError(f"duplicate behaviour {name}")
        _REGISTRY[name] = Behaviour(name, level, scenario, streamed, grade, words, everywhere, hosted, change)
        return change

    return register


def fault(
    name: str, *, level: Level = "delivery", streamed: bool | None = None, once: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the decorated function as a behaviour that every dialect has, and that clients must withstand.

    `once` is the summary of a second one, `NAME-once`, in which only the first answer for a turn has the fault.
    """

    def register(change: Callable[..., Any]) -> Callable[..., Any]:
        def first(sent: Delivery, situation: Situation) -> Delivery:
            changed: Delivery = sent if situation.attempt else change(sent, situation)
            return changed

        first.__doc__ = once
        for each, made in ((name, change), *(((f"{name}-once", first),) if once else ())):
            _REGISTRY[each] = Behaviour(each, level, "weather", streamed, "change", "", True, False, made, fault=True)
        return change

    return register


def registered() -> Mapping[str, Behaviour]:
    """The behaviours of all modules loaded so far, and those of every dialect's folder, by their names.

    Raises:
        ValueError: a dialect names a behaviour that does not exist.
    """
    for dialect in all_dialects():
        unknown = shown_by(dialect) - _REGISTRY.keys()
        if unknown:
            raise ValueError(f"{dialect}: SHARED contains unknown behaviours: {', '.join(sorted(unknown))}")
    return dict(sorted(_REGISTRY.items()))


@cache
def shown_by(dialect: str) -> frozenset[str]:
    """The names of the behaviours of a dialect's own folder, and of those that its folder names."""
    module = optional_part(dialect, "behaviours")
    if module is None:
        return frozenset()
    own = frozenset(each.name for each in _REGISTRY.values() if each.change.__module__ == module.__name__)
    return own.union(module.SHARED)
