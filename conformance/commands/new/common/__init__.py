"""Writing new files; none is replaced."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.commands.new.common import templates
from conformance.model.data_files import data_dir


def write_scenario(folder: Path, name: str) -> None:
    """Writes a scenario and, unless it is there, the schema."""
    create(folder / f"{name}.yaml", templates.SCENARIO.format(name=name, schema=templates.SCHEMA))
    if not (folder / templates.SCHEMA).exists():
        create(folder / templates.SCHEMA, (data_dir("specs") / templates.SCHEMA).read_text(encoding="utf-8"))


def write_missing(path: Path, text: str) -> None:
    """Writes a file unless it exists, and reports either."""
    if path.exists():
        click.echo(f"{path}: exists, left unchanged")
        return
    create(path, text)
    click.echo(f"wrote {path}")


def create(path: Path, text: str) -> None:
    """Writes a new file; one that appears in the meantime is not replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
