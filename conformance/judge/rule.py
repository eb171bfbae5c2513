"""Rules: one executable statement each, with its evidence and its examples.

A rule is a decorated generator that takes a `View` and yields a `Hit` for each place where the statement does
not hold. Its docstring is the statement; the examples are its tests and its documentation. Rules are found by
where they lie: the modules of `conformance.rules`, and the `rules*.py` of every dialect's and every text form's folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from conformance.judge.example import Example
from conformance.judge.plain import Passable
from conformance.model.finding import Hit, Severity
from conformance.model.registry import all_dialects, dialect_packages, dialects_in, part_of

if TYPE_CHECKING:
    from conformance.judge.view import View

Scope = Literal["exchange", "request", "conversation", "reply", "response", "stream", "failure"]
"""What a rule reads, and so when it runs.

`exchange`: anything, whatever was sent and came back; such a rule's hits name their side.
`request`: the body that was sent. `conversation`: that body against the run's earlier exchanges.
`reply`: the model's turns, streamed or not. `response`: a successful body that was not streamed.
`stream`: the events of a stream. `failure`: the answer with a status of 400 or more.
"""
Basis = Literal["documented", "schema", "sdk-type", "observed"]
Judge = Callable[["View"], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """`dialects` is empty for a rule of every dialect; `severity` may differ by dialect.

    `cites` holds at least one citation, `ID source`: the numbered requirement that the rule checks and where
    that is written down. `bugs` names known bugs that broke the statement (owner/repo#thread).
    `fallback` is for a rule that speaks only where no other rule has said what is wrong.
    """

    id: str
    severity: Mapping[str, Severity]
    scope: Scope
    basis: Basis
    cites: tuple[str, ...]
    dialects: tuple[str, ...]
    conforming: tuple[Example, ...]
    violating: tuple[Example, ...]
    bugs: tuple[str, ...]
    needs_complete: bool
    judge: Judge
    fallback: bool = False

    @property
    def statement(self) -> str:
        """The first line of the docstring: what holds when nothing is wrong."""
        return (self.judge.__doc__ or "").strip().split("\n")[0]

    @property
    def why(self) -> str:
        """The rest of the docstring: what breaks in practice."""
        lines = (self.judge.__doc__ or "").strip().split("\n")[1:]
        return " ".join(line.strip() for line in lines).strip()

    @property
    def requirements(self) -> tuple[str, ...]:
        """The numbered requirements that the rule checks: the first word of each citation."""
        return tuple(cite.split(" ", 1)[0] for cite in self.cites)

    def severity_in(self, dialect: str) -> Severity:
        return self.severity.get(dialect, self.severity[""])

    def cite_in(self, prefix: str) -> str:
        """The citation for a dialect, by the prefix of its requirement numbers; the first one where none fits."""
        return next((cite for cite in self.cites if cite.startswith(f"{prefix}-")), self.cites[0])


NEUTRAL_RULES = "conformance.rules"
EVERY_DIALECT: tuple[str, ...] = ()
"""For a rule that lies in a dialect's folder and judges all of them."""
_REGISTRY: dict[str, Rule] = {}


def rule(
    id: str,  # noqa: A002 - the field's own word, and a keyword everywhere it is used
    *,
    scope: Scope,
    basis: Basis,
    cites: Iterable[str],
    violating: Iterable[Example],
    conforming: Iterable[Example] | None = None,
    severity: Severity | Mapping[str, Severity] = Severity.ERROR,
    dialects: Iterable[str] | None = None,
    bugs: Iterable[str] = (),
    needs_complete: bool = False,
    fallback: bool = False,
) -> Callable[[Judge], Judge]:
    """Registers the decorated generator as a rule.

    What is left out follows from the rest: `dialects` are those of the folder in which the rule lies (every dialect
    outside such a folder), `conforming` are the bases of the violating examples as they stand, and a violating
    example without `at` has its finding where its last edit landed (`Example.edited_at`).
    `severity` as a mapping gives the dialects that differ, and the others under `""`.
    `needs_complete` is for a rule about absence: it judges only what was sent live or recorded by us.
    A `fallback` rule runs after all others, and its hits that a finding of another rule covers are dropped.

    Raises:
        ValueError: two rules have the same id.
    """

    def register(judge: Judge) -> Judge:
        if id in _REGISTRY and _REGISTRY[id].judge.__module__ != judge.__module__:
            raise ValueError(f"two rules are called {id}")
        faulty = tuple(violating)
        bases = dict.fromkeys(each.base for each in faulty)
        _REGISTRY[id] = Rule(
            id=id,
            severity=severity if isinstance(severity, Mapping) else {"": severity},
            scope=scope,
            basis=basis,
            cites=tuple(cites),
            dialects=dialects_in(judge.__module__) if dialects is None else tuple(dialects),
            conforming=tuple(map(Example, bases)) if conforming is None else tuple(conforming),
            violating=tuple(each if each.at else replace(each, at=each.edited_at) for each in faulty),
            bugs=tuple(bugs),
            needs_complete=needs_complete,
            judge=judge,
            fallback=fallback,
        )
        return judge

    return register


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule by its id, in the order of their ids."""
    for name in (NEUTRAL_RULES, "conformance.wire", *dialect_packages()):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if name == NEUTRAL_RULES or module.name.rpartition(".")[2].startswith("rules"):
                importlib.import_module(module.name)
    return dict(sorted(_REGISTRY.items()))


@cache
def plain_of(dialect: str) -> Mapping[str, Passable]:
    """The plain traffic about which a rule that judges the dialect has nothing to say, by the rule's id.

    Raises:
        ValueError: it is told of a rule that does not exist.
    """
    told: dict[Passable, tuple[str, ...]] = dict(importlib.import_module(f"{NEUTRAL_RULES}.plain").PLAIN)
    try:
        told |= part_of(dialect, "plain").PLAIN
    except ModuleNotFoundError as error:
        if not str(error.name).endswith(".plain"):
            raise
    found = {name: plain for plain, names in told.items() for name in names}
    unknown = found.keys() - all_rules().keys()
    if unknown:
        raise ValueError(f"{dialect} tells of rules that do not exist: {', '.join(sorted(unknown))}")
    return found


_SPOKEN: frozenset[Scope] = frozenset({"request", "conversation", "reply"})
"""The scopes of what is said, as against how it is carried."""


@cache
def rules_for(dialect: str) -> Mapping[Scope, tuple[Rule, ...]]:
    """The rules of one dialect, by scope. How a dialect's text is carried is for its carrier's rules to judge."""
    hosted = all_dialects()[dialect].host is not None
    chosen: dict[Scope, list[Rule]] = {}
    for each in all_rules().values():
        if dialect in each.dialects or (not each.dialects and (not hosted or each.scope in _SPOKEN)):
            chosen.setdefault(each.scope, []).append(each)
    return {scope: tuple(rules) for scope, rules in chosen.items()}
