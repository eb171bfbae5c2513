"""The rules as documentation: the catalogue, `explain`, and the pieces of wire that both show."""

from __future__ import annotations

import html
import json
import re

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.commands.explain.run import explain
from conformance.judge.rule import Rule, all_rules
from conformance.judge.rule_ids import defect_of
from conformance.judge.run_rules import run_rules
from conformance.report.catalogue.fragments import compact, fragment
from conformance.report.catalogue.illustration import Piece, illustrate
from conformance.report.side_by_side import _SHARED
from tests.sampling import sample

_LONGEST = 20_000
"""Characters of a page that somebody reads."""
_SAY_WHY = 20
"""Fewer characters than this say nothing about what breaks."""
_LINE = 800

RULES = sample(
    all_rules().values(),
    lambda rule: (rule.judge.__module__.split(".")[:3][-1], str(rule.severity)),
    lambda rule: defect_of(rule.id),
    risk="a page that only the text of one rule spoils (an unclosed fence, a pipe in a table)",
)
EXAMPLES = sample(
    ((rule, number) for rule in all_rules().values() for number, _ in enumerate(rule.violating)),
    lambda each: each[0].violating[each[1]].base,
    lambda each: tuple(edit.action for edit in each[0].violating[each[1]].edits),
    lambda each: defect_of(each[0].id),
    risk="a fault that the excerpt cuts off at one place of the wire, and shows at others",
)


def unlinked(text: str) -> str:
    """The text with the words of each link in its place."""
    return re.sub(r"\[([^\]]+)\]\((?:https:|\.\./|[a-z0-9-]+\.md)[^)]*\)", r"\1", text)


def without_note(piece: Piece) -> list[str]:
    return [line for line in piece.violating.lines if not line.lstrip().startswith("//")]


def cells_of(page: str) -> list[tuple[str, ...]]:
    """The rows of the examples on a rule's page, as text."""
    rows = re.findall(r"<tr><td[^>]*>(.*)</td><td[^>]*>(.*)</td></tr>", page)
    return [tuple(html.unescape(re.sub(r"</?mark>", "", cell)).rstrip(",") for cell in row) for row in rows]


def seen(lines: tuple[str, ...]) -> set[str]:
    """The lines that are shown in full: what both versions of a longer one share may be shortened."""
    return {line.rstrip(",") for line in lines if len(line) <= _SHARED}


@pytest.mark.parametrize(("rule", "number"), EXAMPLES, ids=lambda each: str(getattr(each, "id", each)))
def test_the_fault_is_seen_on_the_wire_and_the_finding_stands_at_it(rule: Rule, number: int) -> None:
    illustration = illustrate(rule, rule.violating[number])
    assert any(without_note(piece) != list(piece.conforming.lines) for piece in illustration.pieces)
    said = [
        line for piece in illustration.pieces for line in piece.violating.lines if line.lstrip().startswith("// ^ ")
    ]
    assert len(said) == 1
    assert " ".join(illustration.finding.message.split()) in said[0]
    assert max(len(line) for piece in illustration.pieces for line in piece.violating.lines) < _LINE


def test_the_page_of_every_rule_states_what_to_change_and_leads_to_its_lists(pages: dict[str, str]) -> None:
    titles = {line.removeprefix("## ").lower().replace(" ", "-") for line in pages["rules/index.md"].splitlines()}
    for rule in all_rules().values():
        page = pages[f"rules/{rule.id}.md"]
        assert "\n## What to change\n" in page, rule.id
        assert all(f"[{number}](../contract/" in page for number in rule.cites), rule.id
        assert "<mark>" in page, rule.id
        assert {*re.findall(r"\(index\.md#([^)]*)\)", page)} <= titles, rule.id


