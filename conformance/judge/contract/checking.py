"""Where a value violates a contract, found in one pass.

`check` takes a tree that was resolved for a situation. It is for values that the quick admission (`compiling`) did
not let through, and says what is wrong with them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from conformance.finding import Severity
from conformance.jsontext import brief, kind, same
from conformance.judge.contract import wording
from conformance.judge.contract.nodes import (
    Anything,
    Array,
    Field,
    Flag,
    Foreign,
    Cases,
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
from conformance.judge.contract.tell import UNDOCUMENTED, WHOLE_FRACTION, Kind, Side, Tell, Tells
from conformance.judge.contract.violation import Frame, Violation
from conformance.pointer import join

Found = Iterator[Violation | None]


def check(node: Node, value: Any, at: str = "", side: Side = "request") -> Iterator[Violation]:
    """The violations of a value, in the order of its fields."""
    return (each for each in _check(node, value, at, Frame(side)) if each is not None)


def _check(node: Node, value: Any, at: str, frame: Frame) -> Found:
    if isinstance(node, Later):
        yield from _check(node.node(), value, at, frame)
    elif isinstance(node, Union):
        yield from _union(node, value, at, frame)
    elif isinstance(node, Array) and node.single and not isinstance(value, list):
        yield from _check(node.items, value, at, frame)
    elif isinstance(node, Number) and node.whole and isinstance(value, float) and value.is_integer():
        said = f"{wording.subject(at)} is written as {brief(value)}", "an integer without a fraction", brief(value)
        yield frame.violation("type", at, (*said, f"write {int(value)}"), WHOLE_FRACTION)
        yield from _number(node, value, at, frame)
    elif not _fits(node, value):
        yield _mistyped(node, value, at, frame)
    elif isinstance(node, Object):
        yield from _object(node, value, at, frame)
    elif isinstance(node, Text):
        yield from _text(node, value, at, frame)
    elif isinstance(node, Number):
        yield from _number(node, value, at, frame)
    elif isinstance(node, Array):
        yield from _array(node, value, at, frame)
    elif isinstance(node, Switch):
        yield from _switch(node, value, at, frame)
    elif isinstance(node, Cases):
        case = next((each for condition, each in node.cases if condition.holds(value)), node.otherwise)
        yield from _check(case, value, at, frame)
    elif isinstance(node, Map):
        yield from _map(node, value, at, frame)
    elif isinstance(node, Flag) and node.only is not None and value is not node.only:
        wanted = wording.described(node)
        said = f"{wording.subject(at)} is {brief(value)}", wanted, brief(value), f"set it to {wanted}"
        yield frame.violation("value", at, said)
    elif isinstance(node, Foreign):
        said = f"{wording.subject(at)} is not accepted here", node.instead, wording.subject(at), f"use {node.instead}"
        yield frame.violation("unknown", at, said)


def _fits(node: Node, value: Any) -> bool:
    """Whether the value has the node's JSON type."""
    if isinstance(node, Text):
        return isinstance(value, str)
    if isinstance(node, Number):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (not node.whole or float(value).is_integer())
    if isinstance(node, (Object, Map, Switch, Cases)):
        return isinstance(value, dict)
    if isinstance(node, Array):
        return isinstance(value, list)
    if isinstance(node, Flag):
        return isinstance(value, bool)
    return isinstance(node, (Anything, Foreign)) or (isinstance(node, Null) and value is None)


def _mistyped(node: Node, value: Any, at: str, frame: Frame) -> Violation | None:
    wanted = wording.described(node)
    found = "not a whole number" if isinstance(value, float) and "integer" in wanted else f"of type {kind(value)}"
    said = f"{wording.subject(at)} is {found}", wanted, brief(value), f"give {wording.subject(at)} as {wanted}"
    return frame.violation("type", at, said)


