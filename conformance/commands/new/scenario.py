"""Write a commented scenario to start from, and its JSON Schema for editors.

Example: conformance new scenario order-status
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from conformance.commands.common.options import argument, option
from conformance.commands.new.common import write_scenario
from conformance.errors import ConformanceError
from conformance.model.settings import settings_of
from conformance.scenario.load import all_scenarios

_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True, kw_only=True)
class Options:
    name: str = argument()
    folder: str | None = option(
        "--folder", metavar="DIR", help="Folder to write to; default: the first of the settings, or scenarios."
    )


def run(options: Options) -> int:
    """Writes the scenario, and beside it the schema.

    Raises:
        ConformanceError: the name is not one, or is taken; or the file exists.
    """
    name = options.name
    if not _NAME.fullmatch(name):
        better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-").lstrip("0123456789-")
        hint = f"write {better!r}" if better else "begin with a lower-case letter; then letters, digits and `-`"
        raise ConformanceError(f"{name!r} is not the name of a scenario", hint)
    if name in all_scenarios():
        raise ConformanceError(f"the package already has a scenario {name!r}", "choose another name")
    configured = settings_of().values.get("scenarios")
    place = Path(options.folder) if options.folder else _near(Path(configured[0] if configured else "scenarios"))
    path = place / f"{name}.yaml"
    if path.exists():
        raise ConformanceError(f"{path}: file exists", "choose another name, or edit the file")
    write_scenario(place, name)
    click.echo(f"wrote {path}")
    known = configured and place.resolve() in [Path(each).resolve() for each in configured]
    more = "" if known else f" --scenarios {shlex.quote(str(place))}"
    click.echo(f"record it with: conformance record{more} --scenario {name} --cassettes cassettes")
    return 0


def _near(folder: Path) -> Path:
    """The folder relative to the working directory, if it is below it."""
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder
