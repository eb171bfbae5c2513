"""What the model calls, and with which arguments."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.transcript import ToolCall, Turn
from conformance.scenario.model import ScriptedTurn


def _each_call(turn: Turn, change: Callable[[ToolCall], ToolCall]) -> Turn:
    return replace(turn, parts=tuple(change(part) if isinstance(part, ToolCall) else part for part in turn.parts))


def _leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    """The JSON value with each string and number in it changed."""
    if isinstance(value, dict):
        return {key: _leaves(each, change) for key, each in value.items()}
    if isinstance(value, list):
        return [_leaves(each, change) for each in value]
    return change(value)


def _with_leaves(turn: Turn, change: Callable[[Any], Any]) -> Turn:
    return _each_call(turn, lambda call: replace(call, arguments=_leaves(call.arguments, change), wire=None))


@behaviour(
    "argument-as-string",
    level="turn",
    scenario="weather",
    grade="change",
    words=r"argument latitude was a number \(37\.5665\), is a string",
    everywhere=True,
)
def argument_as_string(turn: Turn) -> Turn:
    """Numbers among the arguments come as strings."""
    return _with_leaves(turn, lambda value: str(value) if type(value) in (int, float) else value)


@behaviour(
    "argument-as-number",
    level="turn",
    scenario="nested-arguments",
    grade="change",
    words=r"argument address/zip was a string .*, is a number",
    everywhere=True,
)
def argument_as_number(turn: Turn) -> Turn:
    """Strings of digits among the arguments come as numbers."""
    return _with_leaves(turn, lambda value: int(value) if isinstance(value, str) and value.isdecimal() else value)


@behaviour(
    "argument-added",
    level="turn",
    scenario="weather",
    grade="change",
    words="the argument units is new",
    everywhere=True,
)
def argument_added(turn: Turn) -> Turn:
    """A call has an argument more."""
    return _each_call(turn, lambda call: replace(call, arguments={**call.arguments, "units": "metric"}, wire=None))


@behaviour(
    "argument-gone",
    level="turn",
    scenario="weather",
    grade="change",
    words="the argument longitude is gone",
    everywhere=True,
)
def argument_gone(turn: Turn) -> Turn:
    """A call has an argument less."""
    return _each_call(turn, lambda call: replace(call, arguments=dict(list(call.arguments.items())[:-1]), wire=None))


@behaviour(
    "argument-reworded",
    level="turn",
    scenario="geocode-then-weather",
    grade="review",
    words='argument place was "Haeundae Beach, Busan", is "Haeundae Beach, Busan, Korea"',
    everywhere=True,
)
def argument_reworded(turn: Turn) -> Turn:
    """A free text among the arguments has other words."""
    return _with_leaves(turn, lambda value: f"{value}, Korea" if isinstance(value, str) else value)


@behaviour(
    "argument-recased",
    level="turn",
    scenario="geocode-then-weather",
    grade="noise",
    words="argument place differs only in case or spacing",
    everywhere=True,
)
def argument_recased(turn: Turn) -> Turn:
    """A free text among the arguments has the same words in capitals."""
    return _with_leaves(turn, lambda value: value.upper() if isinstance(value, str) else value)


@behaviour(
    "argument-of-enum-changed",
    level="turn",
    scenario="parallel-weather",
    grade="change",
    words="argument city was one of the allowed values",
)
def argument_of_enum_changed(turn: Turn) -> Turn:
    """The first call of a turn asks for another of the values that the schema allows."""
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    if len(calls) < 2:
        return turn
    other = replace(calls[0], arguments=calls[1].arguments, wire=calls[1].wire)
    return replace(turn, parts=tuple(other if part is calls[0] else part for part in turn.parts))


@behaviour(
    "number-nudged",
    level="turn",
    scenario="weather",
    grade="review",
    words=r"argument latitude was 37\.5665, is 37\.56\d+, which is within the tolerance",
    everywhere=True,
)
def number_nudged(turn: Turn) -> Turn:
    """Numbers with decimals among the arguments are a little less."""
    return _with_leaves(turn, lambda value: round(value * 0.9999, 6) if isinstance(value, float) else value)


@behaviour(
    "number-other",
    level="turn",
    scenario="weather",
    grade="change",
    words=r"argument latitude was 37\.5665, is 47\.5665",
    everywhere=True,
)
def number_other(turn: Turn) -> Turn:
    """Numbers among the arguments are others."""
    return _with_leaves(turn, lambda value: round(value + 10, 6) if isinstance(value, float) else value)


@behaviour(
    "argument-text-respelled",
    level="turn",
    scenario="nested-arguments",
    grade="noise",
    words="the arguments of create_shipment have the same values, spelled otherwise",
)
def argument_text_respelled(turn: Turn) -> Turn:
    """The text of the arguments has its keys in another order, other spacing, and escapes."""

    def spelled(call: ToolCall) -> ToolCall:
        return replace(call, wire=json.dumps(dict(reversed(call.arguments.items())), indent=2))

    return _each_call(turn, spelled)


@behaviour(
    "calls-reordered",
    level="turn",
    scenario="parallel-weather",
    grade="review",
    words="parallel calls come in another order",
)
def calls_reordered(turn: Turn) -> Turn:
    """Parallel calls come in the reverse order."""
    calls = iter([part for part in reversed(turn.parts) if isinstance(part, ToolCall)])
    return replace(turn, parts=tuple(next(calls) if isinstance(part, ToolCall) else part for part in turn.parts))


@behaviour(
    "call-repeated",
    level="turn",
    scenario="weather",
    grade="change",
    words=r"the call get_weather\(.*\) is new: the turn had 1 call, has 2",
)
def call_repeated(turn: Turn) -> Turn:
    """The last call is made twice."""
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    return replace(turn, parts=(*turn.parts, *calls[-1:]))


@behaviour(
    "call-dropped",
    level="turn",
    scenario="three-cities",
    grade="change",
    words=r"the call get_weather\(.*Jeju.*\) is gone: the turn had 3 calls, has 2",
)
def call_dropped(turn: Turn) -> Turn:
    """The last of several parallel calls is not made."""
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    if len(calls) < 2:
        return turn
    return replace(turn, parts=tuple(part for part in turn.parts if part is not calls[-1]))


@behaviour(
    "calls-merged",
    level="turn",
    scenario="three-cities",
    grade="change",
    words="the turn had 3 calls, has 1",
)
def calls_merged(turn: Turn) -> Turn:
    """Several parallel calls come as one, with the arguments of all in it."""
    calls = [part for part in turn.parts if isinstance(part, ToolCall)]
    if len(calls) < 2:
        return turn
    values: dict[str, list[Any]] = {}
    for call in calls:
        for key, value in call.arguments.items():
            values.setdefault(key, []).append(value)
    merged = replace(calls[0], arguments={key: ", ".join(map(str, each)) for key, each in values.items()}, wire=None)
    return replace(turn, parts=(*(part for part in turn.parts if not isinstance(part, ToolCall)), merged))


@behaviour(
    "parallel-to-sequential",
    level="script",
    scenario="three-cities",
    grade="change",
    words=r"the same 3 calls came as 3 in one turn, come as 1 \+ 1 \+ 1",
)
def parallel_to_sequential(model: tuple[ScriptedTurn, ...]) -> tuple[ScriptedTurn, ...]:
    """Parallel calls come one after the other, each in a turn of its own."""
    changed: list[ScriptedTurn] = []
    for turn in model:
        if len(turn.calls) < 2:
            changed.append(turn)
            continue
        for number, call in enumerate(turn.calls):
            changed.append(replace(turn, text=None if number else turn.text, calls=(call,)))
    return tuple(changed)


@behaviour(
    "tool-name-recased",
    level="turn",
    scenario="weather",
    grade="change",
    words="the tool called was get_weather, is Get_Weather",
    everywhere=True,
)
def tool_name_recased(turn: Turn) -> Turn:
    """The model calls a tool by its name in another case."""
    return _each_call(turn, lambda call: replace(call, name=(call.name or "").title()))
