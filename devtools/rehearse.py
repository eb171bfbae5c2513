"""Rehearses a release: `make rehearse` builds from a clean clone, and installs what it built in each Python there is.

It takes the committed files only. The wheel is installed with the newest dependencies in every Python of 3.11 to 3.14
that is found, with the lowest ones in the oldest (needs uv), and run by `uvx`. Each of them must judge the shipped
cassettes. The image of the Dockerfile is built where a Docker daemon runs; else its steps are run without one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from devtools.places import CASSETTES, ROOT

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
MOST_BYTES = 3 << 20
"""The largest wheel that is released."""


def main() -> int:
    """Runs the steps, and prints a line for each; 1 if one failed."""
    failed = 0
    with tempfile.TemporaryDirectory(prefix="rehearse-") as folder:
        for name, problem in _steps(Path(folder)):
            failed += problem is not None
            sys.stdout.write(f"{name}: {problem or 'ok'}\n")
            sys.stdout.flush()
    return 1 if failed else 0


def _steps(folder: Path) -> Iterator[tuple[str, str | None]]:
    clone, dist = folder / "clone", folder / "dist"
    yield "clean clone", _run(["git", "clone", "--quiet", str(ROOT), str(clone)])
    build = [sys.executable, "-c", _BUILD, str(dist)]
    yield "sdist and wheel", _run(build, cwd=clone)
    wheel, sdist = next(dist.glob("*.whl"), None), next(dist.glob("*.tar.gz"), None)
    if wheel is None or sdist is None:
        return
    size = wheel.stat().st_size
    about = f"{wheel.name}, {size:,} bytes"
    yield about, None if size <= MOST_BYTES else f"larger than {MOST_BYTES:,} bytes"
    with zipfile.ZipFile(wheel) as files:
        foreign = [each for each in files.namelist() if each.startswith(("tests", "devtools"))]
    yield "only the package is in the wheel", str(foreign) if foreign else None
    found = [each for each in PYTHONS if _python(each) is not None]
    for version in found:
        yield f"wheel in Python {version}", _installed(folder / version, _python(version), wheel)
    yield "sdist", _installed(folder / "sdist", _python(found[0]) if found else sys.executable, sdist)
    docker = shutil.which("docker") is not None and _run(["docker", "info"]) is None
    yield "Dockerfile" if docker else "Dockerfile's steps", _image(clone, folder / "image", None if docker else wheel)
    if (uv := shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))) is None:
        yield "uvx, and the lowest dependencies: not run, uv is not installed", None
        return
    yield "uvx --from WHEEL", _run([uv, "tool", "run", "--from", str(wheel), "conformance", "check", str(CASSETTES)])
    yield "lowest dependencies", _lowest(uv, folder / "lowest", wheel)


_BUILD = """
import os, sys
from hatchling import build
os.makedirs(sys.argv[1])
build.build_sdist(sys.argv[1])
build.build_wheel(sys.argv[1])
"""


def _python(version: str) -> str | None:
    """A Python of that version: on the path, or of pyenv."""
    named = shutil.which(f"python{version}")
    kept = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*/bin/python"))
    found = [*([named] if named else []), *map(str, kept)]
    return next((each for each in found if _run([each, "-c", ""]) is None), None)


def _installed(folder: Path, python: str | None, package: Path) -> str | None:
    """Installs a package into an environment of its own, and checks the shipped cassettes there."""
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    return (
        _run([python or sys.executable, "-m", "venv", str(folder)])
        or _run([*pip, str(package)])
        or _run([str(folder / "bin" / "conformance"), "check", str(CASSETTES)], cwd=folder)
    )


def _lowest(uv: str, folder: Path, wheel: Path) -> str | None:
    python = _python(PYTHONS[0]) or sys.executable
    return (
        _run([uv, "venv", "--quiet", "--python", python, str(folder)])
        or _run([uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), "--resolution",
                 "lowest-direct", str(wheel)])
        or _run([str(folder / "bin" / "conformance"), "check", str(CASSETTES)], cwd=folder)
    )  # fmt: skip


def _image(clone: Path, folder: Path, wheel: Path | None) -> str | None:
    """Builds the image; with a wheel, does what the Dockerfile does: installs it with all extras, by the pins."""
    if wheel is None:
        return _run(["docker", "build", "--quiet", "-t", "conformance-rehearsal", "."], cwd=clone)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    return (
        _run([_python("3.12") or sys.executable, "-m", "venv", str(folder)])
        or _run([*pip, "--constraint", str(clone / "constraints.txt"), f"{wheel}[all]"])
        or _run([str(folder / "bin" / "conformance"), "replay"], cwd=folder)
    )


def _run(command: list[str], cwd: Path | None = None) -> str | None:
    """What went wrong, in its last line; None if nothing did."""
    without = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    ran = subprocess.run(command, cwd=cwd, env=without, capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        return None
    lines = (ran.stderr or ran.stdout).strip().splitlines() or ["no message"]
    return f"`{' '.join(command[:4])} …` ended with {ran.returncode}: {lines[-1]}"


if __name__ == "__main__":
    sys.exit(main())
