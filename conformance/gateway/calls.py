"""Compares the calls of one turn of the model on both legs."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from conformance.gateway.history import Round, place_of
from conformance.gateway.loss import Difference, Differences, Way
from conformance.judge.pairing import Pairs
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Malformed, ToolCall

Matched = tuple[Pairs, list[ToolCall], list[ToolCall]]
"""The calls of a turn that belong together, then those that are lost, and those that are new."""

_INTEGERS = "large-integers"


def call_differences(way: Way, one: Round, other: Round, matched: Matched, whose: str) -> Differences:
    """Calls that are lost, doubled, added, or changed, and their order."""
    at = place_of(one.parts), place_of(other.parts)
    pairs, gone, added = matched
    for call in gone:
        what = f"a call of '{call.name}' in {whose} is lost"
        yield Difference("call-dropped", what, (call.pointer, at[1]), shown(call))
    for call in added:
        again = any(call.name == each.name and same_arguments(call, each) for each in one.calls)
        name, how = ("call-repeated", "is there twice") if again else ("call-unexpected", "is new")
        what = f"a call of '{call.name}' in {whose} {how}"
        yield Difference(name, what, (at[0], call.pointer), None, shown(call))
    for call, back in pairs:
        yield from _changes(way, call, back, whose)
    arrived = [id(call) for call in other.calls]
    order = [arrived.index(id(back)) for _, back in pairs]
    if order != sorted(order):
        before, after = (", ".join(map(shown, each.calls)) for each in (one, other))
        yield Difference("call-out-of-order", f"the calls of {whose} are in another order", at, before, after)


def _changes(way: Way, call: ToolCall, back: ToolCall, whose: str) -> Differences:
    at = call.pointer, back.pointer
    if call.name != back.name:
        yield Difference("tool-name-changed", f"the call of '{call.name}' has another name", at, call.name, back.name)
    if not same_arguments(call, back):
        what = f"the arguments of '{call.name}' in {whose} are changed"
        before, after = (brief(each.arguments, 160) for each in (call, back))
        if isinstance(call.arguments, Malformed):
            lacking = way.target.lacking("broken-arguments")
        else:
            exact = not same(_in_doubles(call.arguments), _in_doubles(back.arguments))
            lacking = None if exact else way.target.lacking(_INTEGERS) or way.source.lacking(_INTEGERS)
        yield Difference("arguments-changed", what, at, before, after, lacking)


def _in_doubles(value: Any) -> Any:
    """The value with its numbers as doubles, which cannot tell large integers apart."""
    if isinstance(value, dict):
        return {key: _in_doubles(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_in_doubles(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool):
        with suppress(OverflowError):  # no double is so large: it stays what it is
            return float(value)
    return value


def same_arguments(one: ToolCall, other: ToolCall) -> bool:
    """Whether the arguments are the same value; nothing at all is an empty object."""
    before, after = arguments_of(one), arguments_of(other)
    if isinstance(before, Malformed) and isinstance(after, Malformed):
        return before.text == after.text
    return same(before, after)


def arguments_of(call: ToolCall) -> Any:
    """The arguments; nothing at all is an empty object, and broken text is kept as it is."""
    empty = call.arguments is None or (isinstance(call.arguments, Malformed) and not call.arguments.text.strip())
    return {} if empty else call.arguments


def shown(call: ToolCall) -> str:
    """A call as short text."""
    return f"{call.name}({brief(call.arguments, 80)})"
