"""Ids of tool calls that a provider refuses, or that are unique only within one reply."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.profiles import all_profiles
from conformance.judge.rule import rule
from conformance.judge.upstream import asking
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import calls_of

_COUNTER = re.compile(r"[0-9]{1,4}")


@rule(
    "tool-call-id-unsupported", severity=Severity.ERROR, scope="request", cites=["0.4 recorded traffic"], part="turns"
)
def tool_call_id_unsupported(view: View) -> Iterator[Hit]:
    """The ids of calls in the history must have the form that the provider accepts.

    A conversation that moves from one provider to another contains foreign ids: the new provider rejects
    the request with a 400, and every later one.
    """
    for provider, model, most in asking(view):
        profile = all_profiles().get(provider)
        for each in profile.call_ids.get(view.dialect.name, ()) if profile is not None else ():
            if not each.model.match(model or ""):
                continue
            for call in calls_of(view.history):
                if call.id and not each.pattern.fullmatch(call.id):
                    said = f"{provider} rejects this id"
                    yield Hit(call.pointer, said, each.says, call.id, severity=min(each.severity, most))


@rule(
    "tool-call-id-ambiguous",
    severity=Severity.WARNING,
    scope="reply",
    cites=["ANY-129 property of this suite"],
    opt_in=True,
)
def tool_call_id_ambiguous(view: View) -> Iterator[Hit]:
    """The id of a call must not be a mere counter.

    The next reply starts at 0 again: in a longer history a result then matches two calls, and clients that
    store results by id send the model an old one.
    """
    for call in calls_of(view.replies):
        if call.id and _COUNTER.fullmatch(call.id):
            yield Hit(call.pointer, "the id is a small number", "an id that is unique across replies", call.id)
