"""What a contract says of one place, as something that can be held against the documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from conformance.contract.nodes import (
    Anything,
    Array,
    Cases,
    Field,
    Flag,
    Foreign,
    Later,
    Map,
    Node,
    Null,
    Number,
    Object,
    Switch,
    Text,
    Union,
)

_NAMES: tuple[tuple[type[Node] | tuple[type[Node], ...], str], ...] = (
    (Text, "string"),
    (Flag, "boolean"),
    (Null, "null"),
    (Array, "array"),
    ((Object, Map, Switch), "object"),
)


@cache
def _once(later: Later) -> Node:
    """What a name stands for; it may be made anew each time it is asked for, and is the same here."""
    return later.node()


def laid_out(nodes: Iterable[Node]) -> Iterator[Node]:
    """The alternatives of nodes, without the conditions that choose between them."""
    for node in nodes:
        if isinstance(node, Union):
            yield from laid_out(node.choices)
        elif isinstance(node, Later):
            yield from laid_out((_once(node),))
        elif isinstance(node, Cases):
            yield from laid_out((*(each for _, each in node.cases), node.otherwise))
        else:
            yield node


@dataclass(frozen=True, slots=True, eq=False)
class Ruled:
    """The alternatives of a contract at one place."""

    nodes: tuple[Node, ...]

    @staticmethod
    def of(nodes: Iterable[Node]) -> Ruled:
        return Ruled(tuple(laid_out(nodes)))

    @property
    def is_anything(self) -> bool:
        return any(isinstance(each, Anything) for each in self.nodes)

    @property
    def is_foreign(self) -> bool:
        """Whether nothing is allowed here."""
        return all(isinstance(each, Foreign) for each in self.nodes)

    @property
    def types(self) -> frozenset[str]:
        """The JSON types that are allowed."""
        return frozenset(name for each in self.nodes for name in _types(each))

    @property
    def texts(self) -> tuple[Text, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Text))

    @property
    def numbers(self) -> tuple[Number, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Number))

    @property
    def arrays(self) -> tuple[Array, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Array))

    @property
    def maps(self) -> tuple[Map, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Map))

    @property
    def objects(self) -> tuple[Object, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Object))

    @property
    def switches(self) -> tuple[Switch, ...]:
        return tuple(each for each in self.nodes if isinstance(each, Switch))

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for each in self.texts for word in each.words))

    @property
    def is_listed(self) -> bool:
        """Whether only listed strings are allowed, or documented."""
        return bool(self.texts) and all(each.words for each in self.texts)

    @property
    def is_closed(self) -> bool:
        """Whether another string is against the contract."""
        return self.is_listed and all(each.others == "refused" for each in self.texts)


def rows_of(objects: Iterable[Object]) -> dict[str, list[Field]]:
    """All rows of some objects by the name of the field, those of single providers among them."""
    found: dict[str, list[Field]] = {}
    for each in objects:
        for row in each.fields:
            found.setdefault(row.name, []).extend((row, *row.others))
    return found


def _types(node: Node) -> Iterator[str]:
    yield from (name for kinds, name in _NAMES if isinstance(node, kinds))
    if isinstance(node, Number):
        yield "integer" if node.whole else "number"
        yield from ("string",) if node.quoted else ()
    if isinstance(node, Array) and node.single:
        yield from Ruled.of((node.items,)).types
