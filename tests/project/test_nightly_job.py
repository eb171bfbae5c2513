"""The nightly job to copy, run: the scripts of its steps, with recordings, Git, and a `gh` that notes its calls."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.places import ROOT

pytestmark = pytest.mark.process

NAME = "openai-chat/weather/reference--openai.yaml"
SHIPPED = yaml.safe_load((ROOT / "cassettes" / NAME).read_text(encoding="utf-8"))
JOBS = yaml.safe_load((ROOT / "docs/workflows/drift.yml").read_text(encoding="utf-8"))["jobs"]
SAMPLES = 5


def script(job: str, step: str) -> str:
    (found,) = [each["run"] for each in JOBS[job]["steps"] if each.get("name") == step]
    return str(found)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with the commands `conformance` and `gh` in `bin`; `gh` knows the issue that the file `open` names."""
    commands = {
        "conformance": f'exec "{sys.executable}" -m conformance "$@"',
        "gh": 'echo "$*" >> "$CALLS"\ncase "$*" in "issue list"*) cat "$OPEN" 2>/dev/null ;; esac\nexit 0',
    }
    for name, text in commands.items():
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    return tmp_path


def run(work: Path, text: str, **variables: str) -> dict[str, str]:
    """Runs a step as GitHub does, in the folder `work`; returns its outputs."""
    out = work / "outputs"
    out.unlink(missing_ok=True)
    environment = {
        **os.environ,
        "PATH": f"{work / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_OUTPUT": str(out),
        "GITHUB_STEP_SUMMARY": str(work / "summary.md"),
        "RUNNER_TEMP": str(work),
        "CALLS": str(work / "calls"),
        "OPEN": str(work / "open"),
        **variables,
    }
    done = subprocess.run(
        ["bash", "-e", "-c", text], cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return dict(line.split("=", 1) for line in lines)


def record(folder: Path, *, changed: int = 0, target: str = "reference", status: int = 200) -> None:
    """Five samples of a cell, `changed` of them with a stop reason of their own."""
    for number in range(SAMPLES):
        document: dict[str, Any] = copy.deepcopy(SHIPPED)
        body = document["interactions"][-1]["response"]["body"]
        value = json.loads(body["string"])
        if number < changed:
            value["choices"][0]["finish_reason"] = "length"
        body["string"] = json.dumps(value)
        if status != 200:
            for each in document["interactions"]:
                each["response"]["status"] = {"code": status, "message": "Service Unavailable"}
        path = folder / f"sample-{number}" / NAME.replace("reference", target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(document), encoding="utf-8")


def recorded(work: Path, changed: list[int]) -> None:
    """A night for each number, up to yesterday."""
    today = datetime.now(UTC).date()
    for back, number in enumerate(reversed(changed), 1):
        record(work / "nights" / (today - timedelta(back)).isoformat(), changed=number)
    (work / "nights").mkdir(exist_ok=True)


def calls(work: Path) -> str:
    path = work / "calls"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def reported(work: Path, outputs: dict[str, str], *, issue: str = "") -> str:
    """The calls of `gh` in the last step."""
    (work / "open").write_text(issue, encoding="utf-8")
    step = script("report", "Open, update or close the issue")
    run(work, step, CHANGED=outputs.get("changed", ""), COMPLETE=outputs.get("complete", ""))
    return calls(work)


def test_the_first_night_is_kept_and_reports_nothing(work: Path) -> None:
    recorded(work, [])
    record(work / "tonight")
    outputs = run(work, script("compare", "Compare"))
    assert outputs == {"recorded": "yes", "changed": "0", "complete": "yes"}
    assert "issue create" not in reported(work, outputs)


def test_a_quiet_night_closes_the_issue(work: Path) -> None:
    recorded(work, [0] * 4)
    record(work / "tonight")
    outputs = run(work, script("compare", "Compare"))
    assert outputs == {"recorded": "yes", "changed": "0", "complete": "yes"}
    assert (work / "drift" / "history.html").exists()
    assert "issue close 7 --comment Nothing is significant" in reported(work, outputs, issue="7")


def test_a_change_opens_one_issue_and_then_updates_it(work: Path) -> None:
    recorded(work, [0] * 5)
    record(work / "tonight", changed=5)
    outputs = run(work, script("compare", "Compare"))
    assert outputs["changed"] == "1"
    assert "stop reason length appeared" in (work / "drift" / "drift.md").read_text(encoding="utf-8")
    assert "issue create --title Wire drift" in reported(work, outputs)
    assert "issue edit 7 --body-file" in reported(work, outputs, issue="7")
    assert calls(work).count("issue create") == 1


def test_three_nights_together_show_what_one_does_not(work: Path) -> None:
    recorded(work, [0, 0, 0, 0, 3, 3])
    record(work / "tonight", changed=3)
    outputs = run(work, script("compare", "Compare"))
    assert outputs["changed"] == "1"
    report = (work / "drift" / "drift.md").read_text(encoding="utf-8")
    assert "0 of 20 recordings before, 9 of 15 now" in report


def test_a_night_on_which_the_provider_was_down_is_no_change(work: Path) -> None:
    recorded(work, [0] * 3)
    assert run(work, script("compare", "Compare")) == {"recorded": "no"}
    assert JOBS["report"]["if"] == "needs.compare.outputs.recorded == 'yes'"
    record(work / "tonight", status=503)
    outputs = run(work, script("compare", "Compare"))
    assert outputs == {"recorded": "yes", "changed": "0", "complete": "no"}
    assert "issue close" not in reported(work, outputs, issue="7")


def test_an_issue_stays_open_while_a_target_is_missing(work: Path) -> None:
    recorded(work, [0] * 3)
    for night in (work / "nights").iterdir():
        record(night, target="other")
    record(work / "tonight")
    outputs = run(work, script("compare", "Compare"))
    assert outputs == {"recorded": "yes", "changed": "0", "complete": "no"}
    assert "issue close" not in reported(work, outputs, issue="7")


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_night_is_kept_on_a_branch_of_its_own_and_old_ones_are_thinned(work: Path) -> None:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=work, check=True, capture_output=True, text=True).stdout

    git("init", "--quiet", "--bare", "origin.git")
    git("init", "--quiet", ".")
    git("remote", "add", "origin", str(work / "origin.git"))
    (work / "drift").mkdir()
    (work / "drift" / "superfluous").write_text("", encoding="utf-8")
    record(work / "tonight")
    today = datetime.now(UTC).date().isoformat()
    run(work, script("report", "Keep the night"))
    kept = git("ls-tree", "-r", "--name-only", "--full-tree", "origin/conformance-nights").splitlines()
    assert len(kept) == SAMPLES
    assert {path.partition("/")[0] for path in kept} == {today}
    old = (date.fromisoformat(today) - timedelta(1)).isoformat()
    shutil.move(work / today, work / old)
    git("add", today, old)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "as if it were yesterday")
    git("push", "--quiet", "origin", "conformance-nights")
    (work / "drift" / "superfluous").write_text(
        f"would delete nights/{old}\nwould delete nights/../x\n", encoding="utf-8"
    )
    run(work, script("report", "Keep the night"))
    kept = git("ls-tree", "-r", "--name-only", "--full-tree", "origin/conformance-nights").splitlines()
    assert {path.partition("/")[0] for path in kept} == {today}
