"""The kind of a call matches the kind of its tool: custom or function."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import calls_of

_KINDS = ("function", "custom")


@rule(
    "tool-call-kind-mismatch",
    scope="reply",
    cites="ANY-002",
    opt_in=True,
    about="calls",
)
def tool_call_kind_mismatch(view: View) -> Iterator[Hit]:
    """A custom tool must be called by a custom call, and a function by a function call.

    A client looks for JSON arguments where the tool takes free text, or the other way round, and cannot run the call.
    """
    for call in calls_of(view.replies):
        declared = [tool.kind for tool in view.ask.tools or () if tool.name == call.name]
        if declared and call.kind in _KINDS and call.kind not in declared and set(declared) <= set(_KINDS):
            yield Hit(
                call.pointer,
                f"{call.name} is declared as a {declared[0]} tool, but called by a {call.kind} call",
                f"a {declared[0]} call",
                f"a {call.kind} call",
            )
