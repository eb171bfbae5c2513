"""Gemini requests: the order of turns in the history. docs/contract/gemini.md, GEM-C."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from conformance.dialects.gemini.wire import generation
from conformance.judge.pairing import pair
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_TYPES = "google-genai 2.34 google/genai/types.py"


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
                yield Hit(
                    result.pointer, f"the call of {call.name} has an id, but its response has none", call.id, "no id"
                )


@rule(
    "gemini-history-call-misplaced",
    scope="request",
    cites=["GEM-C-005", "GEM-Q-020"],
)
def history_call_misplaced(view: View) -> Iterator[Hit]:
    """Up to Gemini 2.5 a turn with calls must follow a user's turn or function responses, and must not come first.

    When a client truncates a history just before a call, every later request gets a 400. Gemini 3 accepts it; a model
    name without a generation gets a warning.
    """
    version = generation(view.model)
    first = next((turn for turn in view.history if turn.role != "system"), None)
    if first is not None and first.calls and (version is None or version < 3):
        where, weight = first.calls[0].pointer, None if version is not None else Severity.WARNING
        yield Hit(
            where, "the history starts with a call", "a user's turn before it", "nothing before it", severity=weight
        )
