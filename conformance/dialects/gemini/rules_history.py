"""Gemini requests: the order of turns in the history. docs/contract/gemini.md, GEM-C."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from conformance.judge.pairing import pair
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


@rule(
    "gemini-result-id-missing",
    scope="request",
    cites="GEM-C-004",
    part="turns",
)
def result_id_missing(view: View) -> Iterator[Hit]:
    """A call with an id must be answered by a function response with that id.

    With two calls of one function, only the id tells the responses apart.
    """
    for turn, following in pairwise(view.history):
        for call, result in pair(turn.calls, following.results).pairs:
            if call.id and not result.call_id:
                severity = Severity.WARNING if len(turn.calls) == 1 else None
                message = f"the call of {call.name} has an id, but its response has none"
                yield Hit(result.pointer, message, call.id, "no id", severity=severity)
