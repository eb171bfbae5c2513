"""What `check --engine ray` does: plan, run or resume, and read the result back."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, redirect_stdout
from pathlib import Path

from conformance.inputs import Source, sources
from conformance.judge.judging import Judged, Judging
from conformance.judge.summary import Summary
from conformance.model.frozen import dataclass
from conformance.model.printable import count
from conformance.scale import ray_engine
from conformance.scale.keys import REPEATED, require_member
from conformance.scale.plan import plan_of, prepare
from conformance.scale.result import Result
from conformance.scale.units import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the command line asks for beside the paths."""

    findings: str | None = None
    resume: bool = False
    by: str | None = None
    rate: float = 1.0
    address: str | None = None
    workers: int | None = None
    lists: bool = False
    format: str | None = None


def judged_by_ray(paths: Sequence[str], how: Judging, summary: Summary, wish: Wish) -> Iterator[Judged]:
    """The exchanges with findings, in the order of the inputs; adds everything but the findings to the summary.

    Raises:
        ConformanceError: the inputs cannot be read, or some of them were not judged.
    """
    found = list(sources(paths, wish.format, summary.files))
    files = [each for each in found if isinstance(each, Source)]
    if wish.by not in (None, REPEATED):
        require_member(files, wish.by)
    with ExitStack() as stack:
        output = wish.findings or stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-"))
        job = Job(output, how, wish.by, wish.rate, wish.lists, str(Path.cwd()))
        with redirect_stdout(sys.stderr), ray_engine.cluster(wish.address, wish.workers) as workers:  # it prints there
            plan = plan_of(files, workers=workers, spans=wish.by is not None)
            done = prepare(job, plan, resume=wish.resume)
            if done:
                print(f"conformance: {count(len(done), 'unit')} of work judged before")  # noqa: T201
            ray_engine.run(job, plan, done)
        yield from Result(job, found, summary).judged()
