"""`check --engine ray` without Ray: the same units, one after the other in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from conformance.scale import ray_engine
from conformance.scale.plan import Plan
from conformance.scale.rows import pa
from conformance.scale.units import Job, Unit, Work, judge_keyed, keyed_tables
from devtools.places import ROOT

RECORDINGS, LOGS = ROOT / "tests" / "data" / "recordings", ROOT / "tests" / "data" / "logs"


@contextmanager
def _cluster(_address: str | None, _workers: int | None) -> Iterator[int]:
    yield 2


def _each(job: Job, units: Sequence[Unit], work: Work) -> None:
    for unit in units:
        work(job, unit)


def _grouped(job: Job, plan: Plan, parts: set[int]) -> None:
    tables = [table for unit in plan.units for table in keyed_tables(job, unit, plan.parts)]
    together = pa.concat_tables(tables)
    for part in sorted(parts):
        share = together.filter(pa.compute.equal(together["part"], part))
        if share.num_rows:
            judge_keyed(job, plan.files, plan.parts, share)


@pytest.fixture
def without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_engine, "cluster", _cluster)
    monkeypatch.setattr(ray_engine, "_each", _each)
    monkeypatch.setattr(ray_engine, "_grouped", _grouped)


def check(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, words)])


def both(paths: Sequence[str | Path], *words: str) -> tuple[Result, Result]:
    """The same command in one process, and with the engine."""
    return check(*paths, *words), check(*paths, *words, "--engine", "ray")
