"""How a reply ends, against the calls that it holds (docs/contract/gemini.md, GEM-R-004 and GEM-R-013)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.reply import reason_name
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.printable import count

_ABOUT_CALLS = ("UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
"""The server's finish reasons for calls that must not run."""


@rule(
    "gemini-finish-reason-mismatch",
    scope="reply",
    cites="GEM-R-004",
)
def finish_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with calls must end with STOP, unless it is truncated or the server marks the calls as invalid.

    Clients run the calls of a turn that ended with STOP, and treat any other finish reason as a failure.
    """
    for turn in view.replies:
        name = reason_name(turn.stop_wire)
        if turn.calls and turn.stop in ("error", "other", "pause") and name and name not in _ABOUT_CALLS:
            message = f"the reply has {count(len(turn.calls), 'call')}, but does not end with STOP"
            yield Hit(turn.stop_pointer, message, "STOP", brief(turn.stop_wire))
