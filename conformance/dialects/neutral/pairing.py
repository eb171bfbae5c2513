"""Pairs of calls and results: every call has one result, every result has a call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.pairing import pair
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief


@rule(
    "tool-call-unanswered",
    scope="request",
    cites=["ANY-141", "MAP-010", "LCB-C-001"],
    part="turns",
    about="earlier-calls",
)
def tool_call_unanswered(view: View) -> Iterator[Hit]:
    """Every tool call in the history must have its result in the next turn.

    Providers reject the request with a 400 if one call has no result, so the conversation is stuck. If a
    dialect's providers are known to accept a turn of only text after the calls, that is a warning.
    """
    for _, following, pairing in view.answered:
        if following is None and not view.dialect.answers_last_call:
            continue
        answers = following.results if following else ()
        accepted = not answers and view.dialect.accepts_unanswered_calls
        for call in (each for each in pairing.unanswered if not each.later):
            yield Hit(
                call.pointer,
                f"tool call {call.id or '(no id)'} ({call.title}) has no result",
                "a tool result in the next turn",
                f"results for {brief([each.call_id or each.name for each in answers])}"
                if following
                else "the history ends",
                severity=Severity.WARNING if accepted else None,
            )


@rule(
    "tool-result-orphaned",
    scope="request",
    cites="ANY-142",
    part="turns",
    about="earlier-calls",
)
def tool_result_orphaned(view: View) -> Iterator[Hit]:
    """Every tool result must answer a call of the turn before it.

    Providers reject a result without a call with a 400, or assign it to another call.
    """
    history = view.history
    later: set[str | None] = set()
    for number, turn in enumerate(history):
        later |= {call.id for call in turn.calls if call.later}
        if not turn.results or (number == 0 and view.partial):  # the calls are only on the server
            continue
        calls = history[number - 1].calls if number else ()
        for result in pair(calls, turn.results).orphans:
            if result.call_id in later:
                continue
            named = result.call_id or result.name
            of = f" for {named}" if named else ""
            yield Hit(
                result.pointer,
                f"tool result{of} answers no call of the previous turn",
                f"one of {brief([call.id or call.name for call in calls])}"
                if calls
                else "a turn with tool calls before it",
                named,
            )


@rule(
    "tool-result-out-of-order",
    scope="request",
    cites="ANY-144",
    part="turns",
    about="earlier-calls",
)
def tool_result_out_of_order(view: View) -> Iterator[Hit]:
    """Tool results should be in the order of their calls.

    Servers that match by position, and chat templates that drop ids, assign each result to the wrong call.
    """
    if view.dialect.alternates_calls:
        return
    for turn, _, pairing in view.answered:
        places = {id(call): number for number, call in enumerate(turn.calls)}
        furthest = -1
        for call, result in pairing.pairs:
            place = places[id(call)]
            if place < furthest:
                yield Hit(
                    result.pointer,
                    f"the result of {call.id or call.name} comes after that of a later call",
                    f"result {place} of the turn",
                    "a later place",
                )
                break
            furthest = place
