"""`make faults` breaks every relation; here in the conforming exchanges of the proofs."""

from __future__ import annotations

from functools import cache

import pytest

from conformance.judge.relations.rows import rows
from conformance.judge.rule import coded_rules
from conformance.model.registry import all_dialects
from devtools.places import ROOT
from devtools.relation_faults import __main__ as program
from devtools.relation_faults import sites
from devtools.relation_faults.__main__ import Outcome, measured
from devtools.relation_faults.sites import Site
from tests.sampling import Extent, every

_MAY_MISS = 0 if Extent.full else 0.02
"""Which share: in a whole run each way of breaking a relation is tried where it shows best."""


@pytest.fixture(autouse=True)
def few_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of a full run faults are planted in some exchanges only."""
    risk = "a fault of a relation that only few exchanges have"
    monkeypatch.setattr(program, "sites", lambda *given: every(sites.sites(*given), 8, risk=risk))


@cache
def _measured(dialect: str) -> Outcome:
    return measured(dialect, files=())


@pytest.mark.parametrize("dialect", sorted(all_dialects()))
def test_every_planted_fault_of_a_relation_is_found(dialect: str) -> None:
    outcome = _measured(dialect)
    missed = sum(map(len, outcome.missed.values()))
    assert missed <= _MAY_MISS * outcome.found.total(), outcome.missed


def test_faults_are_planted_for_some_rows() -> None:
    coded_rules()
    found = {each for dialect in ("openai-responses", "gemini", "cohere-chat") for each in _measured(dialect).found}
    assert {label for _, label in found} >= {"sum + 1", "part above the whole", "doubled", "order swapped"}
    assert {rule for rule, _ in found} <= rows().keys()


def test_a_fault_that_no_rule_finds_is_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = Site.judged
    monkeypatch.setattr(Site, "judged", lambda site, run=(): (judged(site, run)[0], set()))
    monkeypatch.setattr(sites, "recordings", lambda name: ROOT / "none" / name)
    monkeypatch.setattr("sys.argv", ["relation_faults", "--dialect", "openai-responses"])
    assert program.main() == 1
    assert "responses-usage-total-wrong: sum + 1: 0 of" in capsys.readouterr().out
