"""The samples in `examples/` work with the installed wheel; so do the commands and programs of docs/pytest.md."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devtools.places import ROOT
from tests.sampling import Extent
from tests.testing.test_pytest_check import needs

PAGE = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
SAMPLES = dict(re.findall(r"^\| `(examples/[\w-]+)` \| .+ \| `(.+)` \|$", PAGE, re.MULTILINE))
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(command: str, folder: Path, package: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of the page, with the package from this folder and without a network: nothing is recorded."""
    words = [
        sys.executable,
        *([] if command.startswith("python") else ["-m"]),
        *shlex.split(command.removeprefix("python ")),
    ]
    return subprocess.run(
        words,
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
        env={**os.environ, "PYTHONPATH": str(package), "CI": "true", "NO_COLOR": "1", **environment},
    )


@pytest.fixture
def copied(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A sample outside of this repository."""
    source = ROOT / str(request.param)
    shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    return tmp_path / source.name


def test_every_folder_of_samples_is_on_the_page() -> None:
    assert set(SAMPLES) == {f"examples/{each.name}" for each in (ROOT / "examples").iterdir() if each.is_dir()}


OFFLINE = {sample: command for sample, command in SAMPLES.items() if not command.startswith("make ")}
"""The samples that need no registry."""


@pytest.mark.process
@pytest.mark.parametrize(("copied", "command"), OFFLINE.items(), ids=list(OFFLINE), indirect=["copied"])
def test_a_sample_passes_with_the_installed_wheel(copied: Path, command: str, installed: Path) -> None:
    if copied.name == "pytest-recording":
        needs("pytest_recording")
    if copied.name == "asyncio":
        needs("pytest_asyncio")
    if copied.name == "frameworks":
        needs("pydantic_ai")
    done = run(command, copied, installed)
    assert done.returncode == 0, done.stdout + done.stderr
    if command.startswith("pytest"):
        assert re.search(r"^conformance: [1-9]\d* exchanges checked: 0 errors, 0 warnings", done.stdout, re.MULTILINE)


@pytest.mark.process
def test_the_samples_run_with_the_wheel_and_not_with_this_checkout(tmp_path: Path, installed: Path) -> None:
    done = run("python -c 'import conformance; print(conformance.__file__)'", tmp_path, installed)
    assert Path(done.stdout.strip()) == installed / "conformance" / "__init__.py"


@pytest.mark.process
@pytest.mark.parametrize("copied", ["examples/own-scenarios"], indirect=True)
def test_own_scenarios_are_recorded_again_and_compared(copied: Path, installed: Path) -> None:
    words = "" if Extent.full else "--dialect openai-chat --dialect anthropic-messages"  # of those that are shipped
    recorded = run(f"python -m conformance record --scenario order-status --cassettes again {words}", copied, installed)
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    again, shipped = (
        {each.relative_to(copied / folder) for each in (copied / folder).rglob("*.yaml")}
        for folder in ("again", "cassettes")
    )
    assert again > shipped
    compared = run(
        "python -m conformance diff cassettes again --dialect openai-chat --driver openai", copied, installed
    )
    assert compared.returncode == 0, compared.stdout + compared.stderr


@pytest.mark.process
@pytest.mark.parametrize("copied", ["examples/pytest-recording"], indirect=True)
def test_a_sample_fails_when_the_application_drops_a_tool_result(copied: Path) -> None:
    needs("pytest_recording")
    application = copied / "weather_agent.py"
    sound = application.read_text(encoding="utf-8")
    broken = sound.replace('"tool_call_id": call.id', '"tool_call_id": "call_0"')
    assert broken != sound
    application.write_text(broken, encoding="utf-8")
    done = run("pytest", copied)
    assert done.returncode == 1
    assert "1 passed, 1 error" in done.stdout
    assert "tool-call-unanswered" in done.stdout


@pytest.mark.process
def test_the_programs_of_the_page_run(tmp_path: Path) -> None:
    marked, recorded, transport = PROGRAMS
    (tmp_path / "test_marked.py").write_text(marked, encoding="utf-8")
    (tmp_path / "test_transport.py").write_text(transport, encoding="utf-8")
    (tmp_path / "test_recorded.py").write_text(
        recorded + "\n\ndef run_my_agent():\n    import httpx2\n    httpx2.get('http://127.0.0.1:9/')\n",
        encoding="utf-8",
    )
    done = run("pytest -p no:randomly -p no:recording", tmp_path)
    assert "2 passed" in done.stdout
    assert "cassettes/weather.yaml: no such cassette, and the record mode is none" in done.stdout


def test_the_failure_on_the_page_is_one_of_the_plugin(pytester: pytest.Pytester) -> None:
    from tests.testing.test_pytest_check import UNANSWERED, cassette, sample

    cassette(pytester.path / "cassettes" / "agent.yaml")
    pytester.makepyfile(test_it=sample(UNANSWERED))
    output = pytester.runpytest_inprocess("--conformance-check", "-p", "no:xdist").stdout.str()
    shown, *_ = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    for line in shown.splitlines():
        if line.startswith("  ") and not line.startswith(("  at", "  again", "  actual", "  found")):
            assert line in output.splitlines()
        else:
            assert line[:10] in output
