"""One turn of the model in two recordings: calls, text and stop reason, in neutral terms."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.diff.call_arguments import compare_arguments
from conformance.diff.notes import Notes
from conformance.judge.pairing import Pairs, matched
from conformance.model.jsontext import brief
from conformance.model.printable import count
from conformance.model.transcript import Ask, Part, Reasoning, Text, ToolCall, ToolResult, Turn, Unknown


def compare_turns(notes: Notes, old: Turn, new: Turn, ask: Ask, *, with_calls: bool = True) -> None:
    """Notes the differences between two turns. `ask` is the new request, whose tools have the schemas of the arguments.

    Without `with_calls`, which calls are made is reported for the whole run, and only the pairs are compared.
    """
    before, after = _calls(old), _calls(new)
    pairs, gone, added = matched(before, after)
    if with_calls:
        _call_set(notes, before, after, gone, added)
        _order(notes, pairs, before, after)
    for one, other in pairs:
        _call(notes, one, other, ask)
    for one, other in zip(
        before, after, strict=False
    ):  # a signature belongs to a position: only the first call has one
        _seal(notes, one.signature, other.signature, (one.pointer, other.pointer), "a call", tool_turn=True)
    if with_calls:
        _texts(notes, old, new)
        _stop(notes, old, new)
        _others(notes, old, new)
    _reasoning(notes, old, new)
    if old.id is not None or new.id is not None:
        notes.identifier("response", old.id, new.id, "response id", at=(old.pointer, new.pointer))


def _calls(turn: Turn) -> list[ToolCall]:
    return [part for part in turn.parts if isinstance(part, ToolCall)]


def _shown(call: ToolCall) -> str:
    return f"{call.name}({brief(call.arguments, 60)})"


def _call_set(
    notes: Notes,
    before: Sequence[ToolCall],
    after: Sequence[ToolCall],
    gone: Sequence[ToolCall],
    added: Sequence[ToolCall],
) -> None:
    counts = {"old": count(len(before), "call"), "new": str(len(after))}
    for call in gone:
        notes.fact("call-gone", "response", call.pointer, None, what=_shown(call), **counts)
    for call in added:
        notes.fact("call-new", "response", None, call.pointer, what=_shown(call), **counts)


def _order(notes: Notes, pairs: Pairs, before: Sequence[ToolCall], after: Sequence[ToolCall]) -> None:
    place = {id(call): number for number, call in enumerate(after)}
    order = [place[id(other)] for _, other in pairs]
    if order != sorted(order):
        were, are = (", ".join(map(_shown, calls)) for calls in (before, after))
        notes.fact("call-order", "response", before[0].pointer, after[0].pointer, old=were, new=are)


def _call(notes: Notes, old: ToolCall, new: ToolCall, ask: Ask) -> None:
    at = old.pointer, new.pointer
    if old.name != new.name:
        notes.fact("tool-name", "response", *at, old=old.name, new=new.name)
    if old.kind != new.kind:
        notes.fact("call-kind", "response", *at, what=new.name, old=old.kind, new=new.kind)
    notes.identifier("response", old.id, new.id, "call id", at=at)
    compare_arguments(notes, old, new, ask.tool(old.name, old.namespace))


def _seal(notes: Notes, old: str | None, new: str | None, at: tuple[str, str], what: str, *, tool_turn: bool) -> None:
    if bool(old) != bool(new):
        word = "gone" if old else "new"
        if tool_turn:
            notes.fact(f"signature-{word}", "response", *at, what=what)
        else:
            notes.fact("answer-signature", "response", *at, what=f"is {word}")
    elif old != new:
        notes.fact("signature-value", "response", *at, what=what)


def _texts(notes: Notes, old: Turn, new: Turn) -> None:
    one, other = old.text.strip(), new.text.strip()
    at = _first(old, Text), _first(new, Text)
    if bool(one) == bool(other):
        if old.text != new.text:
            notes.fact("text-wording", "response", *at)
        return
    word = "gone" if one else "new"
    notes.fact(f"text-{word}" if _calls(old) or _calls(new) else f"answer-{word}", "response", *at)


def _reasoning(notes: Notes, old: Turn, new: Turn) -> None:
    before, after = (
        [part for part in turn.parts if isinstance(part, Reasoning) and (part.text or not _texts_before(turn, part))]
        for turn in (old, new)
    )
    seals = [[part for part in turn.parts if isinstance(part, Reasoning)] for turn in (old, new)]
    at = _first(old, Reasoning), _first(new, Reasoning)
    tool_turn = bool(_calls(old)) and bool(_calls(new))
    if bool(before) != bool(after):
        word = "gone" if before else "new"
        sealed = any(part.signature for part in before or after)
        row = f"sealed-reasoning-{word}" if sealed and tool_turn else f"reasoning-{word}"
        notes.fact(row, "response", *at)
        return
    if [part.text for part in before] != [part.text for part in after]:
        notes.fact("reasoning-wording", "response", *at)
    one, other = (" ".join(part.signature for part in parts if part.signature) or None for parts in seals)
    _seal(notes, one, other, (at[0] or "", at[1] or ""), "reasoning", tool_turn=tool_turn)


def _texts_before(turn: Turn, part: Reasoning) -> bool:
    """Whether a part without text is only the signature of the text before it."""
    number = next(number for number, each in enumerate(turn.parts) if each is part)
    return part.text is None and number > 0 and isinstance(turn.parts[number - 1], Text)


def _others(notes: Notes, old: Turn, new: Turn) -> None:
    """Parts that the dialect does not know or that the provider's own tools left, and the order of all kinds."""
    at = old.pointer, new.pointer
    one, other = (
        sorted(_kind(part) for part in turn.parts if isinstance(part, (Unknown, ToolResult))) for turn in (old, new)
    )
    if one != other:
        notes.fact("part-kind", "response", *at, old=", ".join(one) or "none", new=", ".join(other) or "none")
        return
    before, after = kinds_in_order(old), kinds_in_order(new)
    if before != after and sorted(before) == sorted(after):
        notes.fact("part-order", "response", *at, old=", then ".join(before), new=", then ".join(after))


