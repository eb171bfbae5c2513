"""Operators: small functions that put one fault into an exchange, discovered by their location."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from conformance.model.exchange import Exchange
from devtools.mutants.subject import Subject
from devtools.mutants.tree import MutantSide, Node


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault to put in. `pattern` is its place with `*` for each index; `made` returns the exchange with the fault.

    `node` is the place, if it is one in a JSON value, and `value` is what the fault puts there, if anything.
    """

    side: MutantSide
    place: str
    pattern: str
    made: Callable[[], Exchange]
    node: Node | None = None
    value: Any = None


Faults = Callable[[Subject], Iterator[Fault]]


@dataclass(frozen=True, slots=True)
class Operator:
    """`inner`: it works on the dialect in the host's text, and counts for that dialect.

    `two_sided`: the fault can only be found together with the next exchange of the run, so that the
    mutant is judged together with it. `dialects` is empty for an operator of every dialect.
    """

    name: str
    faults: Faults
    dialects: tuple[str, ...]
    inner: bool
    two_sided: bool

    def dialect_of(self, subject: Subject) -> str:
        """The dialect that a mutant of this operator counts for."""
        return subject.dialect if self.inner else subject.envelope

    def fits(self, subject: Subject) -> bool:
        """Whether the operator applies to the subject."""
        if self.inner and len(subject.layers) == 1:
            return False
        if self.two_sided and not subject.later:
            return False
        return not self.dialects or self.dialect_of(subject) in self.dialects


_REGISTRY: dict[str, Operator] = {}


def operator(
    name: str, *, dialects: Iterable[str] = (), inner: bool = False, two_sided: bool = False
) -> Callable[[Faults], Faults]:
    """Registers the decorated generator as an operator.

    Raises:
        ValueError: two operators have the same name.
    """

    def register(faults: Faults) -> Faults:
        if name in _REGISTRY:
            raise ValueError(f"duplicate operator {name}")
        _REGISTRY[name] = Operator(name, faults, tuple(dialects), inner, two_sided)
        return faults

    return register


@cache
def all_operators() -> tuple[Operator, ...]:
    """Every operator, by its name."""
    package = importlib.import_module("devtools.mutants.operators")
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    return tuple(sorted(_REGISTRY.values(), key=lambda each: each.name))
