"""Texts that Responses streams send in pieces, docs/contract/openai-responses.md, OAR-S: equal in every event."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from conformance.dialects.openai_responses.items import CALLS
from conformance.dialects.openai_responses.lifecycle import DELTAS, Life, Piece, final_value, lives, pieces
from conformance.dialects.openai_responses.stream import TERMINAL, field_of, final_response, kind_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.values import list_of


def _ended(view: View) -> bool:
    """Whether the stream is complete; what is missing in a truncated one proves nothing."""
    return any(kind_of(event) in TERMINAL for event in view.events or ())


@rule(
    "responses-deltas-mismatch",
    scope="stream",
    cites=["OAR-S-009", "OAR-S-012"],
)
def deltas_mismatch(view: View) -> Iterator[Hit]:
    """The joined deltas, the `done` event and the finished item must have the same text.

    Some clients join the deltas, others read the end: they run different calls, or show different answers.
    """
    for life in lives(view).items:
        found = list(pieces(life))
        for piece in found:
            fault = _disagreement(life, piece)
            if fault is not None:
                yield fault
        key = CALLS.get(life.kind or "")
        if key and not found and life.done_item.get(key) and not life.item.get(key):
            yield Hit(life.added.pointer, "the item's content was not sent in deltas", "deltas and done", "none")


_HOLDERS = {
    "response.output_text": ("response.content_part", "content_index"),
    "response.reasoning_summary_text": ("response.reasoning_summary_part", "summary_index"),
}
"""The events with the part of a text, and the field that numbers the part."""


def _disagreement(life: Life, piece: Piece) -> Hit | None:
    """The first place after the deltas that differs from them."""
    joined = "".join(piece.deltas)
    later: list[tuple[Any, str]] = []
    if piece.done is not None:
        later.append((piece.whole, join(piece.done.pointer, DELTAS[piece.what])))
    for event in life.events:
        holder, index = _HOLDERS.get(piece.what, ("", ""))
        part = field_of(event, "part")
        if not holder or repr(field_of(event, index)) != repr(piece.part) or not isinstance(part, dict):
            continue
        if kind_of(event) == f"{holder}.done":
            later.append((part.get("text"), join(event.pointer, "part", "text")))
        elif kind_of(event) == f"{holder}.added" and part.get("text") and piece.deltas:
            begun = brief(part["text"])
            return Hit(
                join(event.pointer, "part", "text"),
                "the added part already has content that its deltas repeat",
                '""',
                begun,
            )
    final = final_value(life, piece)
    if final is not None:
        later.append(final)
    for value, at in later:
        if isinstance(value, str) and value != joined:
            return Hit(at, "the text differs from the joined deltas", brief(joined), brief(value))
    if final is None and life.done is not None and piece.what == "response.output_text" and joined:
        at = join(life.done.pointer, "item")
        return Hit(at, "the finished item lacks a part that was streamed", brief(joined), "nothing")
    return None


@rule(
    "responses-final-output-mismatch",
    scope="stream",
    cites=["OAR-S-011", "OAR-S-010"],
)
def final_output_mismatch(view: View) -> Iterator[Hit]:
    """The output of the last event must be the items that were done, in their order.

    The SDK's final response has this output, but clients act on the done items. Only the `encrypted_content` of
    reasoning and the `fingerprint` of a program may differ, because they are made again.
    """
    final = final_response(view.events or ())
    if final is None or not isinstance(final[0].get("output"), list):
        return
    output, at = final[0]["output"], join(final[1], "output")
    added = lives(view).items
    if len(output) != len(added):
        if final[0].get("status") == "completed":
            yield Hit(at, "not as many items as were added", str(len(added)), str(len(output)))
        return
    for number, (life, item) in enumerate(zip(sorted(added, key=_place), output, strict=True)):
        place = join(at, number)
        if not isinstance(item, dict) or life.done is None:
            continue
        before = life.done_item.get("id")
        if item.get("id") != before:
            yield Hit(place, "a different item was done at this place", brief(before), brief(item.get("id")))
            return
        for key in sorted({*item, *life.done_item} - {"encrypted_content", "fingerprint"}):
            if not jsontext.same(item.get(key), life.done_item.get(key)):
                where = join(place, key) if key in item else place
                was = brief(life.done_item.get(key))
                yield Hit(where, f"`{key}` differs from the finished item", was, brief(item.get(key)))
                break


def _place(life: Life) -> int:
    return life.index if isinstance(life.index, int) else 0


@rule(
    "responses-part-out-of-order",
    scope="stream",
    cites=["OAR-S-012", "OAR-S-009"],
)
def part_out_of_order(view: View) -> Iterator[Hit]:
    """A part must be added, extended by deltas, finished with its whole text, and done, once and in this order.

    For a call's arguments: deltas, then done. Clients open and close parts by these events.
    """
    if not _ended(view):
        return
    elsewhere = [
        field_of(stray.event, "output_index")
        for stray in lives(view).strays
        if (_step(kind_of(stray.event) or "") or ("", ""))[0] == "content"
    ]
    for life in lives(view).items:
        yield from _parts(life, elsewhere)


_ARGUMENTS = ("response.function_call_arguments", "response.custom_tool_call_input")


def _step(kind: str) -> tuple[str, str] | None:
    """The kind of part that an event belongs to, and its step."""
    what, _, step = kind.rpartition(".")
    if what == "response.content_part":
        return "content", step
    if what in ("response.output_text", "response.refusal") and step in ("delta", "done"):
        return "content", "delta" if step == "delta" else "text done"
    if what == "response.reasoning_summary_part":
        return "summary", step
    if what == "response.reasoning_summary_text" and step in ("delta", "done"):
        return "summary", "delta" if step == "delta" else "text done"
    if what in _ARGUMENTS and step in ("delta", "done"):
        return "arguments", step
    return None


def _parts(life: Life, elsewhere: Collection[Any]) -> Iterator[Hit]:
    """Walks the parts of one item through their steps; a fault is reported once for each part.

    `elsewhere` are the places of items whose parts have another id, which another rule reports.
    """
    steps: dict[tuple[str, str], str] = {}
    broken: set[tuple[str, str]] = set()
    for event in life.events:
        found = _step(kind_of(event) or "")
        if found is None or (life.kind == "reasoning" and found[0] == "content"):
            continue  # servers send the content of reasoning in different ways
        family, step = found
        part = (family, repr(field_of(event, "summary_index" if family == "summary" else "content_index")))
        before = steps.get(part, "added" if family == "arguments" else "nothing")
        steps[part] = step
        if part not in broken and not _follows(family, before, step):
            broken.add(part)
            order = f"the part begins with `{step}`" if before == "nothing" else f"`{step}` after `{before}`"
            yield Hit(event.pointer, order, _wanted(family, before), kind_of(event))
    if life.done is None:
        return
    for part, step in steps.items():
        if step != "done" and part not in broken:
            yield Hit(life.done.pointer, f"a part of the item is not done: its last step is `{step}`", "done", step)
    if life.kind == "message":
        shown = sum(1 for family, _ in steps if family == "content")
        content = list_of(life.done_item.get("content"))
        if content and not shown and life.index not in elsewhere:
            yield Hit(life.done.pointer, "the message's parts were not sent in events", f"{len(content)} parts", "none")


def _follows(family: str, before: str, step: str) -> bool:
    if step == "delta":
        return before in ("added", "delta")
    if step == "added":
        return before == "nothing"
    if step == "text done":
        return before in ("added", "delta")
    return before in (("added", "delta") if family == "arguments" else ("text done",))


def _wanted(family: str, before: str) -> str:
    if family == "arguments":
        return "delta or done" if before != "done" else "nothing more"
    return {"nothing": "added", "added": "delta", "delta": "delta or text done", "text done": "done"}.get(
        before, "nothing more"
    )
