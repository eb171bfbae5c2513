"""The baseline: entries are added, pruned, dated, and go stale; the rest of the file stays as it is."""

from __future__ import annotations

import json
import re
import shlex
from datetime import date
from pathlib import Path

import pytest
import yaml

from conformance.errors import ConformanceError
from conformance.judge.baseline import edited, pattern_of, read_baseline
from conformance.judge.proofs.example import drop, example
from conformance.judge.selection import chosen
from conformance.model.finding import Finding, Severity
from devtools.places import ROOT
from tests.cassettes import broken, cell, in_response
from tests.program import conformance

PAGE = (ROOT / "docs" / "baseline.md").read_text(encoding="utf-8")
[SAMPLE] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
UPDATE, PRUNE = (block.strip() for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
NEW = {"rule": "chat-done-missing", "dialect": "openai-chat", "pointer": "/a/*"}
WRITTEN = '  - rule: chat-done-missing\n    dialect: openai-chat\n    pointer: "/a/*"\n    reason: ""\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one recording, in which a tool call has no result."""
    fault = example("openai-chat/answer", drop("/0/request/body/messages/3"))
    (tmp_path / "recordings").mkdir()
    lines = [json.dumps(record) for record in fault.records()]
    (tmp_path / "recordings" / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def run(line: str, folder: Path) -> tuple[int, str, str]:
    ended = conformance(*shlex.split(line)[1:], cwd=folder)
    return ended.returncode, ended.stdout, ended.stderr.replace(f"{folder}/", "")


def test_the_life_of_a_baseline_as_the_page_describes_it(project: Path) -> None:
    code, output, error = run(UPDATE, project)
    assert (code, error) == (0, "baseline.yaml: added 1 entry; write a reason for each\n")
    assert "0 errors" in output
    path = project / "baseline.yaml"
    plain = UPDATE.removesuffix(" --baseline-update")
    code, _, error = run(plain, project)
    [shown] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert (code, error) == (2, shown)
    path.write_text(path.read_text(encoding="utf-8").replace('reason: ""', "reason: known"), encoding="utf-8")
    assert run(plain, project)[0] == 0
    assert run(UPDATE, project)[2] == "baseline.yaml: nothing to change\n"
    (project / "recordings" / "a.jsonl").write_text(
        "\n".join(json.dumps(record) for record in example("openai-chat/answer").records()) + "\n", encoding="utf-8"
    )
    code, output, _ = run(plain, project)
    assert (code, "baseline-entry-unused" in output) == (1, True)
    code, output, error = run(PRUNE, project)
    assert (code, error) == (0, "baseline.yaml: removed 1 entry\n"), output
    assert yaml.safe_load(path.read_text(encoding="utf-8")) == {"accepted": []}
    assert run(plain, project)[0] == 0


def test_the_sample_of_the_page_holds_until_its_date(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "baseline.yaml").write_text(SAMPLE, encoding="utf-8")
    assert read_baseline(project / "baseline.yaml")[0].until == date(2027, 1, 31)
    for day, code in (("2027-01-31", 0), ("2027-02-01", 1)):
        monkeypatch.setenv("CONFORMANCE_AS_OF", day)
        ended = conformance("check", "recordings", "--baseline", "baseline.yaml", "--format", "json", cwd=project)
        rules = {each["rule"] for each in json.loads(ended.stdout)["findings"] if each["severity"] == "error"}
        assert (ended.returncode, rules) == (
            code,
            {"tool-call-unanswered", "baseline-entry-invalid"} if code else set(),
        )
    monkeypatch.setenv("CONFORMANCE_AS_OF", "soon")
    code, _, error = run("conformance check recordings --baseline baseline.yaml", project)
    assert (code, error) == (2, "conformance: CONFORMANCE_AS_OF: 'soon' is not a date; write it as 2027-01-31\n")


@pytest.mark.parametrize(
    ("text", "removed", "result"),
    [
        ("", [], None),
        (
            "# head\naccepted:\n# one\n- rule: a\n  reason: r # why\n\n# two\n- {rule: b, reason: s}\n# end\no: 1\n",
            [0],
            (
                "# head\naccepted:\n\n# two\n- {rule: b, reason: s}\n"
                '- rule: chat-done-missing\n  dialect: openai-chat\n  pointer: "/a/*"\n  reason: ""\n# end\no: 1\n'
            ),
        ),
        ("accepted: []\n", [], f"accepted:\n{WRITTEN}"),
        (
            "accepted: [{rule: a, reason: r}, {rule: b, reason: s}] # flow\n",
            [1],
            f"accepted:\n  - {{rule: a, reason: r}}\n{WRITTEN} # flow\n",
        ),
        (
            "accepted:\n  - rule: a\n    reason: >-\n      long\n      text\n\n# tail\n",
            [],
            f"accepted:\n  - rule: a\n    reason: >-\n      long\n      text\n{WRITTEN}\n# tail\n",
        ),
        ("accepted:\n  - rule: a\n    reason: r", [0], f"accepted:\n{WRITTEN}"),
    ],
    ids=["new file", "comments", "empty list", "brackets", "block text", "no newline at the end"],
)
def test_an_edit_changes_the_lines_of_its_entries_and_no_others(
    text: str, removed: list[int], result: str | None
) -> None:
    found = edited(text, [NEW], removed)
    if result is not None:
        assert found == result
    before = (yaml.safe_load(text) or {}).get("accepted", [])
    kept = [entry for number, entry in enumerate(before) if number not in removed]
    assert yaml.safe_load(found)["accepted"] == [*kept, {**NEW, "reason": ""}]


def test_an_entry_takes_the_numbers_out_of_a_place_and_matches_its_finding(tmp_path: Path) -> None:
    finding = Finding("chat-done-missing", Severity.ERROR, "", dialect="openai-chat", pointer="/a[1]*/0/b")
    assert pattern_of(finding)["pointer"] == "/a[[]1][*]/*/b"
    (tmp_path / "b.yaml").write_text(edited("", [pattern_of(finding)], []), encoding="utf-8")
    [entry] = read_baseline(tmp_path / "b.yaml", update=True)
    assert entry.fits(finding)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "accepted:\n  - {rule: chat-done-missing, reason: r, until: soon}\n",
            ":2:42: `until` is not a date; write",
        ),
        (
            "accepted:\n  - {rule: chat-done-missing, reason: r, untl: 2027-01-31}\n",
            ":2:42: unknown key `untl`; did",
        ),
        (
            "accepted:\n  - {rule: chat-done-missing, reason: ' '}\n",
            ":2:31: the entry for chat-done-missing has no r",
        ),
        ("accepted:\n  - {reason: r}\n", ":2:5: an entry needs `rule` and `reason`; add the missing key"),
    ],
)
def test_an_entry_that_is_not_valid_is_reported_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConformanceError) as caught:
        chosen(baseline=str(path))
    assert str(caught.value).startswith(f"{path}{message}")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--baseline-update", "--baseline-update needs a baseline; add --baseline FILE, or set `baseline`"),
        ("--baseline no.yaml", "no.yaml: No such file or directory; create it with --baseline-update"),
        (
            "--baseline b.yaml --baseline-prune --select chat-",
            "--baseline-prune needs all rules; remove --select and --ignore",
        ),
    ],
)
def test_options_that_do_not_fit_together_are_reported(options: str, message: str, project: Path) -> None:
    (project / "b.yaml").write_text("accepted: []\n", encoding="utf-8")
    code, _, error = run(f"conformance check recordings {options}", project)
    assert (code, error) == (2, f"conformance: {message}\n")


