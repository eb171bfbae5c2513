"""The whole corpus of real recordings against the decisions of docs/adjudication/corpus.yaml, both ways.

`python -m devtools.adjudicate` renews the counts and the tables; a new firing then waits there for its verdict.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from conformance.judge.contracted import contracts_of
from conformance.judge.quirks import all_quirks
from conformance.judge.rule import all_rules
from conformance.judge.summary import Summary
from conformance.model.registry import all_dialects
from devtools import adjudicate
from devtools.adjudicate import Firing, Judged, Unclaimed
from tests.apart import apart
from tests.sampling import amount

SHARE = amount(1, 4, risk="a rule that is silent where it fired, or fires anew in few conversations")
"""One conversation of so many is judged; a count of a sample is at most that of all."""
Key = TypeVar("Key", bound=Hashable)
RENEW = "run `python -m devtools.adjudicate`, then judge what is new in docs/adjudication/corpus.yaml"
RECORDED = re.compile(r"\d recorded|recorded on|\d of \d|(streams|requests|replies) of \d")
"""Evidence that counts recordings; what is known from elsewhere names its source."""
OFFICIAL = {
    "openai-chat": ("openai", "azure-openai"),
    "openai-responses": ("openai", "azure-openai"),
    "anthropic-messages": ("anthropic", "vertex", "bedrock"),
    "gemini": ("google", "vertex"),
}
"""Who serves a dialect as its owner, or hosts the owner's models."""


def counted(now: Mapping[Key, int], known: Mapping[Key, int]) -> Mapping[Key, int]:
    """What is known, as far as it can be compared with what was counted: of a sample the counts that are not above."""
    assert now
    return known if SHARE == 1 else {key: min(count, known.get(key, 0)) for key, count in now.items()}


@pytest.fixture(scope="module")
def truth() -> Mapping[str, Any]:
    return adjudicate.load()


@pytest.fixture(scope="module")
def judged(corpus: Path) -> Judged:
    assert list(corpus.glob("*.jsonl.gz"))
    return apart(adjudicate.judge, share=SHARE)


def test_every_exchange_is_read_and_no_rule_fails(judged: Judged, truth: Mapping[str, Any]) -> None:
    assert judged.summary.harness_errors == []
    assert dict(judged.exchanges) == counted(judged.exchanges, truth["exchanges"])


def test_a_dialect_claims_what_it_claimed(judged: Judged, truth: Mapping[str, Any]) -> None:
    known = {(each["file"], each["dialect"]): each["count"] for each in truth["claimed"]}
    assert dict(judged.claimed) == counted(judged.claimed, known)


def test_what_no_dialect_claims_is_another_wire_grammar(judged: Judged, truth: Mapping[str, Any]) -> None:
    known = {Unclaimed(each["file"], each["grammar"]): each["count"] for each in truth["unclaimed"]}
    assert dict(judged.unclaimed) == counted(judged.unclaimed, known)
    assert [each for each in known if each.grammar.startswith("/")] == []


def test_every_firing_is_adjudicated_with_its_count(judged: Judged, truth: Mapping[str, Any]) -> None:
    now = dict(judged.firings)
    decided = {firing: line["count"] for firing, line in adjudicate.decided(truth).items()}
    known = counted(now, decided)
    new = {firing: count for firing, count in now.items() if firing not in decided}
    silent = {firing: count for firing, count in known.items() if firing not in now}
    changed = {firing: (known[firing], now[firing]) for firing in known.keys() & now if known[firing] != now[firing]}
    assert (new, silent, changed) == ({}, {}, {}), RENEW


def test_infos_are_counted(judged: Judged, truth: Mapping[str, Any]) -> None:
    known = {(each["file"], each["dialect"], each["rule"]): each["count"] for each in truth["infos"]}
    assert dict(judged.infos) == counted(judged.infos, known), RENEW


def test_every_line_has_a_verdict_and_its_evidence(truth: Mapping[str, Any]) -> None:
    lines = adjudicate.decided(truth)
    assert len(lines) == len(truth["findings"])
    assert [each for each, line in lines.items() if line["verdict"] not in adjudicate.VERDICTS] == [], RENEW
    assert [each for each, line in lines.items() if len(line["evidence"]) < len("as above")] == [], RENEW


def test_every_line_names_a_rule_that_exists(truth: Mapping[str, Any]) -> None:
    assert {each.rule for each in adjudicate.decided(truth)} - all_rules().keys() == set()


def test_a_verdict_of_quirk_is_one_that_the_data_lowered(judged: Judged, truth: Mapping[str, Any]) -> None:
    said = {firing for firing, line in adjudicate.decided(truth).items() if line["verdict"] == "quirk"}
    wholly = {firing for firing, count in judged.lowered.items() if count == judged.firings[firing]}
    assert (said if SHARE == 1 else said & judged.firings.keys()) == wholly
    assert set(judged.lowered) == wholly, "a line holds findings with and without a quirk"


