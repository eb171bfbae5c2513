"""Messages streams: the content of blocks and deltas, ANT-S-005 to ANT-S-008."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.block import is_call, kind_of
from conformance.dialects.anthropic_messages.stream import typed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.values import get


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
        block = data.get("content_block")
        if wire == "content_block_start" and is_call(kind_of(block)) and not get(block, "input"):
            waiting[key] = join(event.pointer, "content_block")
        elif wire == "content_block_delta" and key in waiting and kind_of(data.get("delta")) == "input_json_delta":
            del waiting[key]
            fragment = data["delta"].get("partial_json")
            if isinstance(fragment, str) and fragment:
                at = join(event.pointer, "delta", "partial_json")
                yield Hit(at, "the first fragment of the arguments is not empty", '""', brief(fragment))
        elif wire == "content_block_stop" and key in waiting:
            yield Hit(
                waiting.pop(key), "the call has no input_json_delta", "an input_json_delta", "none", Severity.WARNING
            )
