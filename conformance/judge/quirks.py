"""Quirks: documented deviations of one provider from its dialect, as data in its profile.

A quirk lowers the severity of one rule for one provider (and model, API version, time), with the evidence beside it.
For every other provider the rule stays as strict as the contract. Version and time are what the exchange itself
says, never what the clock says: a quirk that depends on either does not hold where the exchange does not say it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.judge import profiles
from conformance.judge.renames import current
from conformance.model.data_files import load_yaml
from conformance.model.finding import Severity
from conformance.model.registry import version_headers

if TYPE_CHECKING:
    from conformance.judge.view import View


@dataclass(frozen=True, slots=True)
class Quirk:
    """`model` is a regular expression that the model's name must match from its start; empty matches all.

    `message` is one that the finding's message must hold: a habit is seldom all that a rule is about.
    `api_version` is one that the version of the API must match whole; `since` and `until` are the first and the last
    day (UTC) on which an answer shows the quirk. None asks for nothing.
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

    def holds(self, view: View) -> bool:
        """Whether the quirk is known of who answered this exchange, of that version, at that time."""
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
    """The quirks of each rule, of all profiles."""
    return _quirks(profiles.version())


@cache
def _quirks(_: int) -> Mapping[str, tuple[Quirk, ...]]:
    found: dict[str, list[Quirk]] = {}
    for name, profile in profiles.all_profiles().items():
        for entry in profile.quirks:
            quirk = Quirk(
                rule=current(entry["rule"]),
                provider=name,
                model=re.compile(entry.get("model") or ""),
                message=re.compile(entry.get("message") or ""),
                severity=Severity[entry["severity"].upper()],
                evidence=entry["evidence"],
                api_version=re.compile(entry["api_version"]) if "api_version" in entry else None,
                since=entry.get("since"),
                until=entry.get("until"),
            )
            found.setdefault(quirk.rule, []).append(quirk)
    return {rule: tuple(quirks) for rule, quirks in found.items()}


def quirk_of(rule: str, view: View, message: str) -> Quirk | None:
    """The quirk that excuses a finding of the rule in this exchange, if there is one."""
    found = (quirk for quirk in all_quirks().get(rule, ()) if quirk.holds(view) and quirk.message.search(message))
    return next(found, None)


def api_version(view: View) -> str | None:
    """The version of the API that the exchange names: in a header, or in the query as Azure has it."""
    request = view.exchange.request
    named = (request.headers.get(name) for name in version_headers())
    return next((version for version in named if version), None) or request.query.get("api-version")


def answered_on(view: View) -> date | None:
    """The day of the answer: by its `Date` header, or by what its body says when it was made."""
    # Some recorders hold the header twice: the joined value has a comma between two dates.
    header = (view.exchange.response.headers.get("date") or "").partition(" GMT")[0]
    try:
        return parsedate_to_datetime(f"{header} GMT").date()
    except ValueError:
        pass
    bodies = [event.json for event in view.events[:1]] if view.events is not None else [view.response]
    for made in (seconds for body in bodies for seconds in _times(body)):
        try:
            return datetime.fromtimestamp(made, UTC).date()
        except (ValueError, OverflowError, OSError):
            continue
    return None


def _times(body: Any) -> list[float]:
    """The seconds since 1970 in OpenAI's bodies, a zero being none; the events of Responses have them a level down."""
    inner = body.get("response") if isinstance(body, dict) else None
    holders = [each for each in (body, inner) if isinstance(each, dict)]
    found = [holder.get(key) for holder in holders for key in ("created", "created_at")]
    return [each for each in found if isinstance(each, (int, float)) and not isinstance(each, bool) and each > 0]


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
            rule=current(entry["rule"]),
            driver=entry["driver"],
            dialect=entry["dialect"],
            severity=Severity[entry["severity"].upper()],
            evidence=entry["evidence"],
        )
        for entry in load_yaml("client_quirks.yaml")["clients"]
    )
