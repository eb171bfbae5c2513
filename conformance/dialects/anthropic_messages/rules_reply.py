"""Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.answer import endings
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join


@rule(
    "messages-stop-sequence-mismatch",
    scope="reply",
    cites="ANT-R-009",
)
def stop_sequence_mismatch(view: View) -> Iterator[Hit]:
    """The stop sequence must be present exactly when the reply stopped at one, and must be a requested one.

    Parsers that cut the reply at it do not find it, or cut at the wrong place.
    """
    asked = view.request.get("stop_sequences") if isinstance(view.request, dict) else None
    for ending, at in endings(view):
        reason, sequence = ending.get("stop_reason"), ending.get("stop_sequence")
        where = join(at, "stop_sequence") if "stop_sequence" in ending else at
        if reason == "stop_sequence" and sequence is None:
            yield Hit(where, "the reply stopped at a stop sequence, but stop_sequence is null", "a string", "null")
        elif sequence is not None and reason != "stop_sequence":
            yield Hit(where, "stop_sequence is set, but the stop reason is not stop_sequence", "null", brief(sequence))
        elif isinstance(asked, list) and sequence is not None and sequence not in asked:
            yield Hit(where, "the request does not have this stop sequence", brief(asked), brief(sequence))
