"""`conformance new project` writes what installs this package in a CI job, from where it was installed itself."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.commands.new.common import requirement as module
from conformance.model.version import VERSION

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def _written(source: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    text = None if source is None else json.dumps(source)
    monkeypatch.setattr(module, "distribution", lambda _: SimpleNamespace(read_text=lambda _: text))
    return module.requirement()


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (None, f"tool-use-conformance[all]=={VERSION}"),
        (
            {"url": "https://git.example/a/b.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
            f"tool-use-conformance[all] @ git+https://git.example/a/b.git@{COMMIT}",
        ),
        (
            {"url": "https://ci:t0ken@git.example/a/b.git", "vcs_info": {"vcs": "git", "commit_id": COMMIT}},
            f"tool-use-conformance[all] @ git+https://git.example/a/b.git@{COMMIT}",
        ),
        (
            {"url": "https://files.example/x-1-py3-none-any.whl", "archive_info": {}},
            "tool-use-conformance[all] @ https://files.example/x-1-py3-none-any.whl",
        ),
    ],
)
def test_the_line_names_the_source_without_a_password(source: Any, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _written(source, monkeypatch) == (line, "")


def test_a_wheel_is_copied_into_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "dist" / "x-1-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"PK")
    monkeypatch.chdir(tmp_path)
    line, hint = _written({"url": wheel.as_uri(), "archive_info": {}}, monkeypatch)
    assert line == "./wheels/x-1-py3-none-any.whl[all]"
    assert (tmp_path / "wheels" / wheel.name).read_bytes() == b"PK"
    assert hint == f"commit wheels/{wheel.name}: the CI job installs it"


@pytest.mark.process
@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://me:secret@git.example/a/b", "https://git.example/a/b"),
        ("git@git.example:a/b.git", "ssh://git@git.example/a/b.git"),
        ("../elsewhere", None),
    ],
)
def test_a_clone_is_named_by_its_remote_and_its_commit(
    remote: str, url: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.example", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "-m", "first")
    git("remote", "add", "origin", remote)
    line, hint = _written({"url": tmp_path.as_uri(), "dir_info": {}}, monkeypatch)
    if url is None:
        assert line == f"tool-use-conformance[all] @ {tmp_path.as_uri()}"
        assert "replace it by git+https://" in hint
    else:
        assert (line, hint) == (f"tool-use-conformance[all] @ git+{url}@{git('rev-parse', 'HEAD')}", "")
