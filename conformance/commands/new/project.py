"""Set up the current folder: a scenario, a folder of cassettes, the settings and a CI job.

Example: conformance new project && conformance record --scenario first-call
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from conformance.commands.new.common import template, write_missing, write_scenario
from conformance.commands.new.common.requirement import requirement
from conformance.model.settings import OWN, PYPROJECT

FIRST = "first-call"
"""The name of a new project's first scenario."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """There is nothing to choose."""


def run(_: Options) -> int:
    """Writes the missing files of a project in the working directory, and reports the unchanged ones."""
    _write_settings()
    write_missing(Path("cassettes", "README.md"), template("cassettes.md"))
    _write_requirements()
    write_missing(Path(".github", "workflows", "conformance.yml"), template("workflow.yml"))
    folder = Path("scenarios")
    if any(folder.glob("*.y*ml")):
        click.echo(f"{folder}: has scenarios, left unchanged")
    else:
        write_scenario(folder, FIRST)
        click.echo(f"wrote {folder / FIRST}.yaml")
    click.echo("\nnext:")
    click.echo(f"  conformance record --scenario {FIRST}")
    click.echo("  conformance replay")
    return 0


def _write_requirements() -> None:
    path = Path("requirements-conformance.txt")
    if path.exists():
        write_missing(path, "")
        return
    line, hint = requirement()
    write_missing(path, template("requirements.txt").format(requirement=line))
    if hint:
        click.echo(f"{path}: {hint}")


def _write_settings() -> None:
    pyproject = Path(PYPROJECT)
    if pyproject.exists() and "[tool.conformance]" in pyproject.read_text(encoding="utf-8", errors="replace"):
        lines = " and ".join(f"`{line}`" for line in template("conformance.toml").splitlines()[1:])
        click.echo(f"{pyproject}: has [tool.conformance], left unchanged; add {lines} if they are missing")
        return
    write_missing(Path(OWN), template("conformance.toml"))
