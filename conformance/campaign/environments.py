"""Environments with other versions of a client and with this package: made once, kept in the user's cache.

The package is not installed a second time: the environment's `site-packages` links to the running one, next to the
packages that it needs and the client in the requested version.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import conformance
from conformance.cassette.redact import shown
from conformance.drivers.extras import CLIENTS
from conformance.errors import ConformanceError
from conformance.model.schema_words import nearest

_DISTRIBUTION = "tool-use-conformance"
_NEEDED = ("click", "deepdiff", "jinja2", "jsonschema", "jsonschema-rs", "pyyaml", "rich", "vcrpy")
"""What the package needs for a replay, if its own metadata is not installed."""
_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*(?:(?:===?|~=|!=|<=?|>=?)[^;\s]+)?")


@dataclass(frozen=True, slots=True)
class Environment:
    """`requirements` are the requested ones, `python` is the environment's interpreter."""

    requirements: tuple[str, ...]
    python: Path

    @property
    def name(self) -> str:
        return " ".join(self.requirements)

    def installed(self, package: str) -> str:
        """The version of a distribution in the environment."""
        code = f"from importlib.metadata import version; print(version({package!r}))"
        return self.run("-c", code).stdout.strip()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs the interpreter of the environment and waits until it exits."""
        outer = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        return subprocess.run(  # noqa: S603 - the interpreter that was made here
            [str(self.python), *arguments], capture_output=True, text=True, check=False, env=outer
        )


def environment(requirements: Sequence[str]) -> Environment:
    """The environment in which these requirements are installed; created if it does not exist.

    Raises:
        ConformanceError: the first requirement does not name a client, or one cannot be installed.
    """
    for number, each in enumerate(requirements):
        _checked(each, client=not number)
    needed = (*_dependencies(), *requirements)
    key = hashlib.sha256("\n".join((sys.version, *sorted(needed))).encode()).hexdigest()[:16]
    folder = _cache() / key
    found = Environment(tuple(requirements), folder / ("Scripts" if os.name == "nt" else "bin") / "python")
    ready = folder / ".ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make(folder, found, needed)
        ready.touch()
    _link(found)
    return found


def client_of(requirement: str) -> str:
    """The name of the distribution in a requirement."""
    found = _REQUIREMENT.fullmatch(requirement.strip())
    return found["name"].lower() if found is not None else requirement


def _checked(requirement: str, *, client: bool = True) -> None:
    found = _REQUIREMENT.fullmatch(requirement.strip())
    if found is None:
        raise ConformanceError(f"{requirement!r} is not a requirement", "write a name and a version: 'openai==2.30'")
    name = found["name"].lower()
    if client and name not in CLIENTS:
        hint = nearest(name, CLIENTS, f"choose one of {', '.join(CLIENTS)}")
        raise ConformanceError(f"{name} is not a client that this suite drives", hint)


def _dependencies() -> tuple[str, ...]:
    """What this package needs for a replay: its own dependencies and the recorder."""
    try:
        own = requires(_DISTRIBUTION) or []
    except PackageNotFoundError:
        return _NEEDED
    return (*(each for each in own if ";" not in each), "vcrpy")


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "conformance" / "environments"


def _make(folder: Path, made: Environment, needed: Sequence[str]) -> None:
    uv = shutil.which("uv")
    if uv is not None:
        steps = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(folder)],
            [uv, "pip", "install", "--quiet", "--python", str(made.python), *needed],
        ]
    else:
        pip = [str(made.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps = [[sys.executable, "-m", "venv", str(folder)], [*pip, *needed]]
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            raise ConformanceError(
                f"cannot install {made.name}: {_reason(done.stderr)}",
                "check the version, and that the package registry is reachable",
            )


def _reason(text: str) -> str:
    """The line of an installer's output that describes the error."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("ERROR", "error"))]
    return shown((errors or lines or ["no reason was given"])[-1])


def _link(made: Environment) -> None:
    """Links the running package into the environment; repeated each time, because it may have moved."""
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    target = Path(made.run("-c", code).stdout.strip()) / "conformance"
    source = Path(conformance.__file__).resolve().parent
    if target.is_symlink() and target.resolve() == source:
        return
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        shutil.rmtree(target)
    try:
        target.symlink_to(source, target_is_directory=True)
    except OSError:  # symbolic links are not allowed here
        shutil.copytree(source, target)


def published(package: str) -> list[str]:
    """The versions of a distribution in the package registry, oldest first.

    Raises:
        ConformanceError: the registry is not reachable, or does not have the package.
    """
    _checked(package)
    pip = [sys.executable, "-m", "pip", "index", "versions", package, "--disable-pip-version-check"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    line = next((each for each in done.stdout.splitlines() if each.startswith("Available versions:")), None)
    if line is None:
        raise ConformanceError(
            f"cannot list the versions of {package}: {_reason(done.stderr)}",
            "check that the package registry is reachable",
        )
    return [each.strip() for each in line.partition(":")[2].split(",")][::-1]
