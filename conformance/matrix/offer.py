"""What a server does not offer of a format, by its profile: neither a success nor a fault of a run that needs it.

The requests decide. A run that needs such a thing and gets a good answer shows that the profile is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from conformance.judge.relations.places import places, select
from conformance.judge.run_rules import RunFinding
from conformance.matrix.verdict import Verdict
from conformance.model.exchange import Exchange
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.registry import layers_of
from conformance.profiles.profiles import Profile

STALE = "profile-subset-mismatch"


@dataclass(frozen=True, slots=True)
class _Need:
    """Something that is not offered, and where a request needs it: the number of the exchange, and the place."""

    entry: Mapping[str, Any]
    exchange: int
    pointer: str


def by_offer(verdict: Verdict, exchanges: Sequence[Exchange], profile: Profile) -> Verdict:
    """The verdict of a run, or that it needs what the provider of the profile does not offer.

    If it needs that, and the provider answers as one that offers it, a finding about the profile is added.
    """
    if verdict.cell is None or not profile.not_offered:
        return verdict
    dialect = verdict.cell.dialect
    needs = list(_needs(exchanges, [each for layer in layers_of(dialect) for each in profile.offers_not(layer.name)]))
    if not needs:
        return verdict
    first = needs[0]
    answered = all(200 <= exchanges[each.exchange].response.status < 300 for each in needs)
    exercised = not any(each.rule == "exercise-missing" for each in verdict.findings)
    if answered and exercised and verdict.passed:
        message = f"the server answers what the profile lists as not offered: {first.entry['what']}"
        hit = Hit(first.pointer, message, "a refusal", "a good answer", side="request")
        found = RunFinding(STALE, first.exchange, hit).finding(dialect=dialect, source=verdict.source)
        return replace(verdict, findings=[*verdict.findings, replace(found, traffic=exchanges[first.exchange])])
    words = ", ".join(dict.fromkeys(str(each.entry["what"]) for each in needs))
    return replace(verdict, findings=[], exchanges=0, transcript=(), exercised={}, not_offered=words)


def _needs(exchanges: Sequence[Exchange], entries: Sequence[Mapping[str, Any]]) -> Iterator[_Need]:
    """The first place of each request that needs what one of the entries is about."""
    for number, exchange in enumerate(exchanges):
        for entry in entries:
            if (pointer := _place(entry, exchange)) is not None:
                yield _Need(entry, number, pointer)


def _place(entry: Mapping[str, Any], exchange: Exchange) -> str | None:
    """Where a request needs what an entry is about; None if it does not."""
    if "endpoint" in entry:
        return "" if entry["endpoint"] in exchange.request.path else None
    body = exchange.request.body.json
    return next((at for each in places(entry["at"]) for _, at in select(body, each.steps)), None)
