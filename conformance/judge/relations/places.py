"""Places in the traffic, as patterns: `response /output/*[type=function_call]/call_id`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import cache
from typing import Any, Final, Literal, get_args

from conformance.model.finding import Side
from conformance.model.frozen import dataclass
from conformance.model.jsontext import canonical
from conformance.model.pointer import join

Section = Literal["replies", "history", "answered", "tools", "sent", "accepted", "refused", "failed"]
"""What every dialect has (`conformance.judge.relations.transcript`)."""
Root = Literal["request", "response", "event", "events", "header", "client", "server", "exchange", Section]
"""The body of the request, that of a successful reply that is not streamed, each event of a streamed one, or all.

`header`: those of the request by their names in lower case, each with its values, which commas separate. `client` and
`server`: each message of a side, in a dialect in which both sides send messages. `exchange`: where the request went,
and both bodies, as one value (`sections.whole`). Of an endpoint beside the main one, there is this, and the response
if it is the model's answer to an earlier request.
"""
Found = tuple[Any, str]
"""A value and its place, as in findings."""
ROOTS: Final[tuple[Root, ...]] = ("request", "response", "events", "event", "header", "client", "server", "exchange")
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
OF_REQUEST: Final[frozenset[str]] = frozenset({"request", "header", "client", "accepted"})
"""The roots that lie in the request of an exchange."""
POSITIONS = ("*", "@", "first", "last")
"""The keys that are no names of members, or not only."""
_ENDS = {"first": 0, "last": -1}
_GAP = re.compile(r"^ | (?=[/\[]|$)")
"""Stands before the path, for the eye."""
_STEP = re.compile(r"/([^/\[\]]+)|\[(!?)([^\]=]*)(?:=([^\]]*))?\]")


@dataclass(frozen=True, slots=True)
class Key:
    """The value of a member; with `*` each item of an array and each value of an object, with `@` each key of one.

    `others` are names that it may have instead. `first` and `last` are items of an array, too.
    """

    name: str
    others: tuple[str, ...] = ()

    @property
    def is_member(self) -> bool:
        """Whether it is the member of one name, and never an item of an array."""
        return not self.others and self.name not in POSITIONS

    def follow(self, before: Iterable[Found], first: int = 0) -> list[Found]:
        """What is there in each of some values; of all items those from the number `first` on."""
        found: list[Found] = []
        name = self.name
        for value, at in before:
            if name == "*":
                if isinstance(value, list):
                    found += [(value[number], f"{at}/{number}") for number in range(first, len(value))]
                elif isinstance(value, dict):
                    found += [(each, join(at, key)) for key, each in value.items()]
            elif name == "@":
                found += [(key, join(at, key)) for key in (value if isinstance(value, dict) else ())]
            elif isinstance(value, dict):
                if name in value:
                    found.append((value[name], join(at, name)))
                elif self.others:
                    found += [(value[each], join(at, each)) for each in self.others if each in value]
            elif isinstance(value, list) and value and name in ("first", "last"):
                number = 0 if name == "first" else len(value) - 1
                found.append((value[number], f"{at}/{number}"))
        return found


@dataclass(frozen=True, slots=True)
class Test:
    """Whether an object has a member that is not null, with one of `values` if there are any; or has none."""

    path: tuple[str, ...]
    values: tuple[str, ...] = ()
    absent: bool = False

    def follow(self, before: Iterable[Found]) -> list[Found]:
        """Those of some values for which it is true."""
        if len(self.path) != 1 or self.values:
            return [found for found in before if self.holds(found[0])]
        [name], absent = self.path, self.absent
        return [
            found for found in before if (isinstance(found[0], dict) and found[0].get(name) is not None) is not absent
        ]

    def holds(self, value: Any) -> bool:
        """Whether it is true for the value."""
        value = inner_of(value, self.path)
        there = value is not None and (not self.values or text_of(value) in self.values)
        return there is not self.absent


def inner_of(value: Any, path: Iterable[str]) -> Any:
    """The member of a value at the end of some names, with `first` and `last` for items; None if there is none."""
    for key in path:
        if isinstance(value, dict):
            value = value.get(key)
        else:
            value = value[_ENDS[key]] if key in _ENDS and isinstance(value, list) and value else None
    return value


Step = Key | Test


class Node:
    """A step from a root, or from another node: what patterns begin with is one node for all of them."""

    __slots__ = ("_next", "parent", "root", "step", "tail")

    def __init__(self, root: Root, parent: Node | None = None, step: Step | None = None) -> None:
        self.root = root
        self.parent = parent
        self.step = step
        self.tail = join("", step.name) if isinstance(step, Key) and step.is_member else ""
        self._next: dict[Step, Node] = {}

    def after(self, step: Step) -> Node:
        """The node of a step from here."""
        if step not in self._next:
            self._next[step] = Node(self.root, self, step)
        return self._next[step]

    def follow(self, before: list[Found], first: int = 0) -> list[Found]:
        """What its step leads to from each of some values; of all items, from the number `first` on."""
        if self.tail and isinstance(self.step, Key):
            name, tail = self.step.name, self.tail
            return [(value[name], at + tail) for value, at in before if isinstance(value, dict) and name in value]
        if isinstance(self.step, Key):
            return self.step.follow(before, first)
        return before if self.step is None else self.step.follow(before)


@cache
def is_setting(node: Node, history: str) -> bool:
    """Whether a place in the request lies under another member than the history, by the key of that."""
    first = _first_key(node)
    return node.root == "request" and first is not None and {"*", "@", history}.isdisjoint((first.name, *first.others))


@cache
def is_in_history(node: Node, history: str) -> bool:
    """Whether a place is that of the items of the history, or lies in them."""
    return is_history(node, history) or (node.parent is not None and is_in_history(node.parent, history))


@cache
def is_history(node: Node, history: str) -> bool:
    """Whether a place is that of all items of the history, by its key; settings may be tested on the way."""
    above = node.parent
    if node.root != "request" or node.step != Key("*") or above is None or above.step != Key(history):
        return False
    steps = _steps_to(above.parent)
    return all(isinstance(each, Test) and each.path[:1] not in ((), (history,)) for each in steps)


def _steps_to(node: Node | None) -> Iterator[Step]:
    """The steps that lead to a node, the last first."""
    while node is not None and node.step is not None:
        yield node.step
        node = node.parent


def _first_key(node: Node) -> Key | None:
    """The first key on the way from the root to a node."""
    return next((each for each in reversed(list(_steps_to(node))) if isinstance(each, Key)), None)


_NODES: Final[dict[Root, Node]] = {each: Node(each) for each in (*ROOTS, *SECTIONS)}


@dataclass(frozen=True, slots=True)
class Place:
    """A root and the steps from it, the last of which is `node`, from `top`; `written` is the pattern."""

    root: Root
    steps: tuple[Step, ...]
    written: str
    node: Node = field(compare=False)
    top: Node = field(compare=False)


def side_of(root: str) -> Side:
    """The side of the exchange that a root belongs to."""
    return "request" if root in OF_REQUEST else "response"


def in_body(pointer: str) -> tuple[Root, str]:
    """The root and the place on the wire of what a pointer leads to in an `exchange`; a URL has no place in a body."""
    part, inner = (*re.split(r"/(\w*)", pointer, maxsplit=1)[1:], "", "")[:2]
    if part == "events":
        return "event", f"event{inner}"
    return ("response" if part == "reply" else "request"), inner if part in ("reply", "sent") else ""


def beneath(written: str, rest: str) -> str:
    """The places of a pattern, with a path or a condition after each; a path is apart from a root that is alone."""
    return " | ".join(
        f"{each} {rest}" if rest[:1] == "/" and " " not in each and "[" not in each else f"{each}{rest}"
        for each in written.split(" | ")
    )


def is_key(value: Any) -> bool:
    """Whether a value can refer to another one: a text that is not empty, or a whole number."""
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


def shown(number: float) -> str:
    """A number for a message: a whole one without a point, whatever its size."""
    return str(number) if isinstance(number, int) else f"{number:g}"


def text_of(value: Any) -> str:
    """A value as a test writes it: a string as it is, a number, true and false as in JSON; nothing for any other."""
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)
    return canonical(value) if isinstance(value, (int, float)) else ""


@cache
def places(written: str) -> tuple[Place, ...]:
    """The places of a pattern; those of alternatives, which ` | ` separates, in their order.

    Raises:
        ValueError: the text is no pattern.
    """
    return tuple(map(_place, written.split(" | ")))


def all_places(*written: str) -> Sequence[Place]:
    """The places of several patterns; those of an empty one are none."""
    return [place for each in written if each for place in places(each)]


def _place(written: str) -> Place:
    root = next((each for each in _NODES if re.match(rf"{each}(?=$|[ \[])", written)), None)
    if root is None:
        raise ValueError(f"{written!r}: a place begins with {', '.join(ROOTS)}")
    steps = path(_GAP.sub("", written[len(root) :], count=1))
    node = _NODES[root]
    for step in steps:
        node = node.after(step)
    return Place(root, steps, written, node, _NODES[root])


class Path(tuple[Step, ...]):  # noqa: SLOT001 - a tuple cannot have slots with values
    """Steps within a value; `names` are those of members, if the steps are nothing else, and `tail` ends a place."""

    names: tuple[str, ...] | None = None
    tail: str = ""


@cache
def path(written: str) -> Path:
    """The steps of a path within a value: `/usage/input_tokens`, `/content/*[type=text]`.

    Raises:
        ValueError: the text is no path.
    """
    steps: list[Step] = []
    end = 0
    for match in _STEP.finditer(written):
        if match.start() != end:
            break
        end = match.end()
        key, negated, tested, values = match.groups()
        if key is not None:
            name, *others = key.replace("~1", "/").replace("~0", "~").split("|")
            steps.append(Key(name, tuple(others)))
        else:
            within = tuple(tested.split(".")) if tested else ()
            steps.append(Test(within, tuple(values.split("|")) if values is not None else (), bool(negated)))
    if end != len(written):
        raise ValueError(f"{written!r}: not a path at {written[end:]!r}")
    found = Path(steps)
    if all(isinstance(each, Key) and each.is_member for each in steps):
        found.names = tuple(each.name for each in steps if isinstance(each, Key))
        found.tail = join("", *found.names)
    return found


def select(value: Any, steps: tuple[Step, ...], at: str = "") -> Iterable[Found]:
    """The values at a path within a value, each with its place."""
    if isinstance(steps, Path) and steps.names is not None:
        for name in steps.names:
            if not isinstance(value, dict) or name not in value:
                return ()
            value = value[name]
        return ((value, at + steps.tail),)
    found: Iterable[Found] = ((value, at),)
    for step in steps:
        found = step.follow(found)
    return found


def keys_of(value: Any, by: str, at: str) -> list[tuple[str, str]]:
    """The keys of a value, each with its place: its own text, or what is `by` a path in it.

    Several paths, separated by a space, make one key: each value of one with each of the others.
    """
    if not by:
        return [(text_of(value), at)] if is_key(value) else []
    parts = [
        [(text_of(each), place) for each, place in select(value, path(where), at) if is_key(each)]
        for where in by.split(" ")
    ]
    if len(parts) == 1:
        return parts[0]
    return [("\n".join(text for text, _ in each), each[0][1]) for each in itertools.product(*parts)]
