"""Quirks: documented deviations of one provider from its dialect, as data in its profile.

A quirk lowers the severity of one rule for one provider (and model, API version, time), with its evidence; a `stricter`
one raises it, where the provider enforces what others only recommend. For every other provider the rule stays as strict
as the contract. Version and time are read from the exchange itself,
never from the clock: a quirk that depends on one of them does not apply if the exchange does not contain it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from conformance.judge.dates import read_date
from conformance.model.data_files import load_yaml
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.model.registry import version_headers
from conformance.profiles import profiles
from conformance.profiles.profiles import day_of

if TYPE_CHECKING:
    from conformance.judge.view import View


@dataclass(frozen=True, slots=True)
class Quirk:
    """`model` is a regular expression that the model's name must match from its start; empty matches all.

    `message` is one that must be found in the finding's message: a quirk seldom covers everything that a rule checks.
    `api_version` is one that must match the whole version of the API; `since` and `until` are the first and the last
    day (UTC) on which an answer shows the quirk. None restricts nothing.
    """

    rule: str
    provider: str
    model: re.Pattern[str]
    message: re.Pattern[str]
    severity: Severity
    evidence: str
    api_version: re.Pattern[str] | None = None
    since: date | None = None
    until: date | None = None
    stricter: bool = False

    def of(self, severity: Severity, view: View) -> Severity:
        """The severity of a finding of that severity: of a stricter one only a warning if the provider accepted it."""
        if self.stricter:
            return max(severity, min(self.severity, Severity.WARNING) if view.ok else self.severity)
        return min(severity, self.severity)

    def holds(self, view: View) -> bool:
        """Whether the quirk applies to the provider, version and time of this exchange."""
        if self.provider != view.provider or not self.model.match(view.model or ""):
            return False
        if self.api_version is not None:
            version = api_version(view)
            if version is None or not self.api_version.fullmatch(version):
                return False
        if self.since is None and self.until is None:
            return True
        day = answered_on(view)
        return day is not None and (self.since or date.min) <= day <= (self.until or date.max)


def all_quirks() -> Mapping[str, tuple[Quirk, ...]]:
    """The quirks of all profiles, by rule."""
    found: dict[str, list[Quirk]] = {}
    for name in profiles.all_profiles():
        for quirk in quirks_of(name, profiles.version()):
            found.setdefault(quirk.rule, []).append(quirk)
    return {rule: tuple(quirks) for rule, quirks in found.items()}


@lru_cache(maxsize=64)
def quirks_of(provider: str, _: int) -> tuple[Quirk, ...]:
    """The quirks of one profile; the number is `profiles.version()`."""
    return tuple(
        Quirk(
            rule=entry["rule"],
            provider=provider,
            model=re.compile(entry.get("model") or ""),
            message=re.compile(entry.get("message") or ""),
            severity=Severity[entry["severity"].upper()],
            evidence=entry["evidence"],
            api_version=re.compile(entry["api_version"]) if "api_version" in entry else None,
            since=day_of(entry.get("since")),
            until=day_of(entry.get("until")),
            stricter=entry.get("stricter", False),
        )
        for entry in profiles.all_profiles()[provider].quirks
    )


def quirk_of(rule: str, view: View, message: str) -> Quirk | None:
    """The quirk that a finding of the rule in this exchange shows, if there is one."""
    known = profiles.all_profiles()
    found = quirks_of(view.provider, profiles.version()) if view.provider in known else ()
    return next(
        (each for each in found if each.rule == rule and each.holds(view) and each.message.search(message)), None
    )


def api_version(view: View) -> str | None:
    """The version of the API that the exchange names: in a header, or in the query as Azure has it."""
    request = view.exchange.request
    named = (request.headers.get(name) for name in version_headers())
    return next((version for version in named if version), None) or request.query.get("api-version")


def answered_on(view: View) -> date | None:
    """The day of the answer: from its `Date` header, or from the creation time in its body."""
    answered = read_date(view.exchange.response.headers.get("date") or "")
    if answered is not None:
        return answered.date()
    bodies = [event.json for event in view.events[:1]] if view.events is not None else [view.response]
    for made in (seconds for body in bodies for seconds in _times(body)):
        try:
            return datetime.fromtimestamp(made, UTC).date()
        except (ValueError, OverflowError, OSError):
            continue
    return None


def _times(body: Any) -> list[float]:
    """The seconds since 1970 in OpenAI's bodies, where zero means none; events of Responses have them in a member."""
    inner = body.get("response") if isinstance(body, dict) else None
    holders = [each for each in (body, inner) if isinstance(each, dict)]
    found = [holder.get(key) for holder in holders for key in ("created", "created_at")]
    return [each for each in found if isinstance(each, (int, float)) and not isinstance(each, bool) and each > 0]


@dataclass(frozen=True, slots=True)
class ClientQuirk:
    """A quirk of a driver's client, in one dialect: findings of a rule whose message the pattern is found in."""

    rule: str
    driver: str
    dialect: str
    message: re.Pattern[str]
    severity: Severity
    evidence: str


@cache
def all_client_quirks() -> tuple[ClientQuirk, ...]:
    """The quirks of clients."""
    return tuple(
        ClientQuirk(
            rule=entry["rule"],
            driver=entry["driver"],
            dialect=entry["dialect"],
            message=re.compile(entry.get("message", "")),
            severity=Severity[entry["severity"].upper()],
            evidence=entry["evidence"],
        )
        for entry in load_yaml("client_quirks.yaml")["clients"]
    )
