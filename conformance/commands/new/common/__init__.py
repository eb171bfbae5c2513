"""Writing new files; none is replaced."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.model.data_files import data_dir

SCHEMA = "scenario.schema.json"
"""The name of the schema's copy beside the scenarios, by which editors check and complete them."""


def template(name: str) -> str:
    """The text of a file in `templates`."""
    return (Path(__file__).with_name("templates") / name).read_text(encoding="utf-8")


def write_scenario(folder: Path, name: str) -> None:
    """Writes a scenario and, unless it is there, the schema."""
    create(folder / f"{name}.yaml", template("scenario.yaml").format(name=name, schema=SCHEMA))
    if not (folder / SCHEMA).exists():
        create(folder / SCHEMA, (data_dir("specs") / SCHEMA).read_text(encoding="utf-8"))


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
