"""Compares the tool results of one round on both legs: each must answer its own call, unchanged and once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.gateway.ledger import Notes
from conformance.gateway.parts import Pairs, shown
from conformance.gateway.rounds import Round, place_of
from conformance.judge.pairing import pair
from conformance.model import jsontext
from conformance.model.transcript import Malformed, ToolResult
from conformance.reference.results import is_failure

_ENVELOPES = frozenset({"output", "result", "content", "error", "text", "return_value", "response"})
"""The members that clients and gateways put around a result where a dialect asks for an object."""
_DEPTH = 6


def compare_results(notes: Notes, one: Round, other: Round, pairs: Pairs, whose: str) -> None:
    """Notes the results that are lost, doubled, changed, or answer another call. `pairs` are the calls on both legs."""
    before = pair(one.calls, one.results).pairs
    after = pair(other.calls, other.results).pairs
    partner = {id(call): back for call, back in pairs}
    order: list[int] = []
    for call, result in before:
        back = partner.get(id(call))
        if back is None:
            continue  # the call itself is lost, which says it all
        found = [each for known, each in after if known is back]
        what = f"the result of {shown(call)} after {whose}"
        stray = [each for each in other.results if not any(each is known for _, known in after)]
        stray = [each for each in stray if same_result(each.content, result.content)]
        if not found and stray:
            named = stray[0].call_id or stray[0].name
            at = result.pointer, stray[0].pointer
            notes.lost("result-mismatch", f"{what} names no call that there is", at, back.id or back.name, named)
            continue
        if not found:
            notes.lost(
                "result-dropped",
                f"{what} is lost",
                (result.pointer, place_of(other.results, back.pointer)),
                result.content,
            )
            continue
        if len(found) > 1:
            notes.lost("result-repeated", f"{what} is there twice", (result.pointer, found[1].pointer))
        order.append(next(number for number, each in enumerate(other.results) if each is found[0]))
        _compare(notes, result, found[0], [each for known, each in before if known is not call], what)
    if order != sorted(order):
        notes.lost(
            "result-out-of-order",
            f"the results after {whose} are in another order",
            (place_of(one.results), place_of(other.results)),
        )


def _compare(notes: Notes, result: ToolResult, found: ToolResult, others: Sequence[ToolResult], what: str) -> None:
    at = result.pointer, found.pointer
    if not same_result(result.content, found.content):
        swapped = any(same_result(each.content, found.content) for each in others)
        name, how = ("result-mismatch", "answers another call") if swapped else ("result-changed", "is changed")
        notes.lost(name, f"{what} {how}", at, result.content, found.content)
    if result.is_error and not found.is_error:
        if notes.expressible("error-flag"):
            notes.lost("error-flag-dropped", f"{what} is not marked as an error", at, "an error", "a result")
    elif found.is_error and not result.is_error and (notes.told_by("error-flag") or not is_failure(result)):
        notes.lost("error-flag-unexpected", f"{what} is marked as an error", at, "a result", "an error")


def same_result(one: Any, other: Any) -> bool:
    """Whether two contents say the same: as the same JSON value, text or parts of text, in an envelope or not."""
    forms = list(_forms(other))
    return any(_same(each, form) for each in _forms(one) for form in forms)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    return jsontext.same(one, other)


def _forms(value: Any, depth: int = _DEPTH) -> Iterator[Any]:
    """The value, then what is in it, if it is only a form around that: JSON text, one member, parts of text."""
    yield value
    if depth == 0:
        return
    inner: list[Any] = []
    if isinstance(value, str):
        parsed = jsontext.parse(value)
        inner = [] if isinstance(parsed, Malformed) else [parsed]
    elif isinstance(value, dict) and len(value) == 1 and not _ENVELOPES.isdisjoint(value):
        inner = list(value.values())
    elif (
        isinstance(value, list) and value and all(isinstance(each, dict) and _text(each) is not None for each in value)
    ):
        inner = ["".join(_text(each) or "" for each in value)]
    elif (isinstance(value, list) and not value) or value is None:
        inner = [""]
    for each in inner:
        yield from _forms(each, depth - 1)


def _text(part: dict[str, Any]) -> str | None:
    """The text of a part of a result, which has little else."""
    text = part.get("text")
    return text if isinstance(text, str) and part.keys() <= {"type", "text", "annotations", "cache_control"} else None
