"""Commands that write files to start from: `new`."""

from __future__ import annotations

import sys
from typing import Any

import click


@click.group(
    short_help="Write a new scenario, or set up a project.", epilog="Example: conformance new scenario order-status"
)
def new() -> None:
    """Write a new scenario, or set up a project with scenarios of its own. No file is replaced."""


@new.command("scenario", epilog="Example: conformance new scenario order-status")
@click.argument("name")
@click.option("--folder", metavar="DIR", help="Folder to write to; default: the first of the settings, or scenarios.")
def new_scenario(**given: Any) -> None:
    """Write a commented scenario to start from, and its JSON Schema for editors."""
    from conformance.commands.new import scenario

    sys.exit(scenario(**given))


@new.command("project", epilog="Example: conformance new project && conformance record --scenario first-call")
def new_project() -> None:
    """Set up the current folder: a scenario, a folder of cassettes, the settings and a CI job."""
    from conformance.commands.new import project

    sys.exit(project())
