"""Commands that compare recordings and runs: `diff`, `history`, `results`."""

from __future__ import annotations

import sys
from typing import Any

import click

from conformance.cli import options


@click.command(
    short_help="Compare two recordings and show what changed.",
    epilog="Example: conformance diff cassettes recordings --dialect openai-chat --format markdown --output drift.md",
)
@click.argument("paths", metavar="OLD [NEW]", nargs=-1, required=True, type=click.Path())
@options.filters
@click.option(
    "--new",
    "new_sets",
    multiple=True,
    metavar="DIR",
    type=click.Path(),
    help="Folder of recordings of the new side; repeatable. All other paths are the old side, and sets are compared.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    metavar="SHARE",
    help="With --new: share of comparisons without a change that report none; default: 0.999.",
)
@click.option("--against-target", metavar="NAME", help="Record the new side now, from this target.")
@click.option("--targets", multiple=True, metavar="FILE", help="File that defines more targets; repeatable.")
@click.option(
    "--model", multiple=True, metavar="[DIALECT=]NAME", help="Model to use instead of the target's default; repeatable."
)
@click.option(
    "--budget", metavar="AMOUNT", help="Stop recording after spending this much: 2.50 (US dollars) or 200000tokens."
)
@click.option("--strict", is_flag=True, help="Exit with 1 for differences to review, too.")
@click.option("--output", metavar="FILE", help="Write the report to FILE instead of standard output.")
@click.option("--verbose", "-v", is_flag=True, help="Show noise in full, and the source of each grade.")
@click.option(
    "--format", "format_", type=click.Choice(("text", "json", "markdown", "html")), default="text", show_default=True
)
def diff(**given: Any) -> None:
    """Compare two recordings of the same scenarios: OLD and NEW are cassettes, or folders of cassettes.

    With --new, compare sets of recordings (`record --samples`, nights): only what shifts by more than it varies is
    reported.

    Each difference is noise (ids, times, wording), to be reviewed, or a change of behaviour, which fails. A difference
    in a request is the client's drift, one in a response the provider's.
    """
    from conformance.commands.diff import run

    sys.exit(run(**given))


@click.command(
    short_help="Show when a provider or a client changed, over many nights of recordings.",
    epilog="Example: conformance history nights --since 2026-11-01 --format html --output history.html",
)
@click.argument("folder", metavar="DIR", type=click.Path())
@options.filters
@click.option("--since", metavar="DATE", help="Only changes that came or lasted after this date: 2026-11-01.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.99,
    show_default=True,
    metavar="SHARE",
    help="At least this share of the changes in a report are real.",
)
@click.option(
    "--keep",
    metavar="RULE",
    help="Delete the folders of nights that are not needed: 14d,8w,12m keeps 14 days, 8 weeks, 12 months and every "
    "night at which a change began or ended.",
)
@click.option("--dry-run", is_flag=True, help="With --keep, only say which folders would be deleted.")
@click.option("--output", metavar="FILE", help="Write the report to FILE instead of standard output.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "markdown", "html")),
    default="text",
    show_default=True,
)
def history(**given: Any) -> None:
    """Show each change in dated recordings: first and last night, between which nights, in which models and dialects.

    DIR has a folder of recordings for each night, named by its date (2026-11-22). Recordings without such a folder are
    dated by their metadata.
    """
    from conformance.commands.history import run

    sys.exit(run(**given))


@click.command(
    short_help="Make a site: implementations against statements, from many JSON reports.",
    epilog="Example: conformance results reports --output site",
)
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--output", required=True, metavar="SITE", type=click.Path(), help="Folder to write the site to.")
def results(**given: Any) -> None:
    """Make a static site from the JSON reports of many runs: which implementation keeps which statement.

    DIR has the reports of `run`, `check` or `serve` as DIR/IMPLEMENTATION/VERSION/DATE.json.
    """
    from conformance.commands.results import run

    sys.exit(run(**given))
