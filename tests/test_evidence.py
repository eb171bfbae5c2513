"""Neutral rules name no dialect: each dialect has its own evidence for them, and no finding cites another's source."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.catalogue.contract_pages import parse
from conformance.errors import ConformanceError
from conformance.judge import rule as rules
from conformance.judge.evidence import Evidence, all_evidence, evidence
from conformance.judge.example import drop, example
from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from tests.conftest import ROOT

SHARED = re.compile(r"(ANY|MAP|LCB|0\.\d|15)\b")
"""Statements about every dialect, about tools that go from MCP to a provider, and about LangChain's requests."""

NEUTRAL = sorted((ROOT / "conformance" / "rules").glob("*.py"))
HELD_BY_TESTS = {"ANY-113", "ANY-114", "ANY-115", "ANY-137"}
"""Statements about contracts as such, which no single rule cites."""
STATEMENTS = {each.id: each for each in parse((ROOT / "docs" / "contract" / "any.md").read_text(encoding="utf-8"))}


def pairs() -> Iterator[tuple[Rule, str]]:
    """Every rule with every dialect that it judges."""
    return ((rule, dialect) for rule in all_rules().values() for dialect in all_dialects() if rule.judges(dialect))


def is_foreign(cite: str, dialect: str) -> bool:
    """Whether a citation is neither of the dialect's own statements nor of those that it shares."""
    return not cite.startswith(f"{all_dialects()[dialect].prefix}-") and not SHARED.match(cite)


def told() -> Iterator[tuple[str, str, Evidence]]:
    """All evidence: the rule, the dialect, and what the dialect says."""
    return ((rule, dialect, each) for rule, found in all_evidence().items() for dialect, each in found.items())


def test_no_finding_cites_another_dialects_source() -> None:
    assert sum(1 for _ in pairs()) > 900
    assert [(rule.id, dialect) for rule, dialect in pairs() if is_foreign(rule.cite_in(dialect), dialect)] == []


def test_the_evidence_of_a_dialect_cites_no_other_dialect_and_shows_only_its_own_wire() -> None:
    for rule, dialect, each in told():
        assert [cite for cite in each.cites if is_foreign(cite, dialect)] == [], (rule, dialect)
        package = all_dialects()[dialect].package.split(".")[:3]
        shown = {example.base.partition("/")[0] for example in (*each.violating, *each.conforming)}
        assert [name for name in shown if all_dialects()[name].package.split(".")[:3] != package] == [], (rule, dialect)


def test_what_a_dialect_cites_it_shows() -> None:
    assert [(rule, dialect) for rule, dialect, each in told() if not each.violating] == []


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.stem)
def test_a_neutral_rule_names_no_dialect(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prefixes = "|".join({each.prefix for each in all_dialects().values()})
    assert [name for name in all_dialects() if re.search(rf'"{name}["/]', text)] == []
    assert re.findall(rf"\b(?:{prefixes})-[A-Z]-\d+", text) == []
    assert "example(" not in text


def test_a_statement_of_any_has_the_severity_of_its_rule() -> None:
    cited = [
        (rule, cite.split()[0]) for rule in all_rules().values() for cite in rule.cites if cite.startswith("ANY-1")
    ]
    assert {name for _, name in cited} == {name for name in STATEMENTS if re.match(r"ANY-1\d\d", name)} - HELD_BY_TESTS
    for rule, name in cited:
        assert STATEMENTS[name].severity == str(rule.severity[""]), (rule.id, name)


@pytest.fixture
def unregistered(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Rules are put together anew in the test, and again after it."""
    for cached in (rules.all_rules, rules.coded_rules):
        cached.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    for cached in (rules.all_rules, rules.coded_rules):
        cached.cache_clear()
    rules.all_rules()


@pytest.mark.parametrize(
    ("rule", "dialect", "message"),
    [
        ("no-such-rule", "mcp", "mcp: evidence for unknown rule no-such-rule"),
        ("chat-done-missing", "mcp", "mcp: evidence for rule chat-done-missing, which does not apply to this dialect"),
        ("stream-empty", "react", "react: evidence for rule stream-empty, which does not apply to this dialect"),
    ],
)
def test_evidence_for_what_is_not_judged_is_refused(
    rule: str, dialect: str, message: str, unregistered: pytest.MonkeyPatch
) -> None:
    unregistered.setattr(rules, "all_evidence", lambda: {rule: {dialect: evidence()}})
    with pytest.raises(ConformanceError) as caught:
        rules.all_rules()
    assert caught.value.message == message


def test_what_a_dialect_says_comes_before_what_the_rule_says(unregistered: pytest.MonkeyPatch) -> None:
    shown = example("react/turns", drop("/0/request/body/messages/2"), at="0 request /messages/2/content")
    one = evidence("REA-C-001 somewhere", basis="sdk-type", violating=[shown], severity=Severity.INFO)
    unregistered.setattr(rules, "all_evidence", lambda: {"tool-result-orphaned": {"react": one, "mcp": evidence()}})
    rule = rules.all_rules()["tool-result-orphaned"]
    neutral = "ANY-142 property of this suite"
    assert (rule.cite_in("react"), rule.cite_in("mcp"), rule.cite_in("gemini")) == (one.cites[0], neutral, neutral)
    assert (rule.severity_in("react"), rule.severity_in("mcp")) == (Severity.INFO, Severity.ERROR)
    assert (rule.evidence_in("react"), rule.evidence_in("gemini")) == (one, None)
    assert rule.sources == (neutral, "REA-C-001 somewhere (sdk-type)")
    assert [each.base for each in (*rule.conforming, *rule.violating)] == ["react/turns", "react/turns"]


def test_a_rule_to_opt_in_to_judges_only_the_dialects_with_evidence() -> None:
    opted = [rule for rule in all_rules().values() if rule.opt_in]
    assert opted
    for rule in opted:
        assert rule.dialects == tuple(rule.evidence), rule.id
        assert [name for name in all_dialects() if rule.judges(name)] == sorted(rule.evidence), rule.id


DIALECT = """
from dataclasses import replace
from conformance.dialects.gemini import DIALECT as LIKE
DIALECT = replace(LIKE, name="elsewhere", prefix="ELS", package=__name__, claims=lambda request: False)
"""
EVIDENCE = """
from conformance.judge.evidence import evidence
EVIDENCE = {"tool-call-unanswered": evidence("ELS-C-001 its own documentation", basis="documented")}
"""
ASKED = """
from conformance.judge.rule import all_rules
for name in ("tool-call-unanswered", "tool-result-orphaned"):
    print(all_rules()[name].cite_in("elsewhere"))
"""


@pytest.mark.parametrize(
    ("files", "cited"),
    [
        ({"__init__.py": DIALECT, "evidence.py": EVIDENCE}, "ELS-C-001 its own documentation"),
        ({"__init__.py": DIALECT}, "ANY-141 property of this suite"),
    ],
    ids=["with evidence", "without"],
)
def test_a_dialect_of_another_distribution_may_bring_evidence(
    files: dict[str, str], cited: str, tmp_path: Path
) -> None:
    package, metadata = tmp_path / "elsewhere_dialect", tmp_path / "elsewhere-1.dist-info"
    package.mkdir()
    metadata.mkdir()
    for name, text in files.items():
        (package / name).write_text(text, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[conformance.dialects]\nelsewhere = elsewhere_dialect\n", encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    run = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.splitlines() == [cited, "ANY-142 property of this suite"]
