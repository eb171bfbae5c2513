"""Reasoning items, in replies and sent back, docs/contract/openai-responses.md, OAR-C and OAR-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import Placed, input_by_type, input_of, made_by, output_of
from conformance.dialects.openai_responses.items import CALLS, side, type_of
from conformance.judge.official import is_official, refused_here
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


@rule(
    "responses-call-reasoning-missing",
    scope="conversation",
    cites="OAR-C-004",
)
def call_reasoning_missing(view: View) -> Iterator[Hit]:
    """A call or a message that is sent back with its item id must have the reasoning of its response before it.

    The server matches them by id, and refuses the item alone with a 400. Clients that keep only known items drop the
    reasoning, or put another item between it and its message.
    """
    if view.ask.partial or not any(_has_reasoning(earlier) for earlier in view.earlier):
        return
    items = input_of(view)
    for number, (item, at) in input_by_type(view, *CALLS, "message"):
        item_id = item.get("id")
        if not isinstance(item_id, str):
            continue
        called = type_of(item) != "message"
        thought = _thought_before(made_by(view, item_id) or [], item_id, directly=not called)
        near = items[:number] if called else items[max(0, number - 1) : number]
        if thought and not any(_repeats(other, thought) for other, _ in near):
            what = "call is missing" if called else "message is missing, or elsewhere"
            accepted = None if called else refused_here(view)  # OpenAI took some messages alone, in recordings of 2026
            wanted = f"reasoning item {thought[-1]}"
            yield Hit(at, f"the reasoning item before this {what}", wanted, "no such item", accepted)


@rule(
    "responses-reasoning-orphaned",
    scope="request",
    cites=["OAR-C-005", "OAR-C-008"],
)
def reasoning_orphaned(view: View) -> Iterator[Hit]:
    """A reasoning item that is sent back must be followed by the item that it led to.

    The server returns a 400 for reasoning alone, which remains if a run is interrupted or a call is cut from the
    history. It also refused a message without its id after stored reasoning with an id.
    """
    items = input_of(view)
    stored = isinstance(view.request, dict) and view.request.get("store") is not False
    for number, (item, at) in input_by_type(view, "reasoning"):
        if not item.get("id"):
            continue
        following = items[number + 1][0] if number + 1 < len(items) else None
        if following is None or side(following) != "assistant":
            yield Hit(
                at,
                "no item of the model follows this reasoning item",
                "the call or the message that it led to",
                type_of(following) or "an item without a type" if following else "the end of the input",
            )
        elif stored and type_of(following) == "message" and not following.get("id"):
            yield Hit(
                items[number + 1][1],
                "the message after a stored reasoning item has no id",
                "the message item as received",
                "no id",
                severity=refused_here(view) if is_official(view) else Severity.WARNING,
            )


def _has_reasoning(view: View) -> bool:
    """Whether the reply has a reasoning item."""
    if _has_reasoning not in view.found:
        view.found[_has_reasoning] = any(type_of(item) == "reasoning" for item, _ in output_of(view))
    found: bool = view.found[_has_reasoning]
    return found


def _thought_before(output: list[Placed], item_id: str, *, directly: bool) -> list[str]:
    """The ids of the reasoning items before an item of a reply; `directly`: with nothing else in between."""
    found: list[str] = []
    for item, _ in output:
        if item.get("id") == item_id:
            return found
        if type_of(item) == "reasoning" and isinstance(item.get("id"), str):
            found.append(item["id"])
        elif directly:
            found.clear()
    return []


def _repeats(item: dict[str, object], thoughts: list[str]) -> bool:
    """Whether the item is one of those reasoning items, also without its id, or a reference to one."""
    if type_of(item) == "item_reference":
        return item.get("id") in thoughts
    return type_of(item) == "reasoning" and (item.get("id") in thoughts or not item.get("id"))
