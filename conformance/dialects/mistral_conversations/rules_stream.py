"""Whole streams: the outputs. docs/contract/mistral-conversations.md, MIC-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.values import get


@rule("conversations-output-mismatch", scope="stream", cites="MIC-S-006")
def output_mismatch(view: View) -> Iterator[Hit]:
    """All events of an output must have its `output_index` and its id, its model or agent, and a call its name.

    Clients add the pieces of two outputs to one.
    """
    known: dict[object, dict[str, object]] = {}
    for event in view.events or ():
        number = get(event.json, "output_index")
        if not isinstance(number, int):
            continue
        before = known.setdefault(number, event.json)
        for key in ("id", "tool_call_id", "name", "model", "agent_id"):
            first, this = before.get(key), event.json.get(key)
            if first is not None and this is not None and first != this:
                severity = Severity.ERROR if key == "tool_call_id" else None  # which one is answered?
                message = f"`{key}` differs within output {number}"
                yield Hit(join(event.pointer, key), message, brief(first), brief(this), severity)
                break
