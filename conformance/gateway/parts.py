"""Compares what one turn of the model says on both legs: text, reasoning, calls, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.diff.turns import matched
from conformance.gateway.ledger import Notes, Places
from conformance.gateway.rounds import calls_of, joined, place_of, same_text
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall

Pairs = list[tuple[ToolCall, ToolCall]]


def compare_said(notes: Notes, one: Sequence[Part], other: Sequence[Part], whose: str) -> Pairs:
    """Notes what is lost of a turn. `whose` names it in messages; returns the calls that belong together."""
    words, arrived = ([part for part in parts if isinstance(part, Text) and part.text] for parts in (one, other))
    compare_texts(notes, words, arrived, f"the text of {whose}", (place_of(one), place_of(other)))
    compare_reasoning(notes, one, other, whose)
    pairs = _compare_calls(notes, calls_of(one), calls_of(other), (place_of(one), place_of(other)), whose)
    if notes.expressible("part-order") and notes.told_by("part-order"):
        _order(notes, one, other, whose)
    return pairs


def compare_texts(
    notes: Notes, one: Sequence[Text], other: Sequence[Text], what: str, at: Places = (None, None)
) -> None:
    """Notes a text that is lost, changed, doubled or added."""
    if same_text(one, other):
        return
    before, after = joined(one), joined(other)
    at = place_of(one, at[0]), place_of(other, at[1])
    if not after:
        notes.lost("text-dropped", f"{what} is lost", at, before)
    elif not before:
        notes.lost("text-unexpected", f"{what} is new", at, None, after)
    elif after.replace("\n", "") == before.replace("\n", "") * 2:
        notes.lost("text-repeated", f"{what} is there twice", at, before, after)
    else:
        notes.lost("text-changed", f"{what} is changed", at, before, after)


def compare_reasoning(notes: Notes, one: Sequence[Part], other: Sequence[Part], whose: str) -> None:
    """Notes shown reasoning that is lost or changed; signatures are compared over the whole way (`signatures`)."""
    before, after = (
        [Text(part.text, part.pointer) for part in parts if isinstance(part, Reasoning) and part.text]
        for parts in (one, other)
    )
    if not before or same_text(before, after):
        return
    here, there = place_of(before), place_of(after, place_of(other))
    if after:
        notes.lost(
            "reasoning-changed", f"the reasoning of {whose} is changed", (here, there), joined(before), joined(after)
        )
    elif notes.expressible("reasoning"):
        notes.lost("reasoning-dropped", f"the reasoning of {whose} is lost", (here, there), joined(before))


def _compare_calls(
    notes: Notes,
    one: Sequence[ToolCall],
    other: Sequence[ToolCall],
    at: tuple[str | None, str | None],
    whose: str,
) -> Pairs:
    pairs, gone, added = matched(one, other)
    for call in gone:
        notes.lost("call-dropped", f"a call of {call.name} in {whose} is lost", (call.pointer, at[1]), shown(call))
    for call in added:
        again = any(call.name == each.name and same(call.arguments, each.arguments) for each in one)
        name, what = ("call-repeated", "is there twice") if again else ("call-unexpected", "is new")
        notes.lost(name, f"a call of {call.name} in {whose} {what}", (at[0], call.pointer), None, shown(call))
    for call, back in pairs:
        at_both = call.pointer, back.pointer
        if call.name != back.name:
            notes.lost("tool-name-changed", f"the call of {call.name} has another name", at_both, call.name, back.name)
        if not same_arguments(call, back) and not _cut_off(notes, call):
            what = f"the arguments of {call.name} in {whose} are changed"
            notes.lost("arguments-changed", what, at_both, _arguments(call), _arguments(back))
    numbers = {id(call): number for number, call in enumerate(other)}
    order = [numbers[id(back)] for _, back in pairs]
    if order != sorted(order):
        before, after = (", ".join(map(shown, calls)) for calls in (one, other))
        notes.lost("call-out-of-order", f"the calls of {whose} are in another order", at, before, after)
    return pairs


def _cut_off(notes: Notes, call: ToolCall) -> bool:
    """Whether the arguments are broken text, for which the other dialect has no form."""
    return isinstance(call.arguments, Malformed) and not notes.expressible("broken-arguments")


def same_arguments(one: ToolCall, other: ToolCall) -> bool:
    """Whether the arguments are the same value; nothing at all is an empty object."""
    before, after = arguments_of(one), arguments_of(other)
    if isinstance(before, Malformed) or isinstance(after, Malformed):
        return isinstance(before, Malformed) and isinstance(after, Malformed) and before.text == after.text
    return same(before, after)


def arguments_of(call: ToolCall) -> Any:
    """The arguments; nothing at all is an empty object, and broken text is kept as it is."""
    empty = call.arguments is None or (isinstance(call.arguments, Malformed) and not call.arguments.text.strip())
    return {} if empty else call.arguments


def _arguments(call: ToolCall) -> str:
    return brief(call.arguments, 160)


def shown(call: ToolCall) -> str:
    """A call as short text."""
    return f"{call.name}({brief(call.arguments, 80)})"


def _order(notes: Notes, one: Sequence[Part], other: Sequence[Part], whose: str) -> None:
    before, after = _kinds(one), _kinds(other)
    if before != after and sorted(before) == sorted(after):
        what = f"the parts of {whose} are in another order"
        notes.lost(
            "part-out-of-order", what, (place_of(one), place_of(other)), ", then ".join(before), ", then ".join(after)
        )


def _kinds(parts: Sequence[Part]) -> list[str]:
    """Texts and calls in their order, adjacent ones of a kind once."""
    kinds: list[str] = []
    for part in parts:
        if isinstance(part, Text) and part.text:
            kind = "text"
        elif isinstance(part, ToolCall) and part.kind != "server":
            kind = "calls"
        else:
            continue
        if kinds[-1:] != [kind]:
            kinds.append(kind)
    return kinds