def test_a_rule_states_what_holds_and_what_breaks() -> None:
    for rule in all_rules().values():
        assert rule.statement.endswith("."), rule.id
        assert len(rule.why) > _SAY_WHY, rule.id
        assert rule.why.endswith(('"', ".", ")", "`")), rule.id


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_page_and_explain_show_all_of_a_rule(rule: Rule, pages: dict[str, str]) -> None:
    reported, page = explain(rule), pages[f"rules/{rule.id}.md"]
    for text in (*rule.cites, *rule.bugs):
        assert text in reported
        assert text in unlinked(page)
    assert rule.violating[0].base in reported
    assert all(cite in unlinked(page) for cite in rule.cites)
    assert " ".join(f"{rule.statement} {rule.why}".split()) in " ".join(reported.split())
    assert page.startswith(f"# {rule.id}\n\n**{rule.statement}**\n\n{rule.why}\n")
    rows = cells_of(page)
    for piece in illustrate(rule, rule.violating[0]).pieces:
        assert seen(piece.violating.lines) <= {old for old, _ in rows}
        assert seen(piece.conforming.lines) <= {new for _, new in rows}
    assert len(re.findall(r"^```", page, re.MULTILINE)) % 2 == 0


def test_every_rule_has_a_page_and_a_line_in_the_index(pages: dict[str, str]) -> None:
    index = unlinked(pages["rules/index.md"])
    names = {*all_rules(), *run_rules()}
    assert set(pages) == {"rules/index.md", *(f"rules/{name}.md" for name in names)}
    assert names == set(re.findall(r"^\| ([a-z0-9-]+) \| [a-z]+ \| (?:error|warning|info)", index, re.MULTILINE))
    assert max(len(text) for path, text in pages.items() if path != "rules/index.md") < _LONGEST


@pytest.mark.parametrize(
    ("rule", "where"),
    [
        ("responses-previous-response-orphaned", "warning where the provider's own host answered the request"),
        ("chat-usage-total-wrong", "warning at servers that are only compatible"),
    ],
)
def test_explain_names_where_a_rule_is_milder(rule: str, where: str) -> None:
    assert where in explain(all_rules()[rule])


def test_explain_gives_json() -> None:
    result = CliRunner().invoke(app, ["explain", "OAC-S-008", "--format", "json"])
    assert result.exit_code == 0
    [reported] = json.loads(result.stdout)["rules"]
    rule = all_rules()["chat-tool-call-index-missing"]
    assert (reported["id"], reported["statement"], reported["bugs"]) == (rule.id, rule.statement, list(rule.bugs))
    assert [each["at"] for each in reported["examples"]] == [example.at for example in rule.violating]
    assert "`index` is missing" in reported["examples"][0]["places"][0]["violating"]


def test_explain_gives_a_statement_about_runs_as_json() -> None:
    result = CliRunner().invoke(app, ["explain", "request-drift", "--format", "json"])
    assert json.loads(result.stdout)["rules"][0]["statement"] == run_rules()["request-drift"].requirement


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("tool-result-orphan", "'tool-result-orphaned'"),
        ("signature", "'echoed-signature-changed'"),
        ("zzz", "`conformance list --rules` lists all rules"),
    ],
)
def test_an_unknown_rule_is_answered_with_those_near_it(written: str, meant: str) -> None:
    result = CliRunner().invoke(app, ["explain", written])
    assert result.exit_code == 2
    assert meant in result.stderr


def test_a_value_that_is_too_long_is_cut_and_says_so() -> None:
    assert compact({"a": 1}, 20) == '{"a": 1}'
    assert compact("x" * 40, 20) == f'"{"x" * 17}…"'
    shown = compact({"first": "x" * 80, "second": list(range(80)), "third": {"deep": {"deeper": "y" * 80}}}, 60)
    assert "…" in shown
    assert shown.startswith('{"first": "x')
    assert len(shown) < 100


def test_of_a_long_text_the_part_that_differs_is_shown() -> None:
    sound = {"request": {"body": {"prompt": "a" * 300 + "RIGHT" + "b" * 300}}, "response": {}}
    wrong = {"request": {"body": {"prompt": "a" * 300 + "WRONG" + "b" * 300}}, "response": {}}
    shown = fragment(wrong, ("request", "body", "prompt"), "error: wrong", sound)
    assert shown.place == "request"
    assert "WRONG" in shown.lines[1]
    assert shown.lines[2] == "  // ^ error: wrong"
