"""`python -m devtools.mutants`: tries mutants, prints the results, and fails if too many escape."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import islice

import click
from rich.console import Console

from conformance.model.registry import all_dialects
from devtools.mutants import outgoing
from devtools.mutants.operator import all_operators
from devtools.mutants.running import Plan, choices, is_corpus, parts_of, run
from devtools.mutants.score import THRESHOLD, Score
from devtools.mutants.showing import shown
from devtools.mutants.table import show
from devtools.places import NO_CORPUS

_WIDTH = 200
_CAP = 20
_SAMPLE_CAP, _SAMPLE_EXCHANGES = 2, 120
"""The limits for the corpus when it is only a part of the run."""


@click.command()
@click.option("--dialect", "dialects", multiple=True, type=click.Choice(sorted(all_dialects())), help="Only this one.")
@click.option("--operator", "operators", multiple=True, help="Only this operator (see --list).")
@click.option(
    "--source",
    type=click.Choice(["cassettes", "corpus", "all"]),
    default="all",
    show_default=True,
    help="The shipped cassettes, the corpus of real recordings, or the first and a sample of the second.",
)
@click.option("--sample", type=click.IntRange(0), default=0, help="This many mutants of each dialect; 0 for all.")
@click.option("--cap", type=click.IntRange(1), default=_CAP, show_default=True, help="Mutants per operator and place.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the choice of mutants.")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Processes.")
@click.option("--outgoing/--no-outgoing", "sent", default=True, help="Also mutate the SDKs' requests, in each cell.")
@click.option(
    "--show", "place", help="Show the mutants whose place contains this text, with their change, instead of counting."
)
@click.option("--list", "listing", is_flag=True, help="List the operators.")
def main(
    *,
    dialects: tuple[str, ...],
    operators: tuple[str, ...],
    source: str,
    sample: int,
    cap: int,
    seed: int,
    jobs: int,
    sent: bool,
    place: str | None,
    listing: bool,
) -> None:
    """Put one fault into each of many conforming exchanges, and count what the rules catch.

    A whole run tries at most 20 mutants of each operator at each kind of place in each dialect, and, if
    the corpus is present, 2 of each in every file of it. `not judged` are mutants that the rules would catch in a
    recording of our own; in a recording of others, absence is no evidence.

    Example: python -m devtools.mutants --dialect gemini --source cassettes --cap 3
    """
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    known = {each.name: each for each in all_operators()}
    if listing:
        for name, each in known.items():
            console.print(f"{name:20} {(each.faults.__doc__ or '').strip()}", markup=False, highlight=False)
        return
    for name in operators:
        if name not in known:
            raise click.BadParameter(f"unknown operator {name!r}; --list lists them")
    plan = Plan(parts_of(source, dialects), dialects, operators, cap, sample, seed=seed)
    if source == "corpus" and not plan.parts:
        raise click.ClickException(f"{NO_CORPUS}; --source cassettes works without it")
    if place is not None:
        found = (choice for part in plan.parts for choice in choices(plan, part) if place in choice[2].pattern)
        for choice in islice(found, cap):
            console.print(shown(*choice), markup=False, highlight=False)
        return
    sys.exit(_judge(plan, jobs, console, sent=sent))


def _judge(plan: Plan, jobs: int, console: Console, *, sent: bool) -> int:
    """Prints the scores and the problems; returns 1 if there is a problem."""
    problems: list[str] = []
    own = tuple(part for part in plan.parts if not is_corpus(part))
    if own:
        score = Score().add_all(run(replace(plan, parts=own), jobs, _progress))
        show(score, console)
        problems += _shortfall(score)
        stale = score.ledger.stale(score.dialects, whole=plan.whole)
        problems += [f"specs/mutants.yaml: {text}" for text in stale]
    if own and sent and not plan.operators:
        console.print("\nMutated requests of the SDKs, judged by replay", style="bold")
        score = Score().add_all(outgoing.run(plan.dialects, seed=plan.seed, jobs=jobs))
        show(score, console)
        problems += _shortfall(score)
    theirs = tuple(part for part in plan.parts if is_corpus(part))
    if theirs:
        console.print("\nRecordings of others", style="bold")
        sample = replace(plan, parts=theirs)
        if own:
            sample = replace(sample, cap=min(plan.cap, _SAMPLE_CAP), exchanges=_SAMPLE_EXCHANGES)
        score = Score().add_all(run(sample, jobs, _progress))
        show(score, console)
        problems += [f"{dialect} is below {THRESHOLD:.0%} in real recordings" for dialect in score.below_abroad]
        problems += [f"internal error: {text}" for text in dict.fromkeys(score.broken)]
        if sample.whole and not plan.dialects and plan.cap >= _CAP:
            problems += [f"specs/mutants.yaml: {text}" for text in score.ledger.unused_abroad()]
    for problem in problems:
        console.print(problem, style="red", markup=False, highlight=False)
    return 1 if problems else 0


def _progress(part: str, mutants: int) -> None:
    """A whole run takes long: says on stderr what is done."""
    click.echo(f"{part}: {mutants:,} mutants", err=True)


def _shortfall(score: Score) -> list[str]:
    below = [f"{dialect} is below {THRESHOLD:.0%}" for dialect in score.below]
    return below + [f"internal error: {text}" for text in dict.fromkeys(score.broken)]


if __name__ == "__main__":
    main()
