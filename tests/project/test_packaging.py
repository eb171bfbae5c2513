"""The Action, the pre-commit hook and the image: their steps work when they are run as scripts, without their hosts."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.places import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
[HOOK] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
IMAGE = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
VIOLATING = ROOT / "tests" / "data" / "violating.jsonl"


def step(name: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The script of a step of the Action, with the scripts in `folder` first on the path."""
    [found] = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
    path = f"{folder}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", found["run"]],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path, **environment},
    )


@pytest.mark.process
def test_the_action_judges_with_annotations_and_fails_on_an_error(tmp_path: Path) -> None:
    done = step("Run", tmp_path, COMMAND="check", ARGUMENTS=f"{VIOLATING}\n\n--strict\n")
    assert done.returncode == 1, done.stderr
    assert "::error" in done.stdout


@pytest.mark.process
def test_an_argument_of_the_action_is_never_a_command_of_the_shell(tmp_path: Path) -> None:
    done = step("Run", tmp_path, COMMAND="check", ARGUMENTS=f'"; touch {tmp_path}/made; echo "$(touch {tmp_path}/made)')
    assert done.returncode == 2
    assert not (tmp_path / "made").exists()


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "extras"), [("check", ""), ("diff", ""), ("tools", "[mcp]"), ("replay", "[all]"), ("run", "[all]")]
)
def test_the_action_installs_what_the_command_needs(command: str, extras: str, tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text('#!/bin/sh\nfor each in "$@"; do last="$each"; done\necho "$last"\n', encoding="utf-8")
    fake.chmod(0o755)
    done = step("Install", tmp_path, COMMAND=command, GITHUB_ACTION_PATH="/action")
    assert done.stdout.strip() == f"/action{extras}"


@pytest.mark.process
def test_the_action_refuses_another_command(tmp_path: Path) -> None:
    done = step("Install", tmp_path, COMMAND="serve", GITHUB_ACTION_PATH="/action")
    assert done.returncode == 2
    assert done.stdout.startswith("::error::The input 'command' is 'serve'.")


def test_no_input_of_the_action_is_pasted_into_a_script() -> None:
    scripts = [each["run"] for each in ACTION["runs"]["steps"] if "run" in each]
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]
    assert all(re.search(r"@[0-9a-f]{40}$", each["uses"]) for each in ACTION["runs"]["steps"] if "uses" in each)


@pytest.mark.process
def test_the_hook_checks_the_recordings_that_a_commit_changes() -> None:
    chosen = re.compile(HOOK["files"])
    assert all(map(chosen.search, ["tests/cassettes/a.yaml", "recordings/b/c.jsonl.gz", "cassettes/x.har"]))
    assert not any(map(chosen.search, ["README.md", "src/cassettes.py", "config/a.yaml", "cassettes/notes.md"]))
    script, *arguments = shlex.split(HOOK["entry"])
    command = [str(Path(sys.executable).parent / script), *arguments, str(VIOLATING)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def test_the_image_runs_as_nobody_and_holds_what_the_wheel_is_built_from() -> None:
    users = [line.split()[1] for line in IMAGE if line.startswith("USER")]
    assert users == ["65532:65532"]
    assert IMAGE.index("USER 65532:65532") > max(n for n, line in enumerate(IMAGE) if line.startswith("RUN"))
    copied = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    needed = ["pyproject.toml", "README.md", "LICENSE", "conformance", "specs", "cassettes", "docs/contract"]
    assert copied[0] == "*"
    assert {f"!{each}" for each in needed} <= set(copied)
    assert all((ROOT / each).exists() for each in needed)
    assert 'ENTRYPOINT ["conformance"]' in IMAGE


def test_the_page_uses_the_inputs_that_the_action_has() -> None:
    [example] = re.findall(r"```yaml\n(- uses: .*?)```", PAGE, re.DOTALL)
    [used] = yaml.safe_load(example)
    assert set(used["with"]) <= set(ACTION["inputs"])
    assert f"id: {HOOK['id']}" in PAGE
