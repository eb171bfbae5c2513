"""Whether a scenario was edited after its cassettes were recorded, by what is on the wire now and was not then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from conformance.cassette.load import Cassette
from conformance.judge.run_rules import RunFinding
from conformance.judge.view import View
from conformance.matrix.cells import Cell
from conformance.model.exchange import Exchange, Request
from conformance.model.finding import Hit, Side
from conformance.model.jsontext import brief, texts
from conformance.model.kept import Kept
from conformance.model.transcript import Text, ToolCall
from conformance.reference.address import Address
from conformance.reference.answering import Scenarios
from conformance.reference.placing import place
from conformance.reference.stored import remember
from conformance.scenario.model import Scenario


def outdated(cell: Cell, cassette: Cassette, pairs: Sequence[tuple[Request, Exchange]]) -> Iterator[RunFinding]:
    """One finding, for the first exchange that is not what the scenario states; the pairs are requests now and then."""
    scripted = cassette.metadata.get("provenance") == "reference" and not cassette.metadata.get("behaviours")
    kept = Kept()
    for number, (live, then) in enumerate(pairs):
        new = _asked(cell.scenario, live, then)
        if new is not None:
            yield _finding(number, "request", new)
            return
        new = _answered(cell.scenario, then, kept) if scripted else None
        if new is not None:
            yield _finding(number, "response", new)
            return


def _finding(number: int, side: Side, new: str) -> RunFinding:
    words = "request" if side == "request" else "reply"
    message = f"the scenario is newer than its cassettes: {new} is not in the recorded {words}"
    fix = "record it again with `conformance record`"
    return RunFinding("cassette-scenario-mismatch", number, Hit(None, message, side=side, fix=fix))


def _asked(scenario: Scenario, live: Request, then: Exchange) -> str | None:
    """A text of the scenario that the request has now, and had not."""
    now, before = ("\n".join(texts(each.body.json)) for each in (live, then.request))
    return next((brief(text) for text in scenario.stated if text in now and text not in before), None)


def _answered(scenario: Scenario, then: Exchange, kept: Kept) -> str | None:
    """What the script of the scenario answers now to the recorded request, and the recorded reply has not.

    A later request may continue what is `kept` of this one.
    """
    source = Scenarios({scenario.id: scenario})
    found = place(Address(then.request, scenario=scenario.id), source, kept=kept)
    if found.script is None or found.lacking is not None or not then.response.ok:
        return None
    made = source.answer(found, None)
    if found.dialect is not None:
        remember(kept, found.dialect, found.whole.body.json, made.rendered)
    if not 200 <= made.status < 300:
        return None
    dialect = found.views[-1].dialect
    now, before = (
        list(_parts(View(Exchange(then.request, response), dialect)))
        for response in (made.delivery.response, then.response)
    )
    return next((new for new, old in zip_longest(now, before) if new is not None and new != old), None)


def _parts(view: View) -> Iterator[str]:
    """The texts and the calls of a reply."""
    for part in (part for turn in view.replies for part in turn.parts):
        if isinstance(part, ToolCall):
            yield f"the call {part.name}({brief(part.arguments)})"
        elif isinstance(part, Text):
            yield brief(part.text)
