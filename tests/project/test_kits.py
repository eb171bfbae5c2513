"""The adoption kits: they are as made, and the step that runs the suite does so, here against the reference server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.commands import app
from devtools.kits import FOLDER, files, kits
from tests.project.test_workflows import commands, workflow
from tests.servers import free_port, running

NAMES = list(kits())
WANTED = ["vllm", "sglang", "llama-cpp", "ollama", "litellm", "lmdeploy", "tgi", "gateway-api-inference-extension"]


def step(name: str, title: str) -> str:
    steps = workflow(f"{name}.yml", FOLDER)["jobs"]["conformance"]["steps"]
    [found] = [each["run"] for each in steps if each.get("name") == title]
    return str(found)


def ran(name: str, title: str, folder: Path, port: int) -> subprocess.CompletedProcess[str]:
    """A step as the job runs it, with the stand-in's address for the server's, judged as what it is."""
    job: Mapping[str, Any] = workflow(f"{name}.yml", FOLDER)["jobs"]["conformance"]
    own = str(kits()[name]["port"])
    chosen = {
        **job["env"],
        "BASE_URL": job["env"]["BASE_URL"].replace(own, str(port)),
        "OPTIONS": "--profile openai --scenario weather --driver raw-http",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    words = ["bash", "-e", "-o", "pipefail", "-c", step(name, title)]
    return subprocess.run(words, cwd=folder, env=os.environ | chosen, capture_output=True, text=True, check=False)


def test_there_is_a_kit_for_each_server() -> None:
    assert NAMES == WANTED


def test_the_files_are_as_made_from_kits_yaml() -> None:
    made = dict(files())
    assert {path.name for path in FOLDER.iterdir()} == {path.name for path in made} | {"kits.yaml"}
    assert [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text] == []


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_the_shell_and_the_command_line_accept_every_step(name: str) -> None:
    document = workflow(f"{name}.yml", FOLDER)
    assert document["permissions"] == {"contents": "read"}
    job = document["jobs"]["conformance"]
    for each in job["steps"]:
        subprocess.run(["bash", "-n", "-c", each.get("run", "")], check=True)
        assert "secrets." not in str(each)
    run = [words for words in commands(document) if words[0] == "run"]
    assert len(run) == 2
    for words in run:
        given = [word for word in words[1:] if word != "$OPTIONS"]
        assert app.commands["run"].make_context("run", given).params


@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_the_run_judges_a_stand_in_server_and_keeps_its_recordings(name: str, tmp_path: Path) -> None:
    port = free_port()
    with running([sys.executable, "-m", "conformance", "serve", "--port", str(port), "--quiet"], port):
        done = ran(name, "Run", tmp_path, port)
    assert done.returncode == 0, done.stdout + done.stderr
    assert list((tmp_path / "recordings").rglob("*.yaml"))


@pytest.mark.process
def test_a_fault_fails_the_run_and_the_proposed_baseline_names_it(tmp_path: Path) -> None:
    port = free_port()
    serve = ["serve", "--port", str(port), "--quiet", "--behaviour", "required-field-gone"]
    with running([sys.executable, "-m", "conformance", *serve], port):
        failed = ran("vllm", "Run", tmp_path, port)
        ran("vllm", "Propose a baseline", tmp_path, port)
    assert failed.returncode == 1
    assert "::error" in failed.stdout
    accepted = yaml.safe_load((tmp_path / ".github" / "conformance-baseline.yaml").read_text(encoding="utf-8"))
    assert accepted["accepted"]
