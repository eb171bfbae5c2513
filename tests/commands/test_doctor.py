"""`conformance doctor` shows what is there, names what is wrong, and never shows a key."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from conformance.commands.doctor import run as doctor

KEY = "tp-0123456789-very-secret"


def invoke(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *arguments], env=environment)


def lines(*arguments: str, **environment: str) -> dict[str, dict[str, Any]]:
    """The lines by name."""
    result = invoke(*arguments, "--format", "json", **environment)
    return {each["name"]: each for each in json.loads(result.stdout)["lines"]}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_clients_are_listed_with_their_versions_and_dialects() -> None:
    found = lines()["openai"]
    assert found["state"] == "ok"
    assert found["detail"].startswith(f"{version('openai')} on httpx")
    assert "openai-responses" in found["detail"]


def test_keys_are_named_and_never_shown() -> None:
    result = invoke(GROQ_API_KEY=KEY, XAI_API_KEY="")
    assert result.exit_code == 0
    assert "ok       GROQ_API_KEY" in result.output
    assert "absent   XAI_API_KEY" in result.output
    assert KEY not in result.output
    assert result.output.endswith("no problems\n")


def test_a_wrong_setting_is_a_problem(elsewhere: Path) -> None:
    (elsewhere / "conformance.toml").write_text('ignore = "chat"\n', encoding="utf-8")
    result = invoke()
    assert result.exit_code == 1
    assert "problem  settings" in result.output
    assert "conformance.toml" in result.output


def test_a_folder_of_cassettes_that_is_not_there_is_a_problem(elsewhere: Path) -> None:
    (elsewhere / "conformance.toml").write_text('cassettes = "kept"\n', encoding="utf-8")
    found = lines()["own cassettes"]
    assert found["state"] == "problem"
    assert "kept: no such folder" in found["detail"]


def test_a_client_that_is_not_installed_is_absent_and_one_that_is_too_old_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "why_unavailable", lambda driver: f"{driver.package} cannot be driven")
    assert lines()["openai"]["state"] == "problem"
    monkeypatch.setattr(doctor, "_installed", lambda _package: None)
    assert lines()["openai"]["state"] == "absent"
    assert lines()["vcrpy"]["detail"].startswith("not installed: pip install")