def recorded_deviations() -> Iterator[tuple[str, str]]:
    """The rules and providers of the deviations of contracts that rest on recordings."""
    for contracts in filter(None, map(contracts_of, all_dialects())):
        for contract in contracts.every:
            eased = [each for each in contract.rows_of_providers if each.kinds and RECORDED.search(each.evidence)]
            for each in eased:
                rules = {
                    entry.rule for entry in contract.entries() if entry.path == each.path and entry.kind in each.kinds
                }
                yield from ((rule, who) for rule in rules if rule for who in each.only.providers)


def test_every_quirk_that_rests_on_recordings_is_in_them(judged: Judged) -> None:
    held = [each for quirks in all_quirks().values() for each in quirks if RECORDED.search(each.evidence)]
    rows = {(each.rule, each.provider) for each in held} | set(recorded_deviations())
    assert len(rows) > len(OFFICIAL)
    assert SHARE > 1 or rows - judged.quirks.keys() == set()


def official_errors(truth: Mapping[str, Any]) -> Iterator[Firing]:
    for firing in adjudicate.decided(truth):
        owner = firing.provider in OFFICIAL.get(firing.dialect, ())
        if owner and firing.severity == "error" and firing.side == "response":
            yield firing


def test_what_official_providers_send_has_no_finding_of_severity_error(truth: Mapping[str, Any]) -> None:
    assert list(official_errors(truth)) == []


def test_the_tables_are_those_of_the_decisions(truth: Mapping[str, Any]) -> None:
    for dialect, table in adjudicate.tables(truth).items():
        text = (adjudicate.PAGES / f"{dialect}.md").read_text(encoding="utf-8")
        assert "<!-- corpus -->" in text, dialect
        assert adjudicate.page(text, table) == text, RENEW


class TestRenewal:
    FIRING = Firing("a", "gemini", "response-empty", "error", "google", "response", "2xx")

    def judged(self, *firings: Firing) -> Judged:
        judged = Judged(Summary())
        judged.firings.update(firings)
        judged.claimed["a", "gemini"] = 2
        return judged

    def line(self, firing: Firing, **more: Any) -> dict[str, Any]:
        return {**firing._asdict(), "count": 1, "verdict": "", "evidence": "", **more}

    def test_a_verdict_is_kept_and_the_count_renewed(self) -> None:
        before = {"findings": [self.line(self.FIRING, verdict="right", evidence="seen in one reply")]}
        after = adjudicate.renewed(before, self.judged(self.FIRING, self.FIRING))
        assert after["findings"] == [self.line(self.FIRING, count=2, verdict="right", evidence="seen in one reply")]

    def test_a_new_firing_waits_and_one_that_is_gone_goes(self) -> None:
        gone = self.FIRING._replace(rule="stream-empty")
        after = adjudicate.renewed({"findings": [self.line(gone, verdict="right")]}, self.judged(self.FIRING))
        assert after["findings"] == [self.line(self.FIRING)]

    def test_an_official_error_in_a_response_is_seen(self) -> None:
        assert list(official_errors({"findings": [self.line(self.FIRING)]})) == [self.FIRING]
        assert list(official_errors({"findings": [self.line(self.FIRING._replace(provider="zai"))]})) == []

    def test_a_table_adds_up_providers_of_one_verdict(self) -> None:
        other = self.FIRING._replace(provider="vertex")
        lines = [self.line(each, verdict="right", evidence="seen") for each in (self.FIRING, self.FIRING, other)]
        lines[0]["count"] = 3
        text = "\n".join(adjudicate._table({"claimed": [], "infos": [], "findings": [lines[0], lines[2]]}, "gemini"))
        assert "| `response-empty` | error | 4 | google 3, vertex 1 | response, 2xx | right | seen |" in text

    def test_only_what_stands_between_the_marks_changes(self) -> None:
        text = "before\n<!-- corpus -->\nold\n<!-- /corpus -->\nafter\n"
        assert adjudicate.page(text, "new \\1") == "before\n<!-- corpus -->\nnew \\1\n<!-- /corpus -->\nafter\n"
        assert adjudicate.page("no marks", "new") == "no marks"


@pytest.mark.parametrize(
    ("host", "who"),
    [
        ("api.openai.com", "openai"),
        ("somebody.openai.azure.com", "azure-openai"),
        ("eu.api.unheard-of.example", "unheard-of.example"),
        ("localhost", "own server"),
        ("127.0.0.1", "own server"),
        ("proxy.local", "own server"),
        ("", "own server"),
    ],
)
def test_a_provider_is_a_target_a_domain_or_a_server_of_ones_own(host: str, who: str) -> None:
    assert adjudicate.provider(host) == who
