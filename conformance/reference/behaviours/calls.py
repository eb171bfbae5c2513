"""The model's calls and their arguments."""

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


def _each_object(turn: Turn, change: Callable[[ToolCall], ToolCall]) -> Turn:
    """The turn with those calls changed whose arguments are an object: not cut off, and known."""
    return _each_call(turn, lambda call: change(call) if isinstance(call.arguments, dict) else call)


def _leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    """The JSON value with each string and number in it changed."""
    if isinstance(value, dict):
        return {key: _leaves(each, change) for key, each in value.items()}
    if isinstance(value, list):
        return [_leaves(each, change) for each in value]
    return change(value)


def _with_leaves(turn: Turn, change: Callable[[Any], Any]) -> Turn:
    return _each_object(turn, lambda call: replace(call, arguments=_leaves(call.arguments, change), wire=None))


@behaviour(
    "argument-as-string",
    "turn",
    "change",
    r"argument latitude changed from a number \(37\.5665\) to a string",
    everywhere=True,
)
def argument_as_string(turn: Turn) -> Turn:
    """Numeric arguments are sent as strings."""
    return _with_leaves(turn, lambda value: str(value) if type(value) in (int, float) else value)


@behaviour(
    "argument-as-number",
    "turn",
    "change",
    r"argument address/zip changed from a string .* to a number",
    scenario="nested-arguments",
    everywhere=True,
)
def argument_as_number(turn: Turn) -> Turn:
    """Arguments that are strings of digits are sent as numbers."""
    return _with_leaves(turn, lambda value: int(value) if isinstance(value, str) and value.isdecimal() else value)


@behaviour("argument-added", "turn", "change", "argument units is new", everywhere=True)
def argument_added(turn: Turn) -> Turn:
    """A call has an additional argument."""
    return _each_object(turn, lambda call: replace(call, arguments={**call.arguments, "units": "metric"}, wire=None))


@behaviour("argument-gone", "turn", "change", "argument longitude is missing", everywhere=True)
def argument_gone(turn: Turn) -> Turn:
    """A call lacks one of its arguments."""
    return _each_object(turn, lambda call: replace(call, arguments=dict(list(call.arguments.items())[:-1]), wire=None))


@behaviour(
    "argument-reworded",
    "turn",
    "review",
    'argument place changed from "Haeundae Beach, Busan" to "Haeundae Beach, Busan, Korea"',
    scenario="geocode-then-weather",
    everywhere=True,
)
def argument_reworded(turn: Turn) -> Turn:
    """A free-text argument has different wording."""
    return _with_leaves(turn, lambda value: f"{value}, Korea" if isinstance(value, str) else value)


@behaviour(
    "argument-recased",
    "turn",
    "noise",
    "argument place differs only in case or spacing",
    scenario="geocode-then-weather",
    everywhere=True,
)
def argument_recased(turn: Turn) -> Turn:
    """A free-text argument is in upper case."""
    return _with_leaves(turn, lambda value: value.upper() if isinstance(value, str) else value)


@behaviour(
    "argument-of-enum-changed",
    "turn",
    "change",
    "argument city changed from one allowed value",
    scenario="parallel-weather",
)
def argument_of_enum_changed(turn: Turn) -> Turn:
    """The first call of a turn uses a different enum value of the schema."""
    calls = turn.calls
    if len(calls) < 2:
        return turn
    other = replace(calls[0], arguments=calls[1].arguments, wire=calls[1].wire)
    return replace(turn, parts=tuple(other if part is calls[0] else part for part in turn.parts))


@behaviour(
    "number-nudged",
    "turn",
    "review",
    r"argument latitude changed from 37\.5665 to 37\.56\d+, within the tolerance",
    everywhere=True,
)
def number_nudged(turn: Turn) -> Turn:
    """Decimal arguments are slightly smaller."""
    return _with_leaves(turn, lambda value: round(value * 0.9999, 6) if isinstance(value, float) else value)


@behaviour("number-other", "turn", "change", r"argument latitude changed from 37\.5665 to 47\.5665", everywhere=True)
def number_other(turn: Turn) -> Turn:
    """Numeric arguments have different values."""
    return _with_leaves(turn, lambda value: round(value + 10, 6) if isinstance(value, float) else value)


@behaviour(
    "argument-text-respelled",
    "turn",
    "noise",
    "the arguments of create_shipment have the same values in different JSON text",
    scenario="nested-arguments",
)
def argument_text_respelled(turn: Turn) -> Turn:
    """The JSON text of the arguments has a different key order, spacing and escapes."""

    def spelled(call: ToolCall) -> ToolCall:
        return replace(call, wire=json.dumps(dict(reversed(call.arguments.items())), indent=2))

    return _each_object(turn, spelled)


@behaviour("calls-reordered", "turn", "review", "the order of parallel calls changed", scenario="parallel-weather")
def calls_reordered(turn: Turn) -> Turn:
    """Parallel calls are sent in reverse order."""
    calls = reversed(turn.calls)
    return replace(turn, parts=tuple(next(calls) if isinstance(part, ToolCall) else part for part in turn.parts))


@behaviour("call-repeated", "turn", "change", r"call get_weather\(.*\) is new; the turn had 1 call, now 2")
def call_repeated(turn: Turn) -> Turn:
    """The last call is sent twice."""
    calls = turn.calls
    return replace(turn, parts=(*turn.parts, *calls[-1:]))


@behaviour(
    "call-dropped",
    "turn",
    "change",
    r"call get_weather\(.*Jeju.*\) is missing; the turn had 3 calls, now 2",
    scenario="three-cities",
)
def call_dropped(turn: Turn) -> Turn:
    """The last of several parallel calls is missing."""
    calls = turn.calls
    if len(calls) < 2:
        return turn
    return replace(turn, parts=tuple(part for part in turn.parts if part is not calls[-1]))


@behaviour("calls-merged", "turn", "change", "the turn had 3 calls, now 1", scenario="three-cities")
def calls_merged(turn: Turn) -> Turn:
    """Several parallel calls are merged into one, with the arguments of all of them."""
    calls = turn.calls
    if len(calls) < 2:
        return turn
    values: dict[str, list[Any]] = {}
    for call in calls:
        for key, value in call.arguments.items() if isinstance(call.arguments, dict) else ():
            values.setdefault(key, []).append(value)
    merged = replace(calls[0], arguments={key: ", ".join(map(str, each)) for key, each in values.items()}, wire=None)
    return replace(turn, parts=(*(part for part in turn.parts if not isinstance(part, ToolCall)), merged))


@behaviour(
    "parallel-to-sequential",
    "script",
    "change",
    r"the same 3 calls came as 3 in one turn, now as 1 \+ 1 \+ 1",
    scenario="three-cities",
)
def parallel_to_sequential(model: tuple[ScriptedTurn, ...]) -> tuple[ScriptedTurn, ...]:
    """Parallel calls are sent one at a time, each in its own turn."""
    changed: list[ScriptedTurn] = []
    for turn in model:
        if len(turn.calls) < 2:
            changed.append(turn)
            continue
        for number, call in enumerate(turn.calls):
            changed.append(replace(turn, text=None if number else turn.text, calls=(call,)))
    return tuple(changed)


@behaviour(
    "tool-name-recased", "turn", "change", "the called tool changed from get_weather to Get_Weather", everywhere=True
)
def tool_name_recased(turn: Turn) -> Turn:
    """A call has the tool's name in different case."""
    return _each_call(turn, lambda call: replace(call, name=(call.name or "").title()))
