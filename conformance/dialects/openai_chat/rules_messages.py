"""The order of messages that single providers accept, as their profiles have it: OAC-Q-045."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.judge.providers import providers_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join
from conformance.profiles.profiles import all_profiles

_START = "start"
"""What stands before the first message, in `after`."""


@rule("chat-message-role-out-of-order", scope="request", cites="OAC-Q-045")
def message_role_out_of_order(view: View) -> Iterator[Hit]:
    """The roles of messages must come in an order that the provider accepts.

    Templates of models have a place for each message of some orders only: the provider refuses all others.
    """
    listed = view.request.get("messages") if isinstance(view.request, dict) else None
    if not isinstance(listed, list):
        return
    roles = [str(each.get("role")) for each in listed if isinstance(each, dict)]
    if not roles or len(roles) < len(listed):
        return
    for provider, _, most in providers_of(view):
        profile = all_profiles().get(provider)
        for each in profile.messages.get(view.dialect.name, ()) if profile is not None else ():
            severity = min(most, Severity.WARNING if view.ok else Severity.ERROR)
            for at, expected, actual in _broken(each, roles):
                message = f"{provider} does not accept a message of this role here"
                yield Hit(at, message, expected, actual, severity=severity)


def _broken(entry: Mapping[str, Any], roles: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The first place where an entry is broken, with what it expects there and what is there."""
    if "some" in entry and entry["some"] not in roles:
        yield "/messages", f"a message with the role `{entry['some']}`", f"only {', '.join(sorted(set(roles)))}"
    if "last" in entry and roles[-1] not in entry["last"]:
        yield join("/messages", len(roles) - 1) + "/role", f"{' or '.join(entry['last'])} at the end", roles[-1]
    for number, (before, role) in enumerate(zip((_START, *roles), roles, strict=False)):
        if role == entry.get("role") and before not in entry["after"]:
            there = f"{role} after {before}" if number else f"{role} at the start"
            yield join("/messages", number) + "/role", f"{role} only after {' or '.join(entry['after'])}", there
            return
