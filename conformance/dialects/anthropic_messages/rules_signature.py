"""The signature of thinking: one for each block, in a stream once, after all its thinking."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Reasoning


@rule(
    "messages-thinking-signature-missing",
    scope="reply",
    cites="ANT-C-009",
    severity=Severity.WARNING,
    because="the reply can be read; only a later request is refused",
)
def thinking_signature_missing(view: View) -> Iterator[Hit]:
    """A block of thinking must have a signature that is not empty.

    It must be sent back with the tool results, and the server refuses thinking that it cannot verify.
    """
    for turn in view.replies:
        for part in turn.parts:
            if (
                isinstance(part, Reasoning)
                and part.text
                and part.signature == ""
                and turn.stop not in ("length", "error")
            ):
                yield Hit(part.pointer, "the thinking has an empty signature", "a signature", '""')