def test_replay_adds_and_reports_what_is_stale_and_prunes_only_as_a_whole(tmp_path: Path) -> None:
    broken(
        cell("yesterday-openai-chat-openai-sync"),
        tmp_path / "c",
        in_response(0, '"object": "chat.completion"', '"object": "x"'),
    )
    replay = "conformance replay --cassettes c --baseline b.yaml"
    code, _, error = run(f"{replay} --scenario yesterday --driver openai --baseline-update", tmp_path)
    assert code == 0, error
    path = tmp_path / "b.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('""', "known") + "  - {rule: tool-call-unanswered, reason: old}\n",
        encoding="utf-8",
    )
    one = json.loads(run(f"{replay} --scenario yesterday --format json", tmp_path)[1])["findings"]
    whole = json.loads(run(f"{replay} --format json", tmp_path)[1])["findings"]
    reported = [[each["severity"] for each in run_ if each["rule"] == "baseline-entry-unused"] for run_ in (one, whole)]
    assert reported == [["info"], ["error"]]
    code, _, error = run(f"{replay} --scenario yesterday --baseline-prune", tmp_path)
    assert (code, error) == (2, "conformance: --baseline-prune needs the whole matrix; remove the filters\n")
    code, _, error = run(f"{replay} --baseline-prune", tmp_path)
    assert (code, error) == (0, "b.yaml: removed 1 entry\n")
