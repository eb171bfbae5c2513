"""Ids of tool calls that a provider refuses."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.providers import providers_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import calls_of
from conformance.profiles.profiles import all_profiles


@rule(
    "tool-call-id-unsupported",
    scope="request",
    cites="0.4",
    severity=Severity.ERROR,
    because="it finds only forms that the provider is known to refuse",
    part="turns",
    about="earlier-calls",
)
def tool_call_id_unsupported(view: View) -> Iterator[Hit]:
    """The ids of calls in the history must have the form that the provider accepts.

    A conversation that moves from one provider to another contains foreign ids: the new provider rejects
    the request with a 400, and every later one.
    """
    for provider, model, most in providers_of(view):
        profile = all_profiles().get(provider)
        for each in profile.call_ids.get(view.dialect.name, ()) if profile is not None else ():
            if not each.model.match(model or ""):
                continue
            for call in calls_of(view.history):
                if call.id and not each.pattern.fullmatch(call.id):
                    message = f"{provider} rejects this id"
                    yield Hit(call.pointer, message, each.expected, call.id, severity=min(each.severity, most))
