"""Finds the violations of a contract in a value, in one pass.

`check` takes a tree that was resolved for a situation. It is for values that the quick admission (`admission`) does
not admit, and finds out what is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.contract import wording
from conformance.contract.citation import Citations, Kind, Side, Stated, error
from conformance.contract.nodes import (
    Anything,
    Array,
    Cases,
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
    flat,
)
from conformance.contract.objects import object_violations
from conformance.contract.scalars import (
    flag_violations,
    is_quoted,
    number_violations,
    text_violations,
    unlisted,
)
from conformance.contract.violation import Fault, Frame, Violation
from conformance.model.jsontext import brief, canonical, kind
from conformance.model.pointer import join


def check(node: Node, value: Any, at: str = "", side: Side = "request", stated: Stated = error) -> Iterator[Violation]:
    """The violations of a value, in the order of its fields."""
    return check_within(node, value, at, Frame(side, stated=stated))


def check_within(node: Node, value: Any, at: str, frame: Frame) -> Iterator[Violation]:
    """The same for a part of a value; the frame is from the rows and objects around it."""
    if isinstance(node, Later):
        yield from check_within(node.node(), value, at, frame)
    elif isinstance(node, Union):
        yield from _union(node, value, at, frame)
    elif isinstance(node, Array) and node.single and not isinstance(value, list):
        yield from check_within(node.items, value, at, frame)
    elif isinstance(node, Foreign):
        if any(canonical(value) == canonical(each) for each in node.idle):
            return
        name = node.what or wording.subject(at)
        wanted, fix = (node.instead, f"use {node.instead}") if node.instead else (f"no {name}", f"remove {name}")
        fault = Fault(f"{name} {node.wrong}", wanted, name, fix)
        yield from frame.report_as(node.citation.over(frame.citation("unknown")), "unknown", at, fault)
    elif not _fits(node, value):
        yield from _mistyped(node, value, at, frame)
    elif isinstance(node, Object):
        yield from object_violations(node, value, at, frame, check_within)
    elif type(node) in _WITHIN:
        yield from _WITHIN[type(node)](node, value, at, frame)


def _fits(node: Node, value: Any) -> bool:
    """Whether the value has the node's JSON type."""
    if isinstance(node, Text):
        return isinstance(value, str)
    if isinstance(node, Number):
        if isinstance(value, str):
            return is_quoted(node, value)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (not node.whole or isinstance(value, int) or value.is_integer())
    if isinstance(node, (Object, Map, Switch, Cases)):
        return isinstance(value, dict)
    if isinstance(node, Array):
        return isinstance(value, list) or (node.single and _fits(node.items, value))
    if isinstance(node, Flag):
        return isinstance(value, bool)
    return isinstance(node, (Anything, Foreign)) or (isinstance(node, Null) and value is None)


def _mistyped(node: Node, value: Any, at: str, frame: Frame) -> Iterator[Violation]:
    name, wanted = wording.subject(at), wording.described(node)
    if isinstance(node, Object) and node.citations:  # what applies to all in an object applies to the object itself
        frame = Frame(frame.side, frame.row, (node.citations, *frame.objects), frame.stated, frame.admits)
    elif isinstance(node, (Switch, Cases)) and "itself" in node.citations:
        frame = frame.at_row({**frame.row, "type": node.citations["itself"]})
    found = f"is {brief(value)}" if isinstance(value, float) and "integer" in wanted else f"is of type {kind(value)}"
    yield from frame.report("type", at, Fault(f"{name} {found}", wanted, brief(value), f"give {name} as {wanted}"))


def _union(node: Union, value: Any, at: str, frame: Frame) -> Iterator[Violation]:
    fitting = [each for each in flat(node) if _fits(each, value)]
    if not fitting:
        yield from _mistyped(node, value, at, frame)
        return
    found = [list(check_within(choice, value, at, frame)) for choice in fitting]
    # Of several choices with the type, the one with the fewest and least severe violations is meant.
    silent = next((each for each in found if not each), None)
    least = min(found, key=lambda each: (max(one.severity for one in each), len(each))) if silent is None else silent
    yield from least


def _switch(node: Switch, value: dict[str, Any], at: str, frame: Frame) -> Iterator[Violation]:
    key, tag = node.key, value.get(node.key, node.absent)
    tag = node.absent if node.null and tag is None else tag
    inner = frame.at_row({**frame.row, **node.citations}) if node.citations else frame
    words = tuple(word for word, case in node.cases if not isinstance(case, Foreign))
    if tag is None and key not in value:
        fault = Fault(
            f"`{key}` is missing", f"`{key}` ({wording.listed(words)})", wording.present(value), f"add `{key}`"
        )
        yield from inner.report_as(inner.citation("missing"), "missing", at, fault, fields=(key,))
    elif not isinstance(tag, str):
        fault = Fault(f"`{key}` is of type {kind(tag)}", wording.listed(words), brief(tag), f"give `{key}` as a string")
        yield from inner.report("type", join(at, key), fault)
    elif any(word == tag for word, _ in node.cases):
        case = next(each for word, each in node.cases if word == tag)
        yield from check_within(case, value, at, frame.at_object(_general(node.citations)))
    elif tag and node.otherwise is not None:
        yield from check_within(node.otherwise, value, at, frame.at_object(_general(node.citations)))
    else:
        yield from unlisted(tag, words, join(at, key), inner, node.others)


def _general(citations: Citations) -> Citations:
    """The facts of a switch for all kinds, which also apply in its cases; those for single kinds are about the key."""
    return {"": citations[""]} if "" in citations else {}


def _cases(node: Cases, value: dict[str, Any], at: str, frame: Frame) -> Iterator[Violation]:
    case = next((each for condition, each in node.cases if condition.holds(value)), node.otherwise)
    yield from check_within(case, value, at, frame)


def _array(node: Array, value: list[Any], at: str, frame: Frame) -> Iterator[Violation]:
    size, name = len(value), wording.subject(at)
    if size < node.least or (node.most is not None and size > node.most):
        wanted = wording.amount(node.least, node.most, "item")
        found: Kind = "count" if size else "empty"
        message = f"{name} has {wording.counted(size, 'item')}" if size else f"{name} is an empty array"
        fix = f"give {name} {wanted}" if size else f"fill {name}, or leave it out"
        yield from frame.report(found, at, Fault(message, wanted, str(size), fix))
    seen: set[str] = set()
    for number, each in enumerate(value):
        if frame.admits is None or not frame.admits(node.items, each):
            yield from check_within(node.items, each, join(at, number), frame)
        if not node.unique:
            continue
        known = len(seen)
        seen.add(canonical(each))
        if len(seen) == known:
            fault = Fault(f"{brief(each)} occurs twice in {name}", "each item once", brief(each), "send it once")
            yield from frame.report("duplicate", join(at, number), fault)


def _map(node: Map, value: dict[str, Any], at: str, frame: Frame) -> Iterator[Violation]:
    if node.most is not None and len(value) > node.most:
        name, wanted = wording.subject(at), f"at most {node.most} entries"
        yield from frame.report(
            "count", at, Fault(f"{name} has {len(value)} entries", wanted, str(len(value)), f"give it {wanted}")
        )
    for key, each in value.items():
        if node.keys is not None:
            yield from text_violations(node.keys, key, join(at, key), frame)
        yield from check_within(node.values, each, join(at, key), frame)


_WITHIN: Mapping[type[Node], Callable[..., Iterator[Violation]]] = {
    Text: text_violations,
    Number: number_violations,
    Flag: flag_violations,
    Array: _array,
    Map: _map,
    Switch: _switch,
    Cases: _cases,
}
