"""JSON values as trees: every place of a body or of an event's data, and the same value with one place changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from conformance.model.exchange import Exchange
from conformance.model.pointer import join

MutantSide = Literal["request", "response", "stream"]
Token = str | int


@dataclass(frozen=True, slots=True)
class Tree:
    """One JSON value of an exchange. `place` is where it is, `label` is the same for all values of its kind.

    `rebuilt` returns the exchange with another value in place of this one.
    """

    side: MutantSide
    place: str
    label: str
    document: Any
    rebuilt: Callable[[Any], Exchange]

    def nodes(self) -> Iterator[Node]:
        """Every place of the value except its root, from the outside inwards."""
        yield from _nodes(self, self.document, (), self.label)


@dataclass(frozen=True, slots=True)
class Node:
    """One place of a tree. `pattern` is its pointer with `*` for each index, and the kind of the item after it."""

    tree: Tree
    tokens: tuple[Token, ...]
    pattern: str
    value: Any
    holder: Any

    @property
    def key(self) -> Token:
        return self.tokens[-1]

    @property
    def place(self) -> str:
        return join(self.tree.place, *self.tokens)

    def put(self, value: Any) -> Exchange:
        """The exchange with another value at this place."""
        return self.in_holder(lambda holder, key: holder.__setitem__(key, value))

    def drop(self) -> Exchange:
        """The exchange without this place."""
        return self.in_holder(lambda holder, key: holder.__delitem__(key))

    def in_holder(self, change: Callable[[Any, Any], object]) -> Exchange:
        """The exchange with a changed copy of the holder; `change` gets the copy and this node's key."""

        def changed(holder: Any) -> Any:
            copy = _copied(holder)
            change(copy, self.key)
            return copy

        return self.tree.rebuilt(edited(self.tree.document, self.tokens[:-1], changed))

    def holder_as(self, holder: Any) -> Exchange:
        """The exchange with another holder of this place."""
        return self.tree.rebuilt(edited(self.tree.document, self.tokens[:-1], lambda _: holder))


def edited(document: Any, tokens: tuple[Token, ...], change: Callable[[Any], Any]) -> Any:
    """The document with the value at the tokens changed; the original is not modified."""
    if not tokens:
        return change(document)
    copy = _copied(document)
    copy[tokens[0]] = edited(copy[tokens[0]], tokens[1:], change)
    return copy


def _copied(holder: Any) -> Any:
    return dict(holder) if isinstance(holder, dict) else list(holder)


def _nodes(tree: Tree, value: Any, tokens: tuple[Token, ...], pattern: str) -> Iterator[Node]:
    items: Any = ()
    if isinstance(value, dict):
        items = [(key, f"{pattern}{join('', key)}", each) for key, each in value.items()]
    elif isinstance(value, list):
        items = [(number, f"{pattern}/{kind_of(each)}", each) for number, each in enumerate(value)]
    for key, deeper, each in items:
        place = (*tokens, key)
        yield Node(tree, place, deeper, each, value)
        yield from _nodes(tree, each, place, deeper)


def kind_of(item: Any) -> str:
    """The pattern of an array item, with its kind: `*:tool_use` by type or role, `*:functionCall` by its only object.

    A text without a type or role is a `*:text`.
    """
    if not isinstance(item, dict):
        return "*"
    for name in ("type", "role"):
        if isinstance(item.get(name), str):
            return f"*:{item[name]}"
    objects = [key for key, value in item.items() if isinstance(value, dict)]
    if len(objects) == 1:
        return f"*:{objects[0]}"
    return "*:text" if isinstance(item.get("text"), str) else "*"
