"""Former ids of rules go on working, and the new one is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import app
from conformance.judge import profiles, quirks, renames
from conformance.judge.example import drop, example, put
from conformance.judge.selection import Selection, chosen
from conformance.model.data_files import data_dir, load_yaml
from conformance.model.finding import Finding, Severity
from conformance.scenario.load import load_scenario

FORMER = [
    {"old": "chat-total", "new": "chat-total-broken", "kind": "renamed", "reason": "x"},
    {"old": "chat-total-broken", "new": "chat-usage-total-wrong", "kind": "renamed", "reason": "x"},
    {"old": "usage-odd", "new": "chat-usage-total-wrong", "kind": "merged", "reason": "x"},
    {"old": "lost-call", "new": "tool-call-unanswered", "kind": "renamed", "reason": "x"},
    {"old": "chat-done-missing", "new": "chat-done-missing", "kind": "renamed", "reason": "x"},
]


@pytest.fixture(autouse=True)
def former(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Four former ids, and a working folder without a configuration."""

    def clear() -> None:
        for cached in (renames.renames, renames.retired, renames._former, quirks._quirks):
            cached.cache_clear()

    clear()
    documents = {"renames.yaml": {"renames": FORMER, "retired": []}}
    monkeypatch.setattr(renames, "load_yaml", lambda name: documents.get(name) or load_yaml(name))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    yield
    monkeypatch.undo()
    clear()


def finding(rule: str) -> Finding:
    return Finding(rule, Severity.ERROR, "", source="a.jsonl:1", dialect="openai-chat", pointer="/a/0")


def recording(folder: Path) -> str:
    path = folder / "t.jsonl"
    broken = example("openai-chat/call", put("/0/response/body/usage/total_tokens", 3))
    unanswered = example("openai-chat/answer", drop("/0/request/body/messages/3"))
    lines = [json.dumps(record) for each in (broken, unanswered) for record in each.records()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_chains_are_followed_and_a_changed_severity_is_no_new_id() -> None:
    assert renames.renames() == {
        "chat-total": "chat-usage-total-wrong",
        "chat-total-broken": "chat-usage-total-wrong",
        "usage-odd": "chat-usage-total-wrong",
        "lost-call": "tool-call-unanswered",
    }
    assert renames.ids_of("chat-usage-total-wrong") == (
        "chat-usage-total-wrong",
        "chat-total",
        "chat-total-broken",
        "usage-odd",
    )
    assert renames.ids_of("chat-done-missing") == ("chat-done-missing",)
    assert renames.current("nothing-like-it") == "nothing-like-it"


@pytest.mark.parametrize(
    ("select", "ignore", "kept"),
    [
        (("usage-",), (), ["chat-usage-total-wrong"]),
        (("chat-total",), (), ["chat-usage-total-wrong"]),
        ((), ("lost-call",), ["chat-usage-total-wrong", "chat-done-missing"]),
        (("chat-",), ("chat-total-",), ["chat-done-missing"]),
    ],
)
def test_a_prefix_of_a_former_id_chooses_the_rule(
    select: tuple[str, ...], ignore: tuple[str, ...], kept: list[str]
) -> None:
    rules = ["chat-usage-total-wrong", "chat-done-missing", "tool-call-unanswered"]
    selection = Selection(select, ignore)
    assert [rule for rule in rules if selection.keeps(finding(rule))] == kept


def test_the_new_id_is_said_once_for_each_former_one() -> None:
    made = chosen(["usage-odd", "chat-"], ["usage-odd", "lost-", "chat-usage-total-wrong"])
    assert made.notices == (
        "usage-odd is now chat-usage-total-wrong",
        "rules whose id started with lost- were renamed: tool-call-unanswered",
    )


def test_a_baseline_may_use_a_former_id(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("accepted:\n  - {rule: lost-call, reason: known}\n", encoding="utf-8")
    selection = chosen(baseline=str(tmp_path / "b.yaml"))
    assert not selection.keeps(finding("tool-call-unanswered"))
    assert selection.keeps(finding("chat-usage-total-wrong"))
    assert selection.notices == ("lost-call is now tool-call-unanswered",)
    assert selection.stale() == []


def test_the_configuration_may_use_a_former_id(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.conformance]\nignore = ["lost-call"]\n', encoding="utf-8")
    result = CliRunner().invoke(app, ["check", recording(tmp_path)])
    assert result.exit_code == 0
    assert result.stderr.count("lost-call is now tool-call-unanswered") == 1
    assert "chat-usage-total-wrong" in result.stdout


def test_the_command_line_says_the_new_id_on_standard_error(tmp_path: Path) -> None:
    arguments = ["check", recording(tmp_path), "--select", "usage-odd", "--format", "json"]
    result = CliRunner().invoke(app, arguments)
    assert {each["rule"] for each in json.loads(result.stdout)["findings"]} == {"chat-usage-total-wrong"}
    assert result.stderr == "usage-odd is now chat-usage-total-wrong\n"
    assert CliRunner().invoke(app, ["check", recording(tmp_path), "--select", "chat-usage-total-wrong"]).stderr == ""


def test_explain_takes_a_former_id() -> None:
    result = CliRunner().invoke(app, ["explain", "lost-call"])
    assert result.stderr == "lost-call is now tool-call-unanswered\n"
    assert result.stdout.startswith("tool-call-unanswered (error)\n")


def test_a_scenario_may_expect_a_rule_by_a_former_id(tmp_path: Path) -> None:
    shipped = (data_dir("specs") / "scenarios" / "unknown-tool.yaml").read_text(encoding="utf-8")
    expected = "findings: [tool-call-undeclared]"
    assert expected in shipped
    path = tmp_path / "unknown-tool.yaml"
    path.write_text(shipped.replace(expected, "findings: [lost-call]\n  tolerates: [usage-odd]"), encoding="utf-8")
    expect = load_scenario(path).expect
    assert (expect.findings, expect.tolerates) == (("tool-call-unanswered",), ("chat-usage-total-wrong",))


def test_a_quirk_may_use_a_former_id(monkeypatch: pytest.MonkeyPatch) -> None:
    quirk = {"rule": "lost-call", "severity": "info", "evidence": "seen"}
    document = {"clients": [{**quirk, "driver": "d", "dialect": "gemini"}]}
    monkeypatch.setattr(quirks, "load_yaml", lambda _: document)
    monkeypatch.setattr(profiles, "all_profiles", lambda: {"p": profiles.Profile("p", "made up", quirks=(quirk,))})
    quirks.all_client_quirks.cache_clear()
    assert list(quirks.all_quirks()) == ["tool-call-unanswered"]
    assert [each.rule for each in quirks.all_client_quirks()] == ["tool-call-unanswered"]
    quirks.all_client_quirks.cache_clear()
