"""The nodes of a contract, which describe JSON values. `notation` has the functions that build them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, Literal

from conformance.contract.citation import Citation, Citations
from conformance.contract.relations import Condition, Relation
from conformance.contract.situation import When
from conformance.model.frozen import dataclass

Others = Literal["refused", "reported", "silent"]
"""How a value outside the list is treated: a breach of the contract, reported as undocumented, or not reported."""


class Node:
    """The description of a JSON value; `one | other` allows what either allows."""

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
    """A boolean; `only` is the one allowed value."""

    only: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Number(Node):
    """A number, `low` and `high` included; `whole` for an integer. `quoted`: it may be a string of digits.

    `open_low`, `open_high`: the bound itself is excluded.
    """

    low: float | None = None
    high: float | None = None
    whole: bool = False
    quoted: bool = False
    open_low: bool = False
    open_high: bool = False

    def breaks(self, value: float) -> bool:
        """Whether a value is beyond a bound."""
        return (self.low is not None and (value < self.low or (self.open_low and value == self.low))) or (
            self.high is not None and (value > self.high or (self.open_high and value == self.high))
        )


@dataclass(frozen=True, slots=True, eq=False)
class Text(Node):
    """A string of `least` to `most` characters. `pattern` must match all of it.

    `words` are the known values, `others` is how the rest is treated; `folded`: case does not matter.
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
    """An array of `least` to `most` items. `single`: one item may replace an array of one item."""

    items: Node
    least: int = 0
    most: int | None = None
    unique: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Map(Node):
    """An object whose keys the client chooses: at most `most` of them, each of the form `keys`."""

    values: Node
    keys: Text | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Foreign(Node):
    """A field of a related API, which is not a field here; `instead` is what to use, in a few words.

    As a case of a switch it is an object in the wrong place: `what` is its name, and `citation` is how it is reported.
    `wrong` says what is wrong where nobody is known to refuse it: `is not in the document of …`; `idle` are the values
    that ask for nothing there: null, and what the owner of the format does by default.
    """

    instead: str
    what: str = ""
    citation: Citation = field(default_factory=Citation)
    wrong: str = "is not accepted here"
    idle: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One row: a field of an object.

    `presence`: `need`ed, usual (`should`, less severe if it is missing), or optional (`may`).
    `null` is None if the policy of the side decides (`citation`), else whether null is allowed.
    `only` is where the row applies, `unless` where its presence is not required; `others` are the rows that
    replace it where `only` is false. `also` are further spellings of the name.
    """

    node: Node
    presence: Literal["need", "should", "may"]
    name: str = ""
    null: bool | None = None
    citations: Citations = field(default_factory=dict)
    only: When | None = None
    unless: When | None = None
    others: tuple[Field, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Object(Node):
    """An object. `closed` is whether, and where, the provider refuses fields that are not listed here.

    `citations` apply to everything in it.
    """

    fields: tuple[Field, ...]
    relations: tuple[Relation, ...] = ()
    closed: bool | When = False
    citations: Citations = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Union(Node):
    """A value that one of the choices allows; its JSON type decides which, then the better match."""

    choices: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Node):
    """Objects distinguished by the string under `key`.

    `absent` is the case of an object without the key, `otherwise` is the case of an object with another string.
    `null`: null under the key is the same as no key. That is so in requests if `absent` is given.
    """

    key: str
    cases: tuple[tuple[str, Node], ...]
    others: Others = "refused"
    absent: str | None = None
    citations: Citations = field(default_factory=dict)
    otherwise: Node | None = None
    null: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cases(Node):
    """Objects distinguished by conditions: the first that is true decides; `otherwise` if none is.

    `citations` has under `itself` how a value that is not an object is reported.
    """

    cases: tuple[tuple[Condition, Node], ...]
    otherwise: Node
    citations: Citations = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Later(Node):
    """A node that is referred to by name before it exists: for nodes that contain themselves."""

    name: str
    node: Callable[[], Node]


def inside(node: Node) -> Iterator[Node]:
    """The nodes directly in a node, without resolving `later`."""
    if isinstance(node, Object):
        yield from (row.node for each in node.fields for row in (each, *each.others))
    elif isinstance(node, Array):
        yield node.items
    elif isinstance(node, Map):
        yield node.values
    elif isinstance(node, Union):
        yield from node.choices
    elif isinstance(node, (Switch, Cases)):
        yield from (each for _, each in node.cases)
        if node.otherwise is not None:
            yield node.otherwise


def flat(node: Node) -> Iterator[Node]:
    """The choices of a union, and of unions in it, or the node alone; `later` is resolved."""
    if isinstance(node, Later):
        yield from flat(node.node())
    elif isinstance(node, Union):
        for each in node.choices:
            yield from flat(each)
    else:
        yield node


def _choices(node: Node) -> tuple[Node, ...]:
    return node.choices if isinstance(node, Union) else (node,)