def _kind(part: Part) -> str:
    if isinstance(part, Unknown):
        return part.kind or "unknown"
    names = {Text: "text", Reasoning: "reasoning", ToolCall: "calls", ToolResult: "results"}
    return names[type(part)]


def kinds_in_order(turn: Turn) -> list[str]:
    """The kinds of the parts in their order, adjacent parts of one kind once, without signatures of other parts."""
    kinds: list[str] = []
    for part in turn.parts:
        bare = isinstance(part, Reasoning) and not part.text
        if not bare and kinds[-1:] != [_kind(part)]:
            kinds.append(_kind(part))
    return kinds


def kinds_of(turn: Turn) -> set[str]:
    """Which kinds of parts a turn has."""
    return set(kinds_in_order(turn))


def _stop(notes: Notes, old: Turn, new: Turn) -> None:
    """The wire's own word decides; where it is the same, the comparison of the calls reports what else differs."""
    if old.stop_wire != new.stop_wire or (old.stop != new.stop and kinds_in_order(old) == kinds_in_order(new)):
        one, other = (
            turn.stop_wire
            if isinstance(turn.stop_wire, str)
            else ("missing" if turn.stop_wire is None else turn.stop_wire)
            for turn in (old, new)
        )
        if one == other:
            one, other = old.stop, new.stop
        notes.fact("stop-reason", "response", old.stop_pointer or None, new.stop_pointer or None, old=one, new=other)


def _first(turn: Turn, kind: type) -> str | None:
    return next((part.pointer for part in turn.parts if isinstance(part, kind)), turn.pointer or None)
