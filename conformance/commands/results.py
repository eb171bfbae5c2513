"""Make a site: implementations against statements, from many JSON reports.

DIR has the reports of `run`, `check` or `serve` as DIR/IMPLEMENTATION/VERSION/DATE.json.

Example: conformance results reports --output site
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from conformance.commands.common.options import argument, option


@dataclass(frozen=True, kw_only=True)
class Options:
    folder: str = argument(metavar="DIR", type=click.Path())
    output: str = option(
        "--output", required=True, metavar="SITE", type=click.Path(), help="Folder to write the site to."
    )


def run(options: Options) -> int:
    """Writes the site, and prints how much it has."""
    from conformance.model.printable import count, visible
    from conformance.report.site.cells import age
    from conformance.report.site.site import build

    site = Path(options.output)
    every = build(Path(options.folder), site)
    runs = sum(len(each.days) for each in every)
    dialects = {dialect for each in every for dialect in each.latest.dialects}
    sums = f"{count(len(every), 'implementation')}, {count(runs, 'run')}, {count(len(dialects), 'dialect')}"
    click.echo(visible(f"{sums}: {site / 'index.html'}"))
    for each in every:
        if age(each.day):
            click.echo(visible(f"{each.about.name} {each.day.version}: its latest report is {age(each.day)}"))
    return 0
