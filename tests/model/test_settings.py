"""The settings of a project: found, checked by a schema, used as defaults, and shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest

from conformance.commands import app
from conformance.commands.common.verbs import Verb
from conformance.errors import ConformanceError
from conformance.judge.selection import chosen
from conformance.model.settings import schema, settings_of, toml
from devtools.places import ROOT
from tests.program import conformance

PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
KEYS: dict[str, Any] = dict(schema()["properties"])
OUTSIDE = ("select", "ignore", "strict", "baseline")
"""Read where findings are chosen, by every command and by pytest."""


def settable() -> dict[str, list[str]]:
    """The verbs that take each key as a default."""
    found: dict[str, list[str]] = {}
    for name, command in app.commands.items():
        for key in command.settings if isinstance(command, Verb) else ():
            found.setdefault(key, []).append(name)
    return found


SETTABLE = settable()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_schema_is_one_and_its_samples_fit() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    for name, key in KEYS.items():
        assert key["title"], name
        assert key["description"], name
        jsonschema.validate({name: key["examples"][0]}, schema())
        if "default" in key:
            jsonschema.validate({name: key["default"]}, schema())


def test_every_setting_is_an_option_with_the_same_default() -> None:
    assert set(KEYS) == {*SETTABLE, *OUTSIDE}
    for key, commands in SETTABLE.items():
        for command in commands:
            options = {name: each for each in app.commands[command].params for name in each.opts}
            option = options[f"--{key}"]
            flag = isinstance(option, click.Option) and option.is_flag
            if "default" in KEYS[key] and not option.multiple and not flag:
                assert option.default == KEYS[key]["default"], (command, key)


def test_the_page_names_every_setting() -> None:
    rows = re.findall(r"^\| ((?:`[\w-]+`(?:, )?)+) \|", PAGE, re.MULTILINE)
    assert [name for row in rows for name in re.findall(r"`([\w-]+)`", row)] == list(KEYS)


def test_the_page_names_the_commands_that_take_each_setting() -> None:
    rows = re.findall(r"^\| ((?:`[\w-]+`(?:, )?)+) \|.*\| ([^|]+) \|$", PAGE, re.MULTILINE)
    named = {
        key: sorted(each for each in re.findall(r"`(\w+)`", where) if isinstance(app.commands[each], Verb))
        for keys, where in rows
        for key in re.findall(r"`([\w-]+)`", keys)
        if key not in OUTSIDE
    }
    assert named == SETTABLE


@pytest.mark.parametrize(("name", "head"), [("pyproject.toml", "[tool.conformance]\n"), ("conformance.toml", "")])
def test_both_files_hold_from_the_folder_upwards_and_paths_start_at_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, head: str
) -> None:
    text = f'{head}ignore = ["chat-"]\ncassettes = "kept"\ntargets = ["a.yaml"]\n'
    (folder / name).write_text(text, encoding="utf-8")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    found = settings_of()
    assert found.values == {
        "ignore": ["chat-"],
        "cassettes": str(folder / "kept"),
        "targets": [str(folder / "a.yaml")],
    }
    assert found.source("ignore") == f"{folder / name}:{text[: text.index('ignore')].count(chr(10)) + 1}"
    assert found.source("strict") == "default"
    assert chosen().ignore == ("chat-",)


def test_two_files_in_one_folder_are_an_error(folder: Path) -> None:
    (folder / "conformance.toml").write_text("strict = true\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert settings_of().values == {"strict": True}
    (folder / "pyproject.toml").write_text("[tool.conformance]\nstrict = true\n", encoding="utf-8")
    with pytest.raises(ConformanceError, match=r"\[tool\.conformance\] is here, and conformance\.toml is beside it"):
        settings_of()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('ignore = "chat"', '`ignore` is not a list of rule ids or prefixes; write `ignore = ["chat-"]`'),
        ('ignor = ["chat-"]', "unknown key `ignor`; did you mean `ignore`?"),
        ("strikt = true", "unknown key `strikt`; did you mean `strict`?"),
        ("zzz = 1", "unknown key `zzz`; the keys are select, ignore, strict"),
        ('jobs = "2"', "`jobs` is not a number from 1; write `jobs = 2`"),
        ("jobs = 0", "`jobs` is not a number from 1"),
        ("jobs = true", "`jobs` is not a number from 1"),
        ('format = "jsn"', "`format` is not a format of reports; did you mean 'json'?"),
        ("timeout = 0", "`timeout` is not a number of seconds above 0"),
        ('targets = "a.yaml"', '`targets` is not a list of paths; write `targets = ["targets.yaml"]`'),
        ("budget = 2.5", '`budget` is not an amount as a string; write `budget = "2.50"`'),
        ("cassettes = []", "`cassettes` is not the path of a folder"),
    ],
)
def test_what_cannot_be_said_is_an_error_with_its_line(folder: Path, line: str, message: str) -> None:
    (folder / "conformance.toml").write_text(f"# ours\n{line}\n", encoding="utf-8")
    with pytest.raises(ConformanceError) as caught:
        settings_of()
    assert str(caught.value).startswith(f"{folder / 'conformance.toml'}:2: {message}")


def test_the_errors_on_the_page_are_those_of_the_program(folder: Path) -> None:
    [shown] = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    for text, line in zip(('ignor = ["chat-"]', 'ignore = "chat-"'), shown.splitlines(), strict=True):
        (folder / "pyproject.toml").write_text(f"[tool.conformance]\n{text}\n", encoding="utf-8")
        with pytest.raises(ConformanceError) as caught:
            settings_of()
        assert f"conformance: {caught.value}".replace(f"{folder}/", "") == line


def test_a_setting_is_the_default_of_the_option_and_the_option_goes_first(tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_text('format = "json"\ndialect = "gemini"\n', encoding="utf-8")
    path = str(ROOT / "tests" / "data" / "violating.jsonl")
    done = conformance("check", path, cwd=tmp_path)
    assert json.loads(done.stdout)["findings"][0]["dialect"] == "gemini"
    done = conformance("check", path, "--format", "text", "--dialect", "auto", cwd=tmp_path)
    assert "tool-call-unanswered" in done.stdout
    (tmp_path / "conformance.toml").write_text('dialect = "gemni"\n', encoding="utf-8")
    done = conformance("check", path, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "conformance: unknown dialect 'gemni'; did you mean 'gemini'?\n")


def test_wrong_settings_stop_the_commands_that_read_them_and_not_the_help(tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_text("ignore = 1\n", encoding="utf-8")
    done = conformance("check", "x.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "conformance.toml:1: `ignore` is not a list" in done.stderr
    assert conformance("check", "--help", cwd=tmp_path).returncode == 0
    assert conformance("explain", "C01", cwd=tmp_path).returncode == 0


def test_config_prints_what_is_in_force_and_where_it_comes_from(tmp_path: Path) -> None:
    [sample] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(sample, encoding="utf-8")
    lines = conformance("config", cwd=tmp_path).stdout.replace(f"{tmp_path}/", "").splitlines()
    [shown] = re.findall(r"\$ conformance config\n(.*?)…", PAGE, re.DOTALL)
    assert [re.sub(r" +", " ", line) for line in lines[:3]] == [re.sub(r" +", " ", line) for line in shown.splitlines()]
    document = json.loads(conformance("config", "--format", "json", cwd=tmp_path).stdout)
    assert list(document) == list(KEYS)
    assert document["strict"] == {"value": True, "source": f"{tmp_path / 'pyproject.toml'}:3"}
    assert document["jobs"] == {"value": 1, "source": "default"}


def test_values_are_written_as_toml() -> None:
    assert toml({"a": True}["a"]) == "true"
    assert toml(["a", 'b"']) == '["a", "b\\""]'
    assert toml(2.5) == "2.5"
