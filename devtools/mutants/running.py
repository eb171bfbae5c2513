"""A run over all dialects: each folder of cassettes is a task, so that several processes share the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from conformance.model.data_files import data_dir
from devtools.mutants.operator import Operator, all_operators
from devtools.mutants.sampling import Choice, choose, rank, shuffled
from devtools.mutants.sources import cassettes, corpus_files, from_cassettes, from_corpus
from devtools.mutants.subject import Subject
from devtools.mutants.trial import Outcome, conforms, try_out

_CORPUS = "corpus/"
"""The prefix of the name of a part that is a file of real recordings."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The mutants to try. `cap` is how many of each operator and kind of place in a dialect; `sample`, if
    it is not 0, how many of a dialect in total; `exchanges` from how many exchanges, 0 for all.
    """

    parts: tuple[str, ...]
    dialects: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    cap: int = 20
    sample: int = 0
    exchanges: int = 0
    seed: int = 0

    @property
    def whole(self) -> bool:
        """Whether everything is tried, so that an entry that excuses nothing is stale."""
        return not self.sample and not self.exchanges and not self.operators


def parts_of(source: str, dialects: Sequence[str] = ()) -> tuple[str, ...]:
    """The tasks of a source: a folder of cassettes or a file of the corpus each; none if the corpus is absent.

    A dialect without a folder may be in every folder, and any dialect may be in any file.
    """
    folders = tuple(sorted(path.name for path in data_dir("cassettes").iterdir() if path.is_dir()))
    if set(dialects) <= set(folders):
        folders = tuple(folder for folder in folders if not dialects or folder in dialects)
    files = tuple(f"{_CORPUS}{path.name}" for path in corpus_files())
    return {"cassettes": folders, "corpus": files}.get(source, (*folders, *files))


def is_corpus(part: str) -> bool:
    """Whether a part is a file of real recordings."""
    return part.startswith(_CORPUS)


def run(plan: Plan, jobs: int = 1, done: Callable[[str, int], None] | None = None) -> Iterator[Outcome]:
    """The outcomes of all mutants, part by part in their order. `done` gets the name of each part, and its mutants."""
    with ExitStack() as stack:
        each: Callable[..., Iterable[list[Outcome]]] = map
        if jobs > 1:
            each = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))).map
        for part, outcomes in zip(plan.parts, each(partial(_outcomes, plan), plan.parts), strict=True):
            yield from outcomes
            if done is not None:
                done(part, len(outcomes))


def _outcomes(plan: Plan, part: str) -> list[Outcome]:
    return [try_out(subject, operator, fault) for subject, operator, fault in choices(plan, part)]


def choices(plan: Plan, part: str) -> Iterable[Choice]:
    """The mutants of one part that the plan includes."""
    found = choose(
        subjects_of(plan, part),
        cap=plan.cap,
        home=None if is_corpus(part) else part,
        operators=_operators(plan),
    )
    wanted = (each for each in found if not plan.dialects or each[1].dialect_of(each[0]) in plan.dialects)
    return _sampled(wanted, plan) if plan.sample else wanted


def subjects_of(plan: Plan, part: str) -> list[Subject]:
    """The conforming exchanges of one part, in the order in which the plan takes them."""
    found = from_corpus(part.removeprefix(_CORPUS)) if is_corpus(part) else from_cassettes(cassettes([part]))
    subjects: list[Subject] = []
    for subject in shuffled(found, plan.seed):
        if plan.exchanges and len(subjects) == plan.exchanges:
            break
        if conforms(subject):
            subjects.append(subject)
    return subjects


def _operators(plan: Plan) -> Sequence[Operator]:
    return [each for each in all_operators() if not plan.operators or each.name in plan.operators]


def _sampled(found: Iterable[Choice], plan: Plan) -> Iterator[Choice]:
    """The first few of each dialect, in the order of their hash."""
    by_dialect: dict[str, list[tuple[int, Choice]]] = {}
    for subject, operator, fault in found:
        number = rank(plan.seed, subject.name, operator.name, fault.side, fault.place)
        by_dialect.setdefault(operator.dialect_of(subject), []).append((number, (subject, operator, fault)))
    for ranked in by_dialect.values():
        yield from (choice for _, choice in sorted(ranked, key=lambda each: each[0])[: plan.sample])
