"""Messages streams: what the blocks and their deltas hold, ANT-S-005 to ANT-S-008."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.block import is_call, is_result, kind_of
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_CALL, _ANSWER = "anthropic-messages/stream-call", "anthropic-messages/stream-answer"
_NONE, _SERVER = "anthropic-messages/stream-no-arguments", "anthropic-messages/stream-server-tool"
_THINKING = "anthropic-messages/stream-thinking-run"
_EVENTS = "/0/response/events"

_PAYLOAD = {
    "text_delta": "text",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "citations_delta": "citation",
}
"""The member in which each delta type carries its increment."""
_DELTAS = {
    "text": ("text_delta", "citations_delta"),
    "thinking": ("thinking_delta", "signature_delta"),
    "redacted_thinking": (),
}
_EMPTY_AT_START = {"text": ("text",), "thinking": ("thinking", "signature")}


def _deltas(view: View) -> Iterator[tuple[Any, Any, str]]:
    """Each delta with the start of the block that was last opened under its index, and its pointer."""
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
    """The delta types that fit a block; None where the block's type is unknown."""
    wire = kind_of(block)
    if is_call(wire):
        return ("input_json_delta",)
    return () if is_result(wire) else _DELTAS.get(wire or "")


@rule(
    "messages-delta-type-mismatch",
    scope="stream",
    basis="observed",
    cites=["ANT-S-005 recorded traffic 3105/3105"],
    bugs=["BerriAI/litellm#29286"],
    conforming=[example(_CALL), example(_THINKING), example(_SERVER)],
    violating=[
        example(
            _CALL,
            put(f"{_EVENTS}/8/data/delta", {"type": "text_delta", "text": "x"}),
            at="0 response event/8/delta/type",
        ),
        example(
            _ANSWER,
            insert(
                f"{_EVENTS}/3",
                {
                    "event": "content_block_delta",
                    "data": {
                        "type": "content_block_delta",
                        "index": 0,
                        "delta": {"type": "input_json_delta", "partial_json": ""},
                    },
                },
            ),
            at="0 response event/3/delta/type",
        ),
        example(_CALL, drop(f"{_EVENTS}/8/data/delta/partial_json")),
        example(_CALL, put(f"{_EVENTS}/8/data/delta/partial_json", {})),
        example(_CALL, drop(f"{_EVENTS}/8/data/delta")),
        example(_ANSWER, put(f"{_EVENTS}/3/data/delta/type", "text")),
    ],
)
def delta_type_mismatch(view: View) -> Iterator[Hit]:
    """Every delta must match the type of its block, and have its increment as a string.

    Clients append by the delta's type: a wrong type raises, or text ends up in arguments.
    """
    for delta, block, at in _deltas(view):
        wire = kind_of(delta)
        if wire is None:
            yield Hit(at, "the delta has no type", "a delta object with a type", brief(delta))
            continue
        allowed = _allowed(block)
        if allowed is not None and wire not in allowed:
            fitting = " or ".join(allowed) or "no delta"
            # A type that nobody knows yet is no fault by itself, but what it carries is lost to every client.
            severity = None if wire in _PAYLOAD or not wire else Severity.WARNING
            yield Hit(join(at, "type"), f"{wire} in a {kind_of(block)} block", fitting, wire, severity=severity)
        key = _PAYLOAD.get(wire)
        if key is None or key == "citation":
            continue
        if key not in delta:
            yield Hit(at, f"the {wire} has no {key}", f"{key}, a string", "no such member")
        elif not isinstance(delta[key], str):
            yield Hit(join(at, key), f"{key} is not a string", "a string", brief(delta[key]))


@rule(
    "messages-block-start-content-unexpected",
    scope="stream",
    basis="observed",
    cites=["ANT-S-006 recorded traffic 21/21"],
    bugs=["BerriAI/litellm#25836", "BerriAI/litellm#25390", "BerriAI/litellm#25561"],
    conforming=[example(_CALL), example(_THINKING), example(_SERVER), example(_NONE)],
    violating=[
        example(_CALL, put(f"{_EVENTS}/6/data/content_block/input", {"latitude": 37.57, "longitude": 126.98})),
        example(_CALL, put(f"{_EVENTS}/6/data/content_block/input", "")),
        example(_CALL, drop(f"{_EVENTS}/6/data/content_block/input")),
        example(_ANSWER, put(f"{_EVENTS}/1/data/content_block/text", "14")),
    ],
)
def block_start_content_unexpected(view: View) -> Iterator[Hit]:
    """A block must start empty: text and thinking as empty strings, the input of a call as an empty object.

    Clients append the deltas to the start: content of the start is duplicated, or the deltas are ignored.
    """
    for wire, data, event in typed(view.events or ()):
        block = data.get("content_block")
        if wire != "content_block_start" or not isinstance(block, dict):
            continue
        at, kind = join(event.pointer, "content_block"), kind_of(block)
        if is_call(kind) and "input" not in block:
            yield Hit(at, "the start of the call has no input", "input {}", "no such member")
        elif is_call(kind) and block["input"] != {}:
            yield Hit(join(at, "input"), "the input at the start of the call is not empty", "{}", brief(block["input"]))
        for key in _EMPTY_AT_START.get(kind or "", ()):
            if isinstance(block.get(key), str) and block[key]:
                yield Hit(join(at, key), f"{key} at the start of the block is not empty", '""', brief(block[key]))


@rule(
    "messages-empty-fragment-missing",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["ANT-S-008 recorded traffic 21/21", "ANT-S-007 getomnico/omni#402"],
    bugs=["BerriAI/litellm#25836", "BerriAI/litellm#25390", "BerriAI/litellm#25561"],
    conforming=[example(_CALL), example(_NONE), example(_SERVER)],
    violating=[
        example(_CALL, drop(f"{_EVENTS}/7"), at="0 response event/7/delta/partial_json"),
        example(_NONE, drop(f"{_EVENTS}/3"), at="0 response event/1/content_block"),
    ],
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
