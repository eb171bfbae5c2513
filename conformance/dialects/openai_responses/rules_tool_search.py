"""Tool search that the client runs: its calls need outputs like any other call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import input_by_type, input_of
from conformance.dialects.openai_responses.items import type_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import canonical


@rule(
    "responses-tool-search-unanswered",
    scope="conversation",
    cites="OAR-C-001",
    severity=Severity.WARNING,
    because="the statement is shown for calls of functions; no refusal of a search without an output is known",
)
def tool_search_unanswered(view: View) -> Iterator[Hit]:
    """Every tool search that the client runs must have one output with its `call_id`.

    Without it, the model continues without the tools that it searched for.
    """
    calls = input_by_type(view, "tool_search_call")
    if not calls:
        return
    given = (item.get("call_id") for item, _ in input_of(view) if (type_of(item) or "").endswith("_output"))
    outputs = Counter(map(canonical, given))
    for _, (item, at) in calls:
        if item.get("execution") != "client":
            continue
        call = canonical(item.get("call_id"))
        outputs[call] -= 1
        if outputs[call] < 0:
            yield Hit(at, "the tool search has no output", "a tool_search_output", item.get("call_id"))
