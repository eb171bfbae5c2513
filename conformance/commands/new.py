"""`conformance new`: writes a scenario, or the files of a project with its own scenarios. It never replaces a file."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click

from conformance.commands import new_files
from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.model.settings import OWN, PYPROJECT, settings_of
from conformance.model.version import VERSION
from conformance.scenario.load import all_scenarios

FIRST = "first-call"
"""The name of a new project's first scenario."""

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def scenario(name: str, folder: str | None) -> int:
    """Writes a scenario with comments, and beside it the schema for editors.

    Raises:
        ConformanceError: the name is not one, or is taken; or the file exists.
    """
    if not _NAME.fullmatch(name):
        better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-").lstrip("0123456789-")
        hint = f"write {better!r}" if better else "begin with a lower-case letter; then letters, digits and `-`"
        raise ConformanceError(f"{name!r} is not the name of a scenario", hint)
    if name in all_scenarios():
        raise ConformanceError(f"the package already has a scenario {name!r}", "choose another name")
    configured = settings_of().values.get("scenarios")
    place = Path(folder) if folder else _near(Path(configured[0] if configured else "scenarios"))
    path = place / f"{name}.yaml"
    if path.exists():
        raise ConformanceError(f"{path}: file exists", "choose another name, or edit the file")
    _write_scenario(place, name)
    click.echo(f"wrote {path}")
    known = configured and place.resolve() in [Path(each).resolve() for each in configured]
    option = "" if known else f" --scenarios {shlex.quote(str(place))}"
    click.echo(f"record it with: conformance record{option} --scenario {name} --cassettes cassettes")
    return 0


def _near(folder: Path) -> Path:
    """The folder relative to the working directory, if it is below it."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder


def project() -> int:
    """Writes the missing files of a project in the working directory, and reports the unchanged ones."""
    _put_settings()
    _put(Path("cassettes", "README.md"), new_files.CASSETTES)
    _put(Path("requirements-conformance.txt"), new_files.REQUIREMENTS.format(version=VERSION))
    _put(Path(".github", "workflows", "conformance.yml"), new_files.WORKFLOW)
    folder = Path("scenarios")
    if any(folder.glob("*.y*ml")):
        click.echo(f"{folder}: has scenarios, left unchanged")
    else:
        _write_scenario(folder, FIRST)
        click.echo(f"wrote {folder / FIRST}.yaml")
    click.echo("\nnext:")
    click.echo(f"  conformance record --scenario {FIRST}")
    click.echo("  conformance replay")
    return 0


def _put_settings() -> None:
    pyproject = Path(PYPROJECT)
    if pyproject.exists() and "[tool.conformance]" in pyproject.read_text(encoding="utf-8", errors="replace"):
        lines = " and ".join(f"`{line}`" for line in new_files.CONFIGURATION.splitlines()[1:])
        click.echo(f"{pyproject}: has [tool.conformance], left unchanged; add {lines} if they are missing")
        return
    _put(Path(OWN), new_files.CONFIGURATION)


def _write_scenario(folder: Path, name: str) -> None:
    """Writes the scenario and, unless it is there, the schema."""
    _create(folder / f"{name}.yaml", new_files.SCENARIO.format(name=name, schema=new_files.SCHEMA))
    if not (folder / new_files.SCHEMA).exists():
        _create(folder / new_files.SCHEMA, (data_dir("specs") / new_files.SCHEMA).read_text(encoding="utf-8"))


def _put(path: Path, text: str) -> None:
    if path.exists():
        click.echo(f"{path}: exists, left unchanged")
        return
    _create(path, text)
    click.echo(f"wrote {path}")


def _create(path: Path, text: str) -> None:
    """Writes a new file; one that appears in the meantime is not replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
