"""The wheel, built from the working tree: what is in it, and that it works from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

from conformance.model.unpacked import unpacked
from conformance.model.version import VERSION
from devtools.places import ROOT

pytestmark = pytest.mark.process

SCRIPTS = ("conformance", "tool-use-conformance")
EXCHANGES = ROOT / "tests" / "data" / "violating.jsonl"


def run(installed: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A script of the installed wheel, from a folder that has nothing to do with the repository."""
    elsewhere = installed.parent / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    return subprocess.run(
        [installed / "bin" / script, *arguments],
        capture_output=True,
        text=True,
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(installed), "NO_COLOR": "1"},
        check=False,
    )


def test_the_wheel_holds_the_package_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    assert wheel.name == f"tool_use_conformance-{VERSION}-py3-none-any.whl"
    info = f"tool_use_conformance-{VERSION}.dist-info/"
    data = {
        f"conformance/_data/specs/{path.relative_to(ROOT / 'specs').as_posix()}"
        for path in (ROOT / "specs").rglob("*")
        if path.is_file()
    }
    code = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "conformance").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and "_data" not in path.parts
    }
    packed = {"conformance/_data/cassettes.tar.xz", "conformance/_data/contract/known-bugs.md"}
    assert {name for name in names if name.startswith("conformance/_data/")} == data | packed
    assert {name for name in names if not name.startswith((info, "conformance/_data/"))} == code
    assert {f"{info}METADATA", f"{info}entry_points.txt", f"{info}licenses/LICENSE"} <= names
    assert "conformance/py.typed" in names


def test_both_scripts_are_the_same_program(wheel: Path) -> None:
    points = ConfigParser()
    with zipfile.ZipFile(wheel) as archive:
        points.read_string(archive.read(f"tool_use_conformance-{VERSION}.dist-info/entry_points.txt").decode())
    assert dict(points["console_scripts"]) == dict.fromkeys(SCRIPTS, "conformance.commands:main")
    assert dict(points["pytest11"]) == {"conformance": "conformance.testing.plugin"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_judges_exchanges_from_another_folder(installed: Path, script: str) -> None:
    done = run(installed, script, "--traceback", "check", str(EXCHANGES))
    assert (done.returncode, done.stderr) == (1, "")
    assert "error" in done.stdout
    assert run(installed, script, "--version").stdout == f"conformance {VERSION}\n"


def test_the_installed_package_replays_the_cassettes_that_came_with_it(installed: Path) -> None:
    done = run(installed, "tool-use-conformance", "replay", "--scenario", "weather", "--dialect", "react")
    assert done.returncode == 0, done.stderr
    assert "cells replayed without an error" in done.stdout


def test_the_cassettes_of_a_wheel_are_unpacked_once_and_are_those_of_the_checkout(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = Path(archive.extract("conformance/_data/cassettes.tar.xz", tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = unpacked(packed)
    assert folder.parent == tmp_path / "cache" / "tool-use-conformance"
    assert _files(folder) == _files(ROOT / "cassettes")
    unpacked.cache_clear()
    assert unpacked(packed) == folder
    assert list(folder.parent.iterdir()) == [folder]


def test_without_a_folder_for_caches_the_cassettes_are_unpacked_for_the_process(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = Path(archive.extract("conformance/_data/cassettes.tar.xz", tmp_path))
    (tmp_path / "cache").write_text("a file, no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    unpacked.cache_clear()
    folder = unpacked(packed)
    assert tmp_path / "cache" not in folder.parents
    assert _files(folder) == _files(ROOT / "cassettes")


def _files(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_a_project_of_an_installed_wheel_is_installed_from_it_again(wheel: Path, tmp_path: Path) -> None:
    site, project, again = (tmp_path / each for each in ("site", "project", "again"))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", site, wheel], check=True)
    project.mkdir()
    words = [str(site / "bin" / "conformance"), "new", "project"]
    subprocess.run(words, cwd=project, env={**os.environ, "PYTHONPATH": str(site)}, check=True, capture_output=True)
    subprocess.run([*pip, "--target", again, "-r", "requirements-conformance.txt"], cwd=project, check=True)
    assert (again / "conformance" / "__init__.py").is_file()
