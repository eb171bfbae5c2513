"""The wheel, built from the working tree and installed in a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from devtools.places import ROOT


def pip(*arguments: str, cwd: Path) -> None:
    options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    command = [sys.executable, "-m", "pip", arguments[0], *options, *arguments[1:]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the working tree, built with the installed hatchling."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT), cwd=folder)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path) -> Path:
    """The folder that the wheel is installed in, scripts in `bin`; the dependencies are those of this environment."""
    target = wheel.parent / "installed"
    pip("install", "--target", str(target), str(wheel), cwd=wheel.parent)
    return target
