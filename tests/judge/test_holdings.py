"""Neutral rules name no dialect: its statements name the rules that hold them, and no finding cites another's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.contract.brief import Brief, Held
from conformance.contract.briefs import own_briefs
from conformance.errors import ConformanceError
from conformance.judge import rule as rules
from conformance.judge.proofs.examples import examples_of
from conformance.judge.rule import Rule, all_rules
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects
from devtools.places import ROOT

SHARED = re.compile(r"(ANY|MAP|LCB|0\.\d|15)\b")
"""Statements about every dialect, about tools that go from MCP to a provider, and about LangChain's requests."""

NEUTRAL = sorted((ROOT / "conformance" / "dialects" / "neutral").glob("*.py"))
REACT = "conformance.dialects.react"
HELD_BY_TESTS = {"ANY-113", "ANY-114", "ANY-115", "ANY-137", "ANY-180"}
"""Statements about contracts as such, which no single rule cites."""
STATEMENTS = own_briefs(rules.NEUTRAL_RULES)


def pairs() -> Iterator[tuple[Rule, str]]:
    """Every rule with every dialect that it judges."""
    return ((rule, dialect) for rule in all_rules().values() for dialect in all_dialects() if rule.judges(dialect))


def is_foreign(cite: str, dialect: str) -> bool:
    """Whether a citation is neither of the dialect's own statements nor of those that it shares."""
    return not cite.startswith(f"{all_dialects()[dialect].prefix}-") and not SHARED.match(cite)


def held() -> Iterator[tuple[str, str, Brief]]:
    """Every neutral rule with each statement of a dialect that names it."""
    return (
        (rule.id, dialect, statement)
        for rule in all_rules().values()
        for dialect, found in rule.held.items()
        for statement, _ in found
    )


def test_no_finding_cites_another_dialects_source() -> None:
    assert sum(1 for _ in pairs()) > 900
    assert [(rule.id, dialect) for rule, dialect in pairs() if is_foreign(rule.cite_in(dialect), dialect)] == []


def test_a_neutral_rule_holds_statements_of_the_dialect_itself() -> None:
    assert [(rule, name) for rule, name, each in held() if is_foreign(each.id, name)] == []


def test_what_a_dialect_names_it_shows() -> None:
    assert [(rule, name) for rule, name, _ in held() if not examples_of(rule, name).violating] == []


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.stem)
def test_a_neutral_rule_names_no_dialect(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    prefixes = "|".join({each.prefix for each in all_dialects().values()})
    assert [name for name in all_dialects() if re.search(rf'"{name}["/]', text)] == []
    assert re.findall(rf"\b(?:{prefixes})-[A-Z]-\d+", text) == []


def test_a_statement_of_any_is_cited_by_a_rule() -> None:
    cited = {number for rule in all_rules().values() for number in rule.cites if number.startswith("ANY-1")}
    assert cited == {name for name in STATEMENTS if re.match(r"ANY-1\d\d", name)} - HELD_BY_TESTS


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, Held], None]:
    """Lets a statement of a dialect name a rule."""

    def name(rule: str, dialect: str, how: Held) -> None:
        package = all_dialects()[dialect].package
        number = f"{all_dialects()[dialect].prefix}-C-001"
        statement = replace(own_briefs(package)[number], rules={rule: how})
        usual = rules.holdings
        monkeypatch.setattr(
            rules, "holdings", lambda each: {rule: [(statement, how)]} if each == package else usual(each)
        )

    return name


@pytest.mark.parametrize(
    ("rule", "dialect", "message"),
    [
        ("no-such-rule", "mcp", "mcp: MCP-A-001 names unknown rule no-such-rule"),
        ("chat-done-missing", "mcp", "mcp: MCP-A-001 names rule chat-done-missing, which does not judge this dialect"),
        ("stream-empty", "react", "react: REA-C-001 names rule stream-empty, which does not judge this dialect"),
    ],
)
def test_a_rule_that_does_not_judge_the_dialect_is_refused(
    rule: str, dialect: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = all_dialects()[dialect].package
    statement = next(iter(own_briefs(package).values()))
    if dialect == "react":
        statement = own_briefs(package)["REA-C-001"]
    usual = rules.holdings
    monkeypatch.setattr(
        rules, "holdings", lambda each: {rule: [(statement, Held())]} if each == package else usual(each)
    )
    with pytest.raises(ConformanceError) as caught:
        rules.check_holdings(all_rules())
    assert caught.value.message == message


def test_the_statement_of_a_dialect_comes_before_that_of_every_dialect(named: Callable[[str, str, Held], None]) -> None:
    rule = all_rules()["tool-result-orphaned"]
    named("tool-result-orphaned", "react", Held(Severity.INFO, "it was accepted"))
    neutral = "ANY-142 property of this suite"
    assert (rule.cite_in("react"), rule.cite_in("mcp")) == (own_briefs(REACT)["REA-C-001"].cited, neutral)
    assert (rule.severity_in("react"), rule.severity_in("mcp")) == (Severity.INFO, Severity.ERROR)
    named("tool-result-orphaned", "react", Held())
    assert rule.severity_in("react") is own_briefs(REACT)["REA-C-001"].graded


def test_an_optional_rule_judges_only_the_dialects_that_name_it() -> None:
    opted = {rule.id: rule for rule in all_rules().values() if rule.opt_in}
    assert opted
    for dialect in all_dialects().values():
        assert {name for name, rule in opted.items() if rule.judges(dialect.name)} == dialect.optional_rules
    assert [rule for rule, name, _ in held() if not all_rules()[rule].judges(name)] == []


DIALECT = """
from dataclasses import replace
from conformance.dialects.gemini import DIALECT as LIKE
DIALECT = replace(LIKE, name="elsewhere", prefix="ELS", package=__name__, claims=lambda request: False)
"""
READERS = "from conformance.dialects.gemini.readers import READERS\n"
STATEMENTS_FILE = """
page: elsewhere
statements:
  ELS-C-001:
    text: Every call has its result.
    severity: error
    scope: conversation
    sources: [{text: its own documentation, kind: documented}]
    rules: [tool-call-unanswered]
"""
ASKED = """
from conformance.judge.rule import all_rules
for name in ("tool-call-unanswered", "tool-result-orphaned"):
    print(all_rules()[name].cite_in("elsewhere"))
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "cited"),
    [
        (
            {"__init__.py": DIALECT, "readers.py": READERS, "statements.yaml": STATEMENTS_FILE},
            "ELS-C-001 its own documentation",
        ),
        ({"__init__.py": DIALECT, "readers.py": READERS}, "ANY-141 property of this suite"),
    ],
    ids=["with statements", "without"],
)
def test_a_dialect_of_another_distribution_may_bring_statements(
    files: dict[str, str], cited: str, tmp_path: Path
) -> None:
    package, metadata = tmp_path / "elsewhere_dialect", tmp_path / "elsewhere-1.dist-info"
    package.mkdir()
    metadata.mkdir()
    for name, text in {"__init__.py": DIALECT, "readers.py": READERS, **files}.items():
        (package / name).write_text(text, encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text(
        "[conformance.dialects]\nelsewhere = elsewhere_dialect\n", encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    run = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.splitlines() == [cited, "ANY-142 property of this suite"]
