"""Compares the upstream's answer with the one that reached the client."""

from __future__ import annotations

from conformance.gateway.errors import compare_failures
from conformance.gateway.ledger import Notes
from conformance.gateway.legs import Answered
from conformance.gateway.parts import compare_said
from conformance.gateway.usage import compare_usage
from conformance.judge.view import View
from conformance.model.transcript import Turn


def compare_replies(notes: Notes, client: View, upstream: Answered, whose: str) -> None:
    """Notes what is lost on the way down."""
    if not compare_failures(notes, client, upstream):
        return
    ours = upstream.view.replies[0] if upstream.view.replies else None
    theirs = client.replies[0]
    if ours is None:
        return
    compare_said(notes, ours.parts, theirs.parts, whose)
    if not _same_stop(client, upstream.view, ours, theirs):
        at = ours.stop_pointer or None, theirs.stop_pointer or None
        what = f"the stop reason of {whose} is changed: {ours.stop} becomes {theirs.stop or 'missing'}"
        notes.lost("stop-reason-changed", what, at, ours.stop_wire, theirs.stop_wire)
    compare_usage(notes, client, upstream.view)


def _same_stop(client: View, upstream: View, ours: Turn, theirs: Turn) -> bool:
    if ours.stop == theirs.stop:
        return True
    choice = client.ask.choice
    named = choice is not None and choice.mode == "named"
    normal = client.dialect.named_choice_stops_normally or upstream.dialect.named_choice_stops_normally
    return named and normal and {ours.stop, theirs.stop} == {"end", "tool-calls"} and bool(theirs.calls)
