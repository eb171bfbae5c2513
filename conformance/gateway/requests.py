"""Compares a client's request with the one that reached the upstream."""

from __future__ import annotations

from collections import Counter

from conformance.gateway.history import History, joined, place_of, same_text
from conformance.gateway.loss import Difference, Differences, Way
from conformance.gateway.parts import round_differences, text_differences
from conformance.gateway.reading import LegExchange
from conformance.gateway.tools import schema_differences, tool_differences
from conformance.model.transcript import Choice

_LIMITS = ("max tokens", "stop sequences")
"""The settings that end an answer."""


def request_differences(client: LegExchange, upstream: LegExchange) -> Differences:
    """What is lost on the way up."""
    way = Way(client.expressible, upstream.expressible)
    ours, theirs = client.history, upstream.history
    yield from _system(ours, theirs)
    yield from text_differences(ours.opening, theirs.opening, "the first user message")
    for image, (at, kind) in client.media.items():
        there, other = upstream.media.get(image, (None, None))
        if there is None:
            yield Difference("image-dropped", "an image is lost", (at, place_of(theirs.opening)), f"{image[:20]}…")
        elif kind and other and kind != other:
            yield Difference("image-type-changed", "the type of an image is changed", (at, there), kind, other)
    yield from _rounds(way, ours, theirs)
    yield from tool_differences(way, client.ask.tools or (), upstream.ask.tools or ())
    if client.searches and not upstream.searches:
        yield Difference("tool-dropped", "the provider's own search is not enabled any more", before="enabled")
    if client.ask.tools:
        yield from _choice(client.ask.choice, upstream.ask.choice)
    if client.ask.parallel is False and upstream.ask.parallel is not False:
        what, lacking = "parallel calls are not switched off any more", way.target.lacking("parallel-flag")
        yield Difference("parallel-flag-dropped", what, before="off", lacking=lacking)
    yield from _settings(way, client, upstream)
    if client.output is not None and upstream.output is None:
        what = "the schema of the answer is lost"
        yield Difference("output-schema-dropped", what, before=client.output)
    elif client.output is not None:
        yield from schema_differences(client.output, upstream.output, "the schema of the answer")
    if client.ask.stream != upstream.ask.stream:
        before, after = ("a stream" if each.ask.stream else "no stream" for each in (client, upstream))
        yield Difference("stream-flag-changed", f"the client asks for {before}, the gateway for {after}")


def _system(ours: History, theirs: History) -> Differences:
    if same_text(ours.system, theirs.system):
        return
    before, after = joined(ours.system), joined(theirs.system)
    if not after:
        name, what = "system-dropped", "the system prompt is lost"
    elif not before:
        name, what = "system-unexpected", "there is a system prompt that the client did not send"
    else:
        name, what = "system-changed", "the system prompt is changed"
    yield Difference(name, what, (place_of(ours.system), place_of(theirs.system)), before or None, after or None)


def _rounds(way: Way, ours: History, theirs: History) -> Differences:
    one, other = ours.rounds, theirs.rounds
    for number, each in list(enumerate(one, 1))[len(other) :]:
        at = place_of(each.parts, place_of(each.results))
        yield Difference("turn-dropped", f"turn {number} of the model is lost", (at, None))
    for number, each in list(enumerate(other, 1))[len(one) :]:
        at = place_of(each.parts, place_of(each.results))
        yield Difference("turn-unexpected", f"turn {number} of the model is new", (None, at))
    for number, (each, found) in enumerate(zip(one, other, strict=False), 1):
        yield from round_differences(way, each, found, f"turn {number}")
    times = Counter(call.id for call in theirs.calls)
    for call in theirs.calls:
        if call.id and times[call.id] > 1:
            at_calls = place_of(ours.calls), call.pointer
            yield Difference("call-id-duplicate", "several calls have the same id", at_calls, None, call.id)


def _choice(one: Choice | None, other: Choice | None) -> Differences:
    """A tool choice that is lost or changed; none at all is the choice of the model."""
    before, after = ("auto" if each is None else " ".join((each.mode, *each.names)) for each in (one, other))
    if before != after:
        name, how = ("dropped", "lost") if after == "auto" else ("changed", "changed")
        at = one.pointer if one else None, other.pointer if other else None
        yield Difference(f"tool-choice-{name}", f"the tool choice is {how}", at, before, after)


def _settings(way: Way, client: LegExchange, upstream: LegExchange) -> Differences:
    for name, before in client.settings.items():
        after = upstream.settings.get(name)
        if after is None:
            what, lacking = f"{name} is lost", way.target.lacking_setting(name)
            lost = "limit-dropped" if name in _LIMITS else "setting-dropped"
            yield Difference(lost, what, (before.pointer, None), before.value, lacking=lacking)
        elif before.comparable != after.comparable:
            at = before.pointer, after.pointer
            yield Difference("setting-changed", f"{name} is changed", at, before.value, after.value)
    for name, after in upstream.settings.items():
        if name not in client.settings:
            what = f"{name} is set, which the client did not do"
            yield Difference("setting-unexpected", what, (None, after.pointer), None, after.value)
    for name, before in client.switches.items():
        if name not in upstream.switches and name in way.target.switches:
            what = f"the request for {name} is lost"
            yield Difference("setting-dropped", what, (before.pointer, None), before.value)
