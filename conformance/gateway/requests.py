"""Compares a client's request with the one that reached the upstream."""

from __future__ import annotations

from typing import Any

from conformance.gateway.ledger import Notes, crossing_of
from conformance.gateway.parts import compare_said, compare_texts
from conformance.gateway.results import compare_results
from conformance.gateway.rounds import History, history_of, joined, place_of, same_text
from conformance.gateway.tools import compare_tools
from conformance.judge.view import View
from conformance.model.jsontext import same
from conformance.model.pointer import MISSING, get
from conformance.model.transcript import Choice


def compare_requests(notes: Notes, client: View, upstream: View) -> None:
    """Notes what is lost on the way up."""
    ours, theirs = history_of(client), history_of(upstream)
    _system(notes, ours, theirs)
    compare_texts(notes, ours.opening, theirs.opening, "the first user message")
    _rounds(notes, ours, theirs)
    compare_tools(notes, client.ask.tools or (), upstream.ask.tools or ())
    if client.ask.tools:
        _choice(notes, client.ask.choice, upstream.ask.choice)
    if client.ask.parallel is False and upstream.ask.parallel is not False and notes.expressible("parallel-flag"):
        notes.lost("parallel-flag-dropped", "parallel calls are not switched off any more", before="off")
    _settings(notes, client, upstream)
    if client.ask.stream != upstream.ask.stream:
        before, after = ("a stream" if view.ask.stream else "no stream" for view in (client, upstream))
        notes.lost("stream-flag-changed", f"the client asks for {before}, the gateway for {after}")


def _system(notes: Notes, ours: History, theirs: History) -> None:
    if same_text(ours.system, theirs.system):
        return
    before, after = joined(ours.system), joined(theirs.system)
    at = place_of(ours.system), place_of(theirs.system)
    if not after:
        notes.lost("system-dropped", "the system prompt is lost", at, before)
    elif not before:
        notes.lost("system-unexpected", "there is a system prompt that the client did not send", at, None, after)
    else:
        notes.lost("system-changed", "the system prompt is changed", at, before, after)


def _rounds(notes: Notes, ours: History, theirs: History) -> None:
    one, other = ours.rounds, theirs.rounds
    for number, each in list(enumerate(one, 1))[len(other) :]:
        at = place_of(each.said, place_of(each.results))
        notes.lost("turn-dropped", f"turn {number} of the model is lost", (at, None))
    for number, each in list(enumerate(other, 1))[len(one) :]:
        at = place_of(each.said, place_of(each.results))
        notes.lost("turn-unexpected", f"turn {number} of the model is new", (None, at))
    for number, (each, found) in enumerate(zip(one, other, strict=False), 1):
        whose = f"turn {number}"
        pairs = compare_said(notes, each.said, found.said, whose)
        compare_results(notes, each, found, pairs, whose)
        compare_texts(
            notes,
            each.texts,
            found.texts,
            f"the user's text after {whose}",
            (place_of(each.results), place_of(found.results)),
        )
    ids = [call.id for call in theirs.calls if call.id]
    for call in theirs.calls:
        if call.id and ids.count(call.id) > 1:
            what = "several calls have the same id"
            notes.lost("call-id-duplicate", what, (place_of(ours.calls), call.pointer), None, call.id)


def _choice(notes: Notes, one: Choice | None, other: Choice | None) -> None:
    before, after = _said(one), _said(other)
    if before == after:
        return
    at = one.pointer if one else None, other.pointer if other else None
    if other is None or after == "auto":
        notes.lost("tool-choice-dropped", "the tool choice is lost", at, before, after)
    else:
        notes.lost("tool-choice-changed", "the tool choice is changed", at, before, after)


def _said(choice: Choice | None) -> str:
    """A tool choice in words; none at all is the choice of the model."""
    if choice is None:
        return "auto"
    return " ".join((choice.mode, *choice.names))


def _settings(notes: Notes, client: View, upstream: View) -> None:
    mine, theirs = crossing_of(notes.source), crossing_of(notes.target)
    for name, places in mine.settings.items():
        before, here = _value(client.request, places)
        if before is MISSING or before is None:
            continue
        if name not in theirs.settings:
            notes.ledger.not_expressible[notes.target, name] = f"requests have no field for {name}"
            continue
        after, there = _value(upstream.request, theirs.settings[name])
        if after is MISSING or after is None:
            notes.lost("setting-dropped", f"{name} is lost", (here, None), before)
        elif not same(_listed(before), _listed(after)):
            notes.lost("setting-changed", f"{name} is changed", (here, there), before, after)
    for name, places in theirs.settings.items():
        after, there = _value(upstream.request, places)
        if after is not MISSING and _value(client.request, mine.settings.get(name, ()))[0] is MISSING:
            what = f"{name} is set, which the client did not do"
            notes.lost("setting-unexpected", what, (None, there), None, after)
    for name, places in mine.switches.items():
        before, here = _value(client.request, places)
        after, _ = _value(upstream.request, theirs.switches.get(name, ()))
        if before not in (MISSING, None) and after in (MISSING, None) and name in theirs.switches:
            notes.lost("setting-dropped", f"the request for {name} is lost", (here, None), before)


def _value(body: Any, places: tuple[str, ...]) -> tuple[Any, str | None]:
    """The first value that is set, with its place."""
    for place in places:
        value = get(body, place)
        if value is not MISSING and value is not None:
            return value, place
    return MISSING, None


def _listed(value: Any) -> Any:
    """A stop sequence alone is the same as a list with it."""
    return [value] if isinstance(value, str) else value
