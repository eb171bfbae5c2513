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
            if view.ok and "only_refused" in each:
                continue
            severity = min(most, Severity.WARNING if view.ok else Severity.ERROR)
            for at, wrong, expected, actual in _broken(each, roles):
                yield Hit(at, f"{provider} {wrong}", expected, actual, severity=severity)


def _broken(entry: Mapping[str, Any], roles: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """The first place where an entry is broken, with what is wrong, what it expects there and what is there."""
    if "some" in entry and entry["some"] not in roles:
        wanted = f"a message with the role {entry['some']}"
        yield "/messages", f"needs {wanted}", wanted, f"only {', '.join(sorted(set(roles)))}"
    if "last" in entry and roles[-1] not in entry["last"]:
        at = join(join("/messages", len(roles) - 1), "role")
        yield at, "does not accept this role at the end", f"{' or '.join(entry['last'])} at the end", roles[-1]
    for number, (before, role) in enumerate(zip((_START, *roles), roles, strict=False)):
        if role == entry.get("role") and before not in entry["after"]:
            at, there = join(join("/messages", number), "role"), _placed([before])
            yield at, f"does not accept this role {there}", f"{role} only {_placed(entry['after'])}", f"{role} {there}"
            return


def _placed(after: Sequence[str]) -> str:
    """`at the start, or after system or user`."""
    others = " or ".join(each for each in after if each != _START)
    places = [*(["at the start"] if _START in after else []), *([f"after {others}"] if others else [])]
    return ", or ".join(places)