def _union(node: Union, value: Any, at: str, frame: Frame) -> Found:
    fitting = [each for each in _flat(node) if _takes(each, value)]
    if not fitting:
        yield _mistyped(node, value, at, frame)
        return
    found = [[each for each in _check(choice, value, at, frame) if each is not None] for choice in fitting]
    # Of several that have the type, the one with the least to tell is meant.
    yield from min(found, key=lambda each: (bool(each), max((one.severity for one in each), default=0), len(each)))


def _flat(node: Union) -> Iterator[Node]:
    for choice in node.choices:
        each = choice.node() if isinstance(choice, Later) else choice
        yield from _flat(each) if isinstance(each, Union) else (each,)


def _takes(node: Node, value: Any) -> bool:
    return _fits(node, value) or (isinstance(node, Array) and node.single and _takes(node.items, value))


def _object(node: Object, value: dict[str, Any], at: str, frame: Frame) -> Found:
    inner = frame.at_object(node.tells)
    lacking: dict[tuple[Tell, Severity | None], list[Field]] = {}
    for row in node.fields:
        name = next((each for each in (row.name, *row.also) if each in value), None)
        own = inner.at_row(row.tells)
        if name is None:
            if row.presence != "may":
                usual = Severity.WARNING if row.presence == "should" else None
                lacking.setdefault((own.tell("missing"), usual), []).append(row)
        elif value[name] is None:
            yield from _null(row, join(at, name), own)
        else:
            yield from _check(row.node, value[name], join(at, name), own)
    for (told, usual), rows in lacking.items():
        yield _missing(rows, value, at, Frame(frame.side), (told, usual))
    for relation in node.relations:
        for breach in relation.breaches(value):
            place = join(at, *breach.field.split(".")) if breach.field else at
            said = breach.message, breach.expected, breach.actual, breach.fix
            yield inner.violation(breach.kind, place, said, own=relation.tell)
    if node.closed:
        yield from _strangers(node, value, at, inner)


def _null(row: Field, at: str, frame: Frame) -> Found:
    if row.null:
        return
    wanted = wording.described(row.node)
    found: Kind = "null" if row.presence == "may" else "type"
    fix = f"leave {wording.subject(at)} out" if row.presence == "may" else f"give {wording.subject(at)} as {wanted}"
    yield frame.violation(found, at, (f"{wording.subject(at)} is null", wanted, "null", fix))


def _missing(
    rows: list[Field], value: Any, at: str, frame: Frame, told: tuple[Tell, Severity | None]
) -> Violation | None:
    names = [row.name for row in rows]
    wanted = ", ".join(f"`{row.name}` ({wording.described(row.node)})" for row in rows)
    message = f"{wording.named(names)} {'is' if len(names) == 1 else 'are'} missing"
    there = f"only {wording.named(sorted(value)[:8])}" if value else "an empty object"
    said = message, wanted, there, f"add {wording.named(names)}"
    return frame.violation("missing", at, said, told[1], told[0], tuple(names))


def _strangers(node: Object, value: dict[str, Any], at: str, frame: Frame) -> Found:
    names = {name for row in node.fields for name in (row.name, *row.also)}
    for key in value:
        if key not in names and value[key] is not None:
            near = difflib.get_close_matches(key, names, n=1)
            fix = f"write `{near[0]}`" if near else f"leave `{key}` out"
            wanted = f"`{near[0]}`" if near else "a documented field"
            said = f"`{key}` is not a documented field", wanted, f"`{key}`", fix
            yield frame.violation("unknown", join(at, key), said)


def _switch(node: Switch, value: dict[str, Any], at: str, frame: Frame) -> Found:
    tag = value.get(node.key, node.absent)
    inner = frame.at_row({**frame.row, **node.tells}) if node.tells else frame
    words = tuple(word for word, _ in node.cases)
    where = join(at, node.key)
    if tag is None and node.key not in value:
        said = f"`{node.key}` is missing", f"`{node.key}` ({wording.listed(words)})", "no such field", f"add `{node.key}`"
        yield inner.violation("missing", at, said, fields=(node.key,))
    elif not isinstance(tag, str):
        said = f"`{node.key}` is of type {kind(tag)}", "string", brief(tag), f"give `{node.key}` as a string"
        yield inner.violation("type", where, said)
    elif tag in words:
        yield from _check(dict(node.cases)[tag], value, at, frame.at_object(_general(node.tells)))
    elif node.others != "silent":
        yield _unlisted(tag, words, where, inner, refused=node.others == "refused")


