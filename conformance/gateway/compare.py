"""Compares both legs of a run, step by step and as a whole; and the run with and without streaming."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from conformance.gateway.errors import words
from conformance.gateway.ledger import Ledger, Notes
from conformance.gateway.legs import Answered, Run, Step
from conformance.gateway.parts import arguments_of, shown
from conformance.gateway.replies import compare_replies
from conformance.gateway.requests import compare_requests
from conformance.gateway.whole import compare_ids, compare_signatures
from conformance.judge.view import View
from conformance.model.jsontext import canonical
from conformance.model.transcript import Malformed, Reasoning, Turn


def compare_legs(run: Run, upstream_dialect: str) -> Ledger:
    """What is lost in a run. `upstream_dialect` is what the gateway is configured to use."""
    ledger = Ledger()
    notes = partial(_notes, ledger)
    for number, step in enumerate(run.steps):
        if step.client is not None:
            _step(ledger, step, step.client, number, upstream_dialect)
    compare_ids(run.steps, notes)
    compare_signatures(run.steps, notes)
    return ledger


def _notes(ledger: Ledger, client: View, upstream: Answered, direction: Literal["up", "down"]) -> Notes:
    ends = client.dialect.name, upstream.view.dialect.name
    source, target = ends if direction == "up" else ends[::-1]
    return Notes(ledger, direction, client.number, upstream.view.number, source, target)


def _step(ledger: Ledger, step: Step, client: View, number: int, upstream_dialect: str) -> None:
    if not step.upstream:
        alone = Notes(ledger, "up", client.number, None, client.dialect.name, upstream_dialect)
        who = "answers" if client.ok else "refuses"
        alone.lost("request-dropped", f"the gateway {who} the request itself", after=words(client))
        return
    last = step.upstream[-1]
    up = _notes(ledger, client, last, "up")
    _repeated(up, step)
    if last.view.dialect.name != upstream_dialect:
        what = f"the gateway speaks {last.view.dialect.name} to its upstream"
        up.lost("dialect-unexpected", what, (None, None), upstream_dialect, last.view.dialect.name)
    compare_requests(up, client, last.view)
    compare_replies(_notes(ledger, client, last, "down"), client, last, f"answer {number + 1}")


def _repeated(notes: Notes, step: Step) -> None:
    """A request that is sent again after an error is no loss: gateways try again as clients do."""
    good = [each for each in step.upstream[:-1] if each.view.ok and not each.broken]
    if good:
        times = len(step.upstream)
        what = "the gateway sends a request again that the upstream has answered"
        notes.lost("request-repeated", what, before="1 request", after=f"{times} requests")


def compare_modes(sync: Run, stream: Run, ledger: Ledger, before: Ledger) -> None:
    """Notes what the client gets in a stream but not otherwise, if the upstream answered the same in both modes.

    `ledger` is that of the stream, `before` that of the other run. What is already known to be lost on the way down is
    not told again.
    """
    known = {loss.name for each in (ledger, before) for loss in each.losses if loss.direction == "down"}
    for number, (one, other) in enumerate(zip(sync.steps, stream.steps, strict=False)):
        if not (one.client and other.client and one.upstream and other.upstream):
            continue
        ups = [_turn(step.upstream[-1].view) for step in (one, other)]
        ours, theirs = _turn(one.client), _turn(other.client)
        if None in (*ups, ours, theirs) or one.upstream[-1].broken or other.upstream[-1].broken:
            continue  # an error, of which only the status can be compared
        notes = Notes(
            ledger, "down", other.client.number, other.upstream[-1].view.number, "", other.client.dialect.name
        )
        for aspect in ("text", "reasoning", "calls", "stop"):
            same_upstream = _same(ups[0], ups[1], aspect)
            explained = any(name.startswith(_NAMES[aspect]) for name in known)
            if not _same(ours, theirs, aspect) and same_upstream and not explained:
                what = f"answer {number + 1} has another {_WORDS[aspect]} in a stream"
                notes.lost("stream-mismatch", what, before=_shown(ours, aspect), after=_shown(theirs, aspect))


_WORDS = {"text": "text", "reasoning": "reasoning", "calls": "set of calls", "stop": "stop reason"}
_NAMES = {
    "text": ("text-", "error-"),
    "reasoning": ("reasoning-", "error-"),
    "calls": ("call-", "arguments-", "tool-name-", "error-"),
    "stop": ("stop-", "error-"),
}
"""The losses that explain why an aspect differs."""


def _turn(view: View) -> Turn | None:
    return view.replies[0] if view.replies else None


def _same(one: Turn | None, other: Turn | None, aspect: str) -> bool:
    """Whether two turns are the same in an aspect. What is left of a call that is cut off depends on the mode."""
    cut = any(turn is not None and turn.stop == "length" for turn in (one, other))
    if aspect == "calls" and cut and one is not None and other is not None:
        return [call.name for call in one.calls] == [call.name for call in other.calls]
    return bool(_aspect(one, aspect) == _aspect(other, aspect))


def _aspect(turn: Turn | None, aspect: str) -> Any:
    if turn is None:
        return None
    if aspect == "text":
        return turn.text
    if aspect == "reasoning":
        return "".join(part.text or "" for part in turn.parts if isinstance(part, Reasoning))
    if aspect == "calls":
        return [(call.name, _comparable(arguments_of(call))) for call in turn.calls]
    return turn.stop


def _comparable(arguments: Any) -> str:
    """Arguments as a text that is the same for the same values."""
    return arguments.text if isinstance(arguments, Malformed) else canonical(arguments)


def _shown(turn: Turn | None, aspect: str) -> str | None:
    """The aspect as a report shows it."""
    if turn is not None and aspect == "calls":
        return ", ".join(map(shown, turn.calls))
    value = _aspect(turn, aspect)
    return None if value is None else str(value)
