"""The nodes of a contract: what a JSON value may be. `notation` has the functions that build them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from conformance.judge.contract.relations import Condition, Relation
from conformance.judge.contract.situation import When
from conformance.judge.contract.tell import Tell, Tells

Others = Literal["refused", "told", "silent"]
"""What a value outside the list is: against the contract, worth telling as undocumented, or nothing at all."""


class Node:
    """What a JSON value may be; `one | other` is what either allows."""

    __slots__ = ()

    def __or__(self, other: Node) -> Node:
        return Union((*_choices(self), *_choices(other)))


@dataclass(frozen=True, slots=True, eq=False)
class Anything(Node):
    """Any JSON value."""


@dataclass(frozen=True, slots=True, eq=False)
class Null(Node):
    """null."""


@dataclass(frozen=True, slots=True, eq=False)
class Flag(Node):
    """A boolean; `only` is the one that is allowed."""

    only: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    """A number, `low` and `high` included; `whole` for an integer. `quoted` says that its digits may be a string."""

    low: float | None = None
    high: float | None = None
    whole: bool = False
    quoted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Text(Node):
    """A string of `least` to `most` characters. `pattern` has to match all of it.

    `words` are the values that are known, with `others` for the rest; `folded` says that their case does not matter.
    """

    least: int = 0
    most: int | None = None
    pattern: str = ""
    words: tuple[str, ...] = ()
    others: Others = "refused"
    folded: bool = False

    def lists(self, value: str) -> bool:
        """Whether the value is one of the words."""
        return value in self.words or (self.folded and value.upper() in map(str.upper, self.words))


@dataclass(frozen=True, slots=True, eq=False)
class Array(Node):
    """An array of `least` to `most` items. `single` says that one item may stand for an array of one."""

    items: Node
    least: int = 0
    most: int | None = None
    unique: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Map(Node):
    """An object whose keys the client chooses: at most `most` of them, each as `keys` says."""

    values: Node
    keys: Text | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Foreign(Node):
    """What is no field here but one of a sister API; `instead` says what to use, in a few words.

    As a case of a switch it is an object in the wrong place: `what` names it then, and `told` says how it is told.
    """

    instead: str
    what: str = ""
    told: Tell = field(default_factory=Tell)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One row: a field of an object.

    `presence`: `need`ed, usual (`should`, told less severely where it is missing), or optional (`may`).
    `null` is None where the policy of the side decides (`tell`), else whether null is allowed.
    `only` and `unless` say of whom it is asked, and of whom its presence is not; `others` are the rows that stand
    for it where `only` does not hold. `also` are further spellings of the name.
    """

    node: Node
    presence: Literal["need", "should", "may"]
    name: str = ""
    null: bool | None = None
    tells: Tells = field(default_factory=dict)
    only: When | None = None
    unless: When | None = None
    others: tuple[Field, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Object(Node):
    """An object. `closed` says whether, and where, the provider refuses fields that are not here.

    `tells` hold for all within.
    """

    fields: tuple[Field, ...]
    relations: tuple[Relation, ...] = ()
    closed: bool | When = False
    tells: Tells = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Union(Node):
    """What one of the choices allows; the JSON type of a value chooses, then the fit."""

    choices: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Node):
    """Objects that the string under `key` tells apart.

    `absent` is the case of an object without the key, `otherwise` what an object with another string is.
    `null` says that null under the key is the same as no key: so it is in requests, where `absent` is given.
    """

    key: str
    cases: tuple[tuple[str, Node], ...]
    others: Others = "refused"
    absent: str | None = None
    tells: Tells = field(default_factory=dict)
    otherwise: Node | None = None
    null: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cases(Node):
    """Objects of which the first condition that holds says what they are; `otherwise` where none does.

    `tells` has under `itself` how it is told that something is no object at all.
    """

    cases: tuple[tuple[Condition, Node], ...]
    otherwise: Node
    tells: Tells = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Later(Node):
    """A node that is named before it is made: for what contains itself."""

    name: str
    node: Callable[[], Node]


def _choices(node: Node) -> tuple[Node, ...]:
    return node.choices if isinstance(node, Union) else (node,)