def _general(tells: Tells) -> Tells:
    """What a switch says of all kinds, which holds in its cases too; its word on single kinds is about the key."""
    return {"": tells[""]} if "" in tells else {}


def _unlisted(value: str, words: tuple[str, ...], at: str, frame: Frame, *, refused: bool) -> Violation | None:
    near = difflib.get_close_matches(value, words, n=1)
    fix = f'write "{near[0]}"' if near else f"use {wording.listed(words)}"
    what = f"{wording.subject(at)} is {brief(value)}, which is {'no allowed' if refused else 'not a documented'} value"
    said = what, f"one of {wording.listed(words)}", brief(value), fix
    return frame.violation("value", at, said, None if refused else UNDOCUMENTED[frame.side])


def _text(node: Text, value: str, at: str, frame: Frame) -> Found:
    name, size = wording.subject(at), len(value)
    if node.words and value not in node.words and node.others != "silent":
        yield _unlisted(value, node.words, at, frame, refused=node.others == "refused")
    if size < node.least or (node.most is not None and size > node.most):
        wanted = f"{wording.between(node.least or None, node.most)} characters"
        if not size:
            said = f"{name} is empty", "a string that is not empty", '""', f"fill {name} in, or leave it out"
            yield frame.violation("empty", at, said)
            return
        fix = f"shorten {name} to {node.most} characters" if size >= node.least else f"lengthen {name}"
        yield frame.violation("length", at, (f"{name} is {size} characters long", wanted, f"{size} characters", fix))
    elif node.pattern and not _compiled(node.pattern).fullmatch(value):
        said = f"{name} is malformed", f"a match of {node.pattern}", brief(value), f"change {name} to match {node.pattern}"
        yield frame.violation("pattern", at, said)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _number(node: Number, value: float, at: str, frame: Frame) -> Found:
    if (node.low is not None and value < node.low) or (node.high is not None and value > node.high):
        wanted = wording.between(node.low, node.high)
        said = f"{wording.subject(at)} is {brief(value)}", wanted, brief(value), f"set {wording.subject(at)} {wanted}"
        yield frame.violation("range", at, said)


def _array(node: Array, value: list[Any], at: str, frame: Frame) -> Found:
    size, name = len(value), wording.subject(at)
    if size < node.least or (node.most is not None and size > node.most):
        wanted = f"{wording.between(node.least or None, node.most)} items"
        if size:
            said = f"{name} has {size} items", wanted, str(size), f"give {name} {wanted}"
            yield frame.violation("count", at, said)
        else:
            said = f"{name} is an empty array", "at least one item", "[]", f"fill {name}, or leave it out"
            yield frame.violation("empty", at, said)
    for number, each in enumerate(value):
        yield from _check(node.items, each, join(at, number), frame)
        if node.unique and any(same(each, other) for other in value[:number]):
            said = f"{brief(each)} is twice in {name}", "each item once", brief(each), "send it once"
            yield frame.violation("duplicate", join(at, number), said)


def _map(node: Map, value: dict[str, Any], at: str, frame: Frame) -> Found:
    if node.most is not None and len(value) > node.most:
        name = wording.subject(at)
        said = f"{name} has {len(value)} entries", f"at most {node.most}", str(len(value)), f"send {node.most} entries"
        yield frame.violation("count", at, said)
    for key, each in value.items():
        if node.keys is not None:
            yield from _text(node.keys, key, join(at, key), frame)
        yield from _check(node.values, each, join(at, key), frame)
