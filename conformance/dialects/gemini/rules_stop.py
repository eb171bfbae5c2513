"""How a reply ends, against the calls that it holds (docs/contract/gemini.md, GEM-R-004 and GEM-R-013)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.chunks import chunks
from conformance.dialects.gemini.reply import reason_name
from conformance.dialects.gemini.wire import at, candidates, get
from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_REASON = "/0/response/body/candidates/0/finishReason"

_MESSAGE = "/0/response/body/candidates/0/finishMessage"
_ANNOUNCED = "Model generated function call"

_ABOUT_CALLS = ("UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
"""The server's finish reasons for calls that must not run."""


@rule(
    "gemini-finish-reason-mismatch",
    scope="reply",
    basis="observed",
    cites=["GEM-R-004 recorded traffic 400/405"],
    conforming=[
        example("gemini/call"),
        example("gemini/stream-call"),
        example("gemini/call", put(_REASON, 1)),
        example("gemini/call", put(_REASON, "MAX_TOKENS")),
        example("gemini/call", put(_REASON, "SAFETY")),
        example("gemini/call", put(_REASON, "UNEXPECTED_TOOL_CALL")),
        example("gemini/answer", put(_REASON, "OTHER")),
    ],
    violating=[
        example("gemini/call", put(_REASON, "OTHER")),
        example("gemini/call", put(_REASON, "MALFORMED_FUNCTION_CALL")),
        example("gemini/call", put(_REASON, 0)),
        example(
            "gemini/stream-call",
            put("/0/response/events/2/data/candidates/0/finishReason", "FINISH_REASON_UNSPECIFIED"),
        ),
    ],
)
def finish_reason_mismatch(view: View) -> Iterator[Hit]:
    """A reply with calls must end with STOP, unless it is truncated or the server marks the calls as invalid.

    Clients run the calls of a turn that ended with STOP, and treat any other finish reason as a failure.
    """
    for turn in view.replies:
        name = reason_name(turn.stop_wire)
        if turn.calls and turn.stop in ("error", "other", "pause") and name and name not in _ABOUT_CALLS:
            message = f"the reply has {len(turn.calls)} call(s), but does not end with STOP"
            yield Hit(turn.stop_pointer, message, "STOP", brief(turn.stop_wire))


@rule(
    "gemini-announced-call-missing",
    scope="reply",
    basis="observed",
    cites=["GEM-R-013 recorded traffic 247/247"],
    conforming=[
        example("gemini/call", put(_MESSAGE, "Model generated function call(s).")),
        example("gemini/answer", put(_MESSAGE, "The reply was checked.")),
    ],
    violating=[
        example("gemini/answer", put(_MESSAGE, "Model generated function call(s).")),
    ],
)
def announced_call_missing(view: View) -> Iterator[Hit]:
    """A reply whose `finishMessage` announces function calls must hold at least one.

    The call was lost on its way: the client takes the rest for the final answer, and no tool runs.
    """
    for body, pointer in chunks(view):
        for candidate, where in candidates(body, pointer):
            told = get(candidate, "finishMessage")
            if not isinstance(told, str) or not told.startswith(_ANNOUNCED) or any(turn.calls for turn in view.replies):
                continue
            message = "the finish message announces a function call, but the reply has none"
            yield Hit(at(candidate, "finishMessage", where), message, "a functionCall part", brief(told))
