"""Builds the corpus of real recordings from the repositories of sources.yaml, with git alone.

It takes the commits that are pinned there, reads the recordings with the readers of `check`, redacts them, and writes a
file for each API into `.corpus` (not committed). What is built already is kept: an interrupted run continues.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click

from conformance.errors import ConformanceError
from devtools.corpus import sources as listed
from devtools.corpus.building import Outcome, assemble, build
from devtools.corpus.sources import Source
from devtools.places import BUILT_CORPUS, missing_sources


@click.command(help=__doc__)
@click.option(
    "--mirror", type=click.Path(path_type=Path), help="Local copies instead of the network: a folder OWNER+NAME each."
)
@click.option("--only", multiple=True, metavar="OWNER/NAME", help="Only this repository. Repeatable.")
@click.option("--folder", type=click.Path(path_type=Path), default=BUILT_CORPUS, help="Where the corpus is built.")
@click.option("--jobs", default=2, help="Number of worker processes.")
@click.option("--write", is_flag=True, help="Write the counts and hashes into sources.yaml.")
def main(mirror: Path | None, only: tuple[str, ...], folder: Path, jobs: int, *, write: bool) -> None:
    every = listed.load()
    if unknown := {*only} - {each.repository for each in every}:
        raise click.UsageError(f"not in sources.yaml: {', '.join(sorted(unknown))}")
    chosen = [each for each in every if not only or each.repository in only]
    outcomes: dict[str, Outcome] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for source, outcome in zip(
            chosen, pool.map(partial(_built, folder=folder, mirror=mirror), chosen), strict=True
        ):
            _print(source, outcome, mistake=isinstance(outcome, str) or not (write or outcome.as_listed))
            if isinstance(outcome, Outcome):
                outcomes[source.name] = outcome
    counts = assemble(every, folder)
    there = len(every) - len(missing_sources(folder))
    click.echo(f"{folder}: {counts.total()} exchanges of {there} of {len(every)} sources")
    if write:
        renewed = [
            listed.with_outcome(each, outcomes[each.name].exchanges, outcomes[each.name].sha256)
            if each.name in outcomes
            else each
            for each in every
        ]
        listed.FILE.write_text(listed.dumped(renewed), encoding="utf-8")
    sys.exit(not write and not all(each.name in outcomes and outcomes[each.name].as_listed for each in chosen))


def _built(source: Source, folder: Path, mirror: Path | None) -> Outcome | str:
    try:
        return build(source, folder, mirror)
    except ConformanceError as error:
        return f"{error.message}; {error.hint}"


def _print(source: Source, outcome: Outcome | str, *, mistake: bool) -> None:
    if isinstance(outcome, str):
        click.echo(f"{source.repository}: not built: {outcome}", err=True)
        return
    state = "not what sources.yaml lists" if mistake else "built before" if outcome.reused else "built"
    click.echo(f"{source.repository}: {outcome.exchanges.total()} exchanges, {state}", err=mistake)
    for each in outcome.not_read:
        click.echo(f"  not read: {each}", err=True)


if __name__ == "__main__":
    main()
