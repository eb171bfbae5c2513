"""Compares one turn of the model on both legs, and what follows it: text, reasoning, calls, results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from conformance.gateway.calls import call_differences
from conformance.gateway.history import Round, joined, place_of, same_text
from conformance.gateway.loss import Difference, Differences, Places, Way
from conformance.gateway.results import result_differences
from conformance.judge.pairing import matched
from conformance.model.transcript import Part, Reasoning, Text, ToolCall, ToolResult

_SEARCH = "web_search"
"""The name of the provider's own search in the dialects that have a part for it."""


def round_differences(way: Way, one: Round, other: Round, whose: str) -> Differences:
    """What is lost of a turn of the model, and of the results and texts that follow. `whose` names it in messages."""
    calls = matched(one.calls, other.calls)
    at = place_of(one.parts), place_of(other.parts)
    texts, arrived = (
        [each for each in parts if isinstance(each, Text) and each.text] for parts in (one.parts, other.parts)
    )
    yield from text_differences(texts, arrived, f"the text of {whose}", at)
    yield from _reasoning_differences(way, one.parts, other.parts, whose)
    yield from _server_differences(way, one.parts, other.parts, whose)
    yield from call_differences(way, one, other, calls, whose)
    yield from _order_differences(way, one.parts, other.parts, whose)
    yield from result_differences(way, one, other, calls[0], whose)
    at = place_of(one.results), place_of(other.results)
    yield from text_differences(one.texts, other.texts, f"the user's text after {whose}", at)


def text_differences(one: Sequence[Text], other: Sequence[Text], what: str, at: Places = (None, None)) -> Differences:
    """A text that is lost, changed, doubled or added."""
    if same_text(one, other):
        return
    before, after = joined(one), joined(other)
    if not after:
        name, how = "text-dropped", "is lost"
    elif not before:
        name, how = "text-unexpected", "is new"
    elif after.replace("\n", "") == before.replace("\n", "") * 2:
        name, how = "text-repeated", "is there twice"
    else:
        name, how = "text-changed", "is changed"
    at = place_of(one, at[0]), place_of(other, at[1])
    yield Difference(name, f"{what} {how}", at, before or None, after or None)


def _reasoning_differences(way: Way, one: Sequence[Part], other: Sequence[Part], whose: str) -> Differences:
    """Shown reasoning that is lost or changed; signatures are compared over the whole run (`signatures`)."""
    before, after = (
        [Text(part.text, part.pointer) for part in parts if isinstance(part, Reasoning) and part.text]
        for parts in (one, other)
    )
    if not before or same_text(before, after):
        return
    at = place_of(before), place_of(after, place_of(other))
    if after:
        yield Difference("reasoning-changed", f"the reasoning of {whose} is changed", at, joined(before), joined(after))
    else:
        what, lacking = f"the reasoning of {whose} is lost", way.target.lacking("reasoning")
        yield Difference("reasoning-dropped", what, at, joined(before), lacking=lacking)


def _server_differences(way: Way, one: Sequence[Part], other: Sequence[Part], whose: str) -> Differences:
    """Calls of the provider's own tools, and their results, that are lost."""
    called = [each.name for each in one if isinstance(each, ToolCall) and each.kind == "server"]
    for kind, name in ((ToolCall, "call"), (ToolResult, "result")):
        sent, got = (
            [each for each in parts if isinstance(each, kind) and each.kind == "server"] for parts in (one, other)
        )
        for each in sent[len(got) :]:
            what = f"a {name} of the provider's own tool in {whose} is lost"
            narrower = ["server-search"] * (_SEARCH in called) + ["server-results"] * (kind is ToolResult)
            lacking = way.target.lacking("server-tools", *narrower)
            yield Difference("server-tool-dropped", what, (each.pointer, place_of(other)), each.name, lacking=lacking)


def _order_differences(way: Way, one: Sequence[Part], other: Sequence[Part], whose: str) -> Differences:
    unordered = way.target.lacking("part-order")
    before, after = _kinds(one), _kinds(other)
    if unordered or (not way.source.lacking("part-order") and before != after and sorted(before) == sorted(after)):
        what = f"the parts of {whose} are in another order"
        at = place_of(one), place_of(other)
        yield Difference("part-out-of-order", what, at, ", then ".join(before), ", then ".join(after), unordered)


def _kinds(parts: Sequence[Part]) -> list[str]:
    """Texts and calls in their order, adjacent ones of a kind once."""
    kinds: list[str] = []
    for part in parts:
        if isinstance(part, Text) and part.text:
            kinds.append("text")
        elif isinstance(part, ToolCall) and part.kind != "server":
            kinds.append("calls")
    return [kind for kind, _ in groupby(kinds)]
