"""Quirks: documented deviations of one provider from its dialect, as data in `specs/quirks.yaml`.

A quirk lowers the severity of one rule for one provider (and model), with the evidence beside it. The rule
itself stays as strict as the contract for everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from conformance.finding import Severity
from conformance.specs import load_yaml

if TYPE_CHECKING:
    from conformance.view import View


@dataclass(frozen=True, slots=True)
class Quirk:
    """`model` is a regular expression that the model's name must match from its start; empty matches all."""

    rule: str
    provider: str
    model: re.Pattern[str]
    severity: Severity
    evidence: str


@cache
def all_quirks() -> Mapping[str, tuple[Quirk, ...]]:
    """The quirks of each rule."""
    found: dict[str, list[Quirk]] = {}
    for entry in load_yaml("quirks.yaml")["quirks"]:
        quirk = Quirk(
            rule=entry["rule"],
            provider=entry["provider"],
            model=re.compile(entry.get("model") or ""),
            severity=Severity[entry["severity"].upper()],
            evidence=entry["evidence"],
        )
        found.setdefault(quirk.rule, []).append(quirk)
    return {rule: tuple(quirks) for rule, quirks in found.items()}


def quirk_of(rule: str, view: View) -> Quirk | None:
    """The quirk that excuses a finding of the rule in this exchange, if there is one."""
    for quirk in all_quirks().get(rule, ()):
        if quirk.provider == view.provider and quirk.model.match(view.model or ""):
            return quirk
    return None


@dataclass(frozen=True, slots=True)
class ClientQuirk:
    """A habit of the client that a driver drives, in one dialect."""

    rule: str
    driver: str
    dialect: str
    severity: Severity
    evidence: str


@cache
def all_client_quirks() -> tuple[ClientQuirk, ...]:
    """The habits of clients."""
    return tuple(
        ClientQuirk(
            rule=entry["rule"],
            driver=entry["driver"],
            dialect=entry["dialect"],
            severity=Severity[entry["severity"].upper()],
            evidence=entry["evidence"],
        )
        for entry in load_yaml("quirks.yaml")["clients"]
    )
