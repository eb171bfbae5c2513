"""Messages streams: the content of blocks and deltas, ANT-S-005 to ANT-S-008."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.block import is_call, is_result, kind_of
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_KNOWN = frozenset({"text_delta", "input_json_delta", "thinking_delta", "signature_delta", "citations_delta"})
_DELTAS = {
    "text": ("text_delta", "citations_delta"),
    "thinking": ("thinking_delta", "signature_delta"),
    "redacted_thinking": (),
}


def _deltas(view: View) -> Iterator[tuple[Any, Any, str]]:
    """Each delta with its pointer, and the start of the latest block with its index."""
    blocks: dict[Any, Any] = {}
    for wire, data, event in typed(view.events or ()):
        index = data.get("index")
        key = index if isinstance(index, (int, str)) else None
        if wire == "content_block_start":
            blocks[key] = data.get("content_block")
        elif wire == "content_block_delta":
            at = join(event.pointer, "delta") if "delta" in data else event.pointer
            yield data.get("delta"), blocks.get(key), at


def _allowed(block: Any) -> tuple[str, ...] | None:
    """The delta types that fit a block; None if the block's type is unknown."""
    wire = kind_of(block)
    if is_call(wire):
        return ("input_json_delta",)
    return () if is_result(wire) else _DELTAS.get(wire or "")


@rule(
    "messages-delta-type-mismatch",
    scope="stream",
    cites="ANT-S-005",
)
def delta_type_mismatch(view: View) -> Iterator[Hit]:
    """Every delta must fit the type of its block.

    Clients append by the delta's type: a wrong type raises, or text ends up in arguments.
    """
    for delta, block, at in _deltas(view):
        wire = kind_of(delta)
        allowed = _allowed(block)
        if wire is not None and allowed is not None and wire not in allowed:
            fitting = " or ".join(allowed) or "no delta"
            # An unknown type is not a fault by itself, but every client loses its content.
            severity = None if wire in _KNOWN or not wire else Severity.WARNING
            yield Hit(join(at, "type"), f"{wire} in a {kind_of(block)} block", fitting, wire, severity=severity)


@rule(
    "messages-empty-fragment-missing",
    scope="stream",
    cites=["ANT-S-008", "ANT-S-007"],
    because="the text still joins to the same input, as ANT-S-007 demands",
)
def empty_fragment_missing(view: View) -> Iterator[Hit]:
    """The argument text of every call must begin with an empty fragment, even for a call without arguments.

    Clients that open a call at its first fragment miss a call without fragments.
    """
    waiting: dict[Any, str] = {}
    for wire, data, event in typed(view.events or ()):
        index = data.get("index")
        key = index if isinstance(index, (int, str)) else None
        if wire == "content_block_start" and is_call(kind_of(data.get("content_block"))):
            waiting[key] = join(event.pointer, "content_block")
        elif wire == "content_block_delta" and key in waiting and kind_of(data.get("delta")) == "input_json_delta":
            del waiting[key]
            fragment = data["delta"].get("partial_json")
            if isinstance(fragment, str) and fragment:
                at = join(event.pointer, "delta", "partial_json")
                yield Hit(at, "the first fragment of the arguments is not empty", '""', brief(fragment))
        elif wire == "content_block_stop" and key in waiting:
            yield Hit(waiting.pop(key), "the call has no input_json_delta", "an input_json_delta", "none")
