"""The turns before the last reply: what was sent before is sent again as it was."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import calls_of


@rule("earlier-call-changed", severity=Severity.ERROR, scope="conversation", cites=["ANY-151 property of this suite"])
def earlier_call_changed(view: View) -> Iterator[Hit]:
    """A call of an earlier turn is sent again as the request before sent it: its id, its name, its arguments.

    The cache of the provider is lost from there on, and the model reads that it asked for something else.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier].history
    for now, then in zip(calls_of(view.history[: len(before)]), calls_of(before), strict=False):
        if not same(now.arguments, then.arguments):
            message = f"the earlier call of {then.name} comes back with other arguments"
            yield Hit(now.pointer, message, brief(then.arguments), brief(now.arguments))
        elif now.id != then.id and now.id and then.id:
            yield Hit(now.pointer, f"the earlier call of {then.name} comes back with another id", then.id, now.id)
