"""What providers refused, and whether the request shows why: `make refusals`.

Each refusal (a status from 400 to 499) in the recorded traffic is held against the findings about its request. Where
there are none, `tests/data/refusals.yaml` says why nobody can decide it from the request alone. What is about keys,
rates and missing resources is left out. The provider's own words are never shown: its refusal is named by the
statements of `docs/contract` that it is about, or by the reason. The last lines count how many were found, as an
error, and at the place that the refusal names (or in it, or around it), at owners of a format and at other hosts.
"""

from __future__ import annotations

import gc
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from conformance.contract.profile_rows import STATEMENT
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.contracted import contracts_of
from conformance.judge.refused_places import is_named, refused_places
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.registry import claimants
from conformance.profiles.recognition import provider_of
from conformance.report.catalogue.lookup import by_text
from devtools.adjudicate import drawn
from devtools.places import CORPUS, ROOT

FILE = ROOT / "tests" / "data" / "refusals.yaml"
_OTHER = (401, 403, 404, 405, 408, 409, 429)
"""Statuses that are not about the form of a request."""
_WORDS = ("message", "msg", "detail", "raw", "reason", "error")


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refused request. `found` are the findings about it; `reason` says why there can be none.

    `official`: the owner of the format, or a host of its models, refused it. `named` are the places in its words.
    """

    source: str
    status: int
    host: str
    official: bool
    found: tuple[Finding, ...]
    named: frozenset[str]
    reason: str
    text: str = field(repr=False)
    """The provider's words, which are never shown."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The numbers of the statements that the refusal is about, as `conformance explain` finds them."""
        matches = by_text(self.text).matches
        return tuple(dict.fromkeys(each.id for match in matches if match.known for each in match.statements))

    @property
    def verdict(self) -> str:
        return "found" if self.found else "not decidable" if self.reason else "MISSED"

    @property
    def is_error(self) -> bool:
        return any(each.severity is Severity.ERROR for each in self.found)

    @property
    def is_placed(self) -> bool:
        """Whether a finding of severity error is at a place that the refusal names, in it, or around it."""
        errors = [each for each in self.found if each.severity is Severity.ERROR]
        return any(is_named(each, self.named) or _overlaps(each.pointer or "", self.named) for each in errors)


def _overlaps(pointer: str, places: frozenset[str]) -> bool:
    """Whether a place is in, around, or beside one of the places, in an object that is not the whole request."""
    parent = pointer.rpartition("/")[0]
    return any(
        f"{pointer}/".startswith(f"{each}/")
        or f"{each}/".startswith(f"{pointer}/")
        or (parent != "" and each.rpartition("/")[0] == parent)
        for each in places
    )


def judged(files: list[Path], share: int = 1) -> Iterator[tuple[Exchange, list[Finding]]]:
    """Every exchange of the files, or of one conversation of so many and of every refused one, with its findings."""
    checker = Checker()
    for file in files:
        refused = {each.conversation for each in read([file]) if _is_refused(each)} if share > 1 else set()
        for exchange in read([file]):
            if share == 1 or exchange.conversation in refused or drawn(exchange, share):
                yield exchange, checker.feed(exchange)
        checker.forget()  # no other file has a part of a run
        gc.collect()


def contradictions(exchange: Exchange, findings: list[Finding]) -> Iterator[Finding]:
    """Refusals that a profile has, without an end before this exchange, in which the provider accepted the request."""
    if exchange.response.ok:
        yield from (each for each in findings if each.side == "request" and STATEMENT in (each.cite or ""))


def _is_refused(exchange: Exchange) -> bool:
    return 400 <= exchange.response.status < 500 and exchange.response.status not in _OTHER


def refusal_of(exchange: Exchange, findings: list[Finding]) -> Refusal | None:
    """The refusal in an exchange; None if its status is no refusal of what the request has."""
    if not _is_refused(exchange) or not claimants(exchange.request):
        return None
    text = " ".join(_texts(exchange.response.body.json))
    found = tuple(each for each in findings if each.side == "request" and each.severity >= Severity.WARNING)
    why = "" if found else next((reason for words, reason in _undecidable() if words.search(text)), "")
    request, response = exchange.request, exchange.response
    contracts = contracts_of(claimants(request)[0].name)
    owners = contracts.request.official if contracts is not None and contracts.request is not None else ()
    return Refusal(
        Path(exchange.source).name,
        response.status,
        request.host,
        provider_of(request.host) in owners,
        found,
        refused_places(request.body.json, response.body.json),
        why,
        text,
    )


def _texts(value: Any, key: str = "") -> Iterator[str]:
    """The words of an error, wherever a provider puts them."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each, key)
    elif isinstance(value, str) and key in _WORDS:
        yield value


@cache
def _undecidable() -> tuple[tuple[re.Pattern[str], str], ...]:
    entries = yaml.safe_load(FILE.read_text(encoding="utf-8"))["undecidable"]
    return tuple((re.compile(each["words"], re.IGNORECASE), each["reason"]) for each in entries)


def recorded() -> list[Path]:
    """The files of recorded traffic."""
    return sorted(CORPUS.glob("*.jsonl.gz"))


def main() -> int:
    """Prints the table; 1 where a refusal is missed."""
    verdicts: Counter[str] = Counter()
    every = [each for one in judged(recorded()) if (each := refusal_of(*one)) is not None]
    for each in every:
        verdicts[each.verdict] += 1
        reported = "; ".join(f"{one.rule} {one.pointer or ''}".strip() for one in each.found) or each.reason
        sys.stdout.write(
            f"{each.source:<34} {each.status} {each.host:<40.40} {each.verdict:<14} "
            f"{'error' if each.is_error else 'warning' if each.found else '-':<7} "
            f"{'placed' if each.is_placed else '-':<6} "
            f"{', '.join(each.statements) or '-':<20} {reported}\n"
        )
    sys.stdout.write(", ".join(f"{name}: {count}" for name, count in verdicts.most_common()) + "\n")
    for name, official in (("owners and hosts of their models", True), ("other hosts", False)):
        decidable = [each for each in every if each.official is official and each.verdict != "not decidable"]
        named = [each for each in decidable if each.named]
        sys.stdout.write(
            f"{name}: {sum(each.verdict == 'found' for each in decidable)} of {len(decidable)} found, "
            f"{sum(each.is_error for each in decidable)} as an error, "
            f"{sum(each.is_placed for each in named)} of the {len(named)} that name a place at it\n"
        )
    return 1 if verdicts["MISSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
