"""Compares the tool results of one round on both legs: each must answer its own call, unchanged and once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.gateway.calls import shown
from conformance.gateway.history import Round, place_of
from conformance.gateway.loss import Difference, Differences, Way
from conformance.judge.pairing import Pairs
from conformance.model.jsontext import canonical, parse
from conformance.model.transcript import Malformed, ToolCall, ToolResult
from conformance.reference.results import is_failure

_ENVELOPES = frozenset({"output", "result", "content", "error", "text", "return_value", "response"})
"""The members that clients and gateways put around a result where a dialect asks for an object."""
_DEPTH = 6


def result_differences(way: Way, one: Round, other: Round, pairs: Pairs, whose: str) -> Differences:
    """The results that are lost, doubled, changed, or answer another call. `pairs` are the calls on both legs."""
    before, after = one.answered, other.answered
    partners = {id(call): back for call, back in pairs}
    order: list[int] = []
    for call, result in before:
        back = partners.get(id(call))
        if back is None:
            continue  # the call itself is lost, which is reported
        what = f"the result of '{shown(call)}' after {whose}"
        found = [each for known, each in after if known is back]
        if not found:
            paired = [id(each) for _, each in after]
            stray = [each for each in other.results if id(each) not in paired]
            yield _lost(result, back, stray, place_of(other.results, back.pointer), what)
            continue
        if len(found) > 1:
            yield Difference("result-repeated", f"{what} is there twice", (result.pointer, found[1].pointer))
        order.append([id(each) for each in other.results].index(id(found[0])))
        yield from _changes(way, result, found[0], [each for known, each in before if known is not call], what)
    if order != sorted(order):
        at = place_of(one.results), place_of(other.results)
        yield Difference("result-out-of-order", f"the results after {whose} are in another order", at)


def _lost(
    result: ToolResult, back: ToolCall, stray: Sequence[ToolResult], otherwise: str | None, what: str
) -> Difference:
    """A result that its call does not get; it may be among the `stray` ones, which answer no call."""
    for each in stray:
        if same_result(each.content, result.content):
            named = each.call_id or each.name
            at = result.pointer, each.pointer
            return Difference("result-mismatch", f"{what} names no call that there is", at, back.id or back.name, named)
    return Difference("result-dropped", f"{what} is lost", (result.pointer, otherwise), result.content)


def _changes(way: Way, result: ToolResult, found: ToolResult, others: Sequence[ToolResult], what: str) -> Differences:
    at = result.pointer, found.pointer
    if not same_result(result.content, found.content):
        swapped = any(same_result(each.content, found.content) for each in others)
        name, how = ("result-mismatch", "answers another call") if swapped else ("result-changed", "is changed")
        yield Difference(name, f"{what} {how}", at, result.content, found.content)
    if result.is_error and not found.is_error:
        what, lacking = f"{what} is not marked as an error", way.target.lacking("error-flag")
        yield Difference("error-flag-dropped", what, at, "an error", "a result", lacking)
    elif found.is_error and not result.is_error and not (way.source.lacking("error-flag") and is_failure(result)):
        yield Difference("error-flag-unexpected", f"{what} is marked as an error", at, "a result", "an error")


def same_result(one: Any, other: Any) -> bool:
    """Whether two contents are the same JSON value, text or parts of text, in an envelope or not."""
    forms = list(_forms(other))
    return any(each in forms for each in _forms(one))


def _forms(value: Any, depth: int = _DEPTH) -> Iterator[str]:
    """The value, then what is in it, if it is only a form around that: JSON text, one member, parts of text."""
    yield canonical(value.strip() if isinstance(value, str) else value)
    if depth == 0:
        return
    inner: list[Any] = []
    if isinstance(value, str):
        parsed = parse(value)
        inner = [] if isinstance(parsed, Malformed) else [parsed]
    elif isinstance(value, dict) and len(value) == 1 and not _ENVELOPES.isdisjoint(value):
        inner = list(value.values())
    elif isinstance(value, list) and all(isinstance(each, dict) and _text(each) is not None for each in value):
        inner = ["".join(_text(each) or "" for each in value)]
    elif value is None:
        inner = [""]
    for each in inner:
        yield from _forms(each, depth - 1)


def _text(part: dict[str, Any]) -> str | None:
    """The text of a part of a result, which has little else."""
    text = part.get("text")
    return text if isinstance(text, str) and part.keys() <= {"type", "text", "annotations", "cache_control"} else None
