"""`conformance results`: a table of implementations against statements, from the reports of many runs."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.model.printable import count, visible
from conformance.results.site import build


def run(*, folder: str, output: str) -> int:
    """Writes the site and says what it has."""
    every = build(Path(folder), Path(output))
    runs = sum(len(each.days) for each in every)
    dialects = {dialect for each in every for dialect in each.latest.dialects}
    told = f"{count(len(every), 'implementation')}, {count(runs, 'run')}, {count(len(dialects), 'dialect')}"
    click.echo(visible(f"{told}: {Path(output) / 'index.html'}"))
    return 0
