"""Which findings count: prefixes, strictness, and a baseline in which nothing may go stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.errors import ConformanceError
from conformance.judge.proofs.example import drop, example, put
from conformance.judge.selection import Selection, chosen
from conformance.model.finding import Finding, Severity
from tests.program import conformance


def finding(rule: str, source: str = "a.jsonl:1") -> Finding:
    return Finding(rule, Severity.ERROR, "", source=source, dialect="openai-chat", pointer="/a/0")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    return tmp_path


def test_an_option_may_name_several_prefixes_with_commas() -> None:
    selection = chosen(["chat-usage, chat-done-missing", "gemini-"], ["chat-usage-part,"])
    assert selection.select == ("chat-usage", "chat-done-missing", "gemini-")
    assert selection.ignore == ("chat-usage-part",)
    with pytest.raises(ConformanceError, match="'nothing-of-this'"):
        chosen(["chat-usage,nothing-of-this"])
    for nothing in (",", " ", ""):
        with pytest.raises(ConformanceError, match="names no rule"):
            chosen([nothing])


@pytest.mark.parametrize(
    ("select", "ignore", "kept"),
    [
        ((), (), ["chat-usage-total-wrong", "chat-done-missing", "tool-result-orphaned"]),
        (("chat-",), (), ["chat-usage-total-wrong", "chat-done-missing"]),
        ((), ("chat-",), ["tool-result-orphaned"]),
        (("chat-",), ("chat-usage-",), ["chat-done-missing"]),
        (("chat-usage-total-wrong",), ("chat-",), ["chat-usage-total-wrong"]),
    ],
)
def test_the_longer_prefix_decides(select: tuple[str, ...], ignore: tuple[str, ...], kept: list[str]) -> None:
    rules = ["chat-usage-total-wrong", "chat-done-missing", "tool-result-orphaned"]
    selection = Selection(select, ignore)
    assert [rule for rule in rules if selection.keeps(finding(rule))] == kept


def test_a_baseline_accepts_what_it_names_and_no_more(elsewhere: Path) -> None:
    text = "accepted:\n  - rule: chat-usage-total-wrong\n    source: a.*\n    reason: known\n"
    (elsewhere / "b.yaml").write_text(text, encoding="utf-8")
    selection = chosen(baseline="b.yaml")
    assert not selection.keeps(finding("chat-usage-total-wrong"))
    assert selection.keeps(finding("chat-usage-total-wrong", "z.jsonl:1"))
    assert selection.keeps(finding("chat-done-missing"))
    assert selection.stale() == []


def test_an_entry_that_nothing_needs_is_a_finding(elsewhere: Path) -> None:
    text = (
        "accepted:\n  - rule: chat-usage-total-wrong\n    reason: known\n"
        "  - rule: tool-result-orphaned\n    reason: old\n"
    )
    (elsewhere / "b.yaml").write_text(text, encoding="utf-8")
    selection = chosen(baseline="b.yaml")
    selection.keeps(finding("chat-usage-total-wrong"))
    assert [(each.rule, each.source) for each in selection.stale()] == [("baseline-entry-unused", "b.yaml:4")]


def test_pyproject_says_what_the_command_line_does_not(elsewhere: Path) -> None:
    text = '[tool.conformance]\nselect = ["chat-"]\nstrict = true\n'
    (elsewhere / "pyproject.toml").write_text(text, encoding="utf-8")
    assert (chosen().select, chosen().strict) == (("chat-",), True)
    assert chosen(["gemini-"]).select == ("gemini-",)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("pyproject.toml", "[tool.conformance]\nselekt = []\n", "has no key `selekt`; did you mean `select`?"),
        ("pyproject.toml", "[tool.conformance\n", "not TOML"),
        ("pyproject.toml", '[tool.conformance]\nignore = "chat"\n', "`ignore` is not a list of rule ids or prefixes"),
        ("pyproject.toml", "[tool.conformance]\nselect = [1]\n", "`select` is not a list of rule ids or prefixes"),
        ("pyproject.toml", '[tool.conformance]\nignore = [""]\n', "`ignore` is not a list of rule ids or prefixes"),
        (
            "pyproject.toml",
            '[tool.conformance]\nstrict = "no"\n',
            "`strict` is not true or false; write `strict = true`",
        ),
        ("pyproject.toml", "[tool.conformance]\nbaseline = 3\n", "`baseline` is not the path of a file"),
        ("pyproject.toml", "[tool]\nconformance = 1\n", "`tool.conformance` is not a table"),
        ("pyproject.toml", "tool = 1\n", "`tool.conformance` is not a table"),
        ("pyproject.toml", '[tool.conformance]\nselect = ["chta-"]\n', "no rule id starts with 'chta-'"),
        ("b.yaml", "accepted:\n  - rule: chat-usage-total-wrong\n", "b.yaml:2:5: an entry needs `rule` and `reason`"),
        (
            "b.yaml",
            "accepted:\n  - {rule: chat-usage-total-wrong, reason: r, wher: x}\n",
            "b.yaml:2:47: unknown key `wher`",
        ),
        ("b.yaml", "accepted:\n  - {rule: nope, reason: r}\n", "no rule id starts with 'nope'"),
        ("b.yaml", "[", "b.yaml:1:2: invalid YAML"),
        ("b.yaml", "", "b.yaml: the list `accepted` is missing"),
    ],
)
def test_a_wrong_file_is_a_clear_error(elsewhere: Path, file: str, text: str, message: str) -> None:
    (elsewhere / file).write_text(text, encoding="utf-8")
    with pytest.raises(ConformanceError) as caught:
        chosen(baseline="b.yaml" if file == "b.yaml" else None)
    assert message in str(caught.value)


def test_the_command_line_takes_all_of_it(tmp_path: Path) -> None:
    broken = example("openai-chat/answer", drop("/0/request/body/messages/3"))
    nothing = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    warned = example("openai-chat/call", put("/0/response/body/usage", nothing))
    path = tmp_path / "t.jsonl"
    lines = [json.dumps(record) for each in (broken, warned) for record in each.records()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert conformance("check", str(path)).returncode == 1
    assert conformance("check", str(path), "--ignore", "tool-call-unanswered").returncode == 0
    assert conformance("check", str(path), "--ignore", "tool-call-unanswered", "--strict").returncode == 1
    assert conformance("check", str(path), "--select", "gemini-").returncode == 2  # no rule of it applies
    baseline = tmp_path / "b.yaml"
    baseline.write_text("accepted:\n- {rule: tool-call-unanswered, reason: known}\n", encoding="utf-8")
    accepted = conformance("check", str(path), "--baseline", str(baseline), "--format", "json")
    assert (accepted.returncode, json.loads(accepted.stdout)["summary"]["errors"]) == (0, 0)
    baseline.write_text("accepted:\n- {rule: tool-result-orphaned, reason: known}\n", encoding="utf-8")
    assert "baseline-entry-unused" in conformance("check", str(path), "--baseline", str(baseline)).stdout
    assert conformance("check", str(path), "--select", "unanwered").returncode == 2
