"""`check --engine ray`: the units of a job as a dataset of Ray Data, which schedules, retries and shows its progress.

A conversation that stays in one file needs no shuffle: each task reads its files and judges them as a stream. With
`--group-by`, conversations span files, and Ray's group-by brings each together.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from conformance.errors import ConformanceError
from conformance.inputs.extra import needed
from conformance.model import limits
from conformance.scale.plan import Plan
from conformance.scale.rows import pa
from conformance.scale.units import Job, Unit, Work, give_up, is_one_conversation, judge_keyed, judge_unit, keyed_tables

_LIMITS = (limits.MAX_BODY, limits.MAX_FILE, limits.MAX_EVENTS)
_RETRIES = 2
"""How often a task is tried again whose worker died."""
_SPLITS = 8
"""How often a unit is divided before the rest of it is given up."""
_DIED = "the worker process died, each time it was tried"


@contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[int]:
    """A local cluster of so many workers, or the one at the address; yields the number of its cores.

    Raises:
        ConformanceError: Ray is not installed, or there is no cluster at the address.
    """
    ray = needed("ray", "--engine ray", "ray")
    needed("ray.data", "--engine ray", "ray")
    if address:
        _reach(address)
    ours = not ray.is_initialized()
    if ours:
        variables = {name: os.environ[name] for name in _LIMITS if name in os.environ}
        local = {"num_cpus": workers, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # a machine that is busy with other work
        try:
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level="ERROR",
                runtime_env={"env_vars": variables} if variables else None,
                **({} if address else local),
            )
        except Exception as error:
            line = str(error).partition("\n")[0]
            where = f"--ray-address {address}" if address else "--engine ray: no cluster on this machine"
            raise ConformanceError(f"{where}: {line}", "start the cluster, or correct the address") from error
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # tracebacks of workers: the result lists what they miss
    warnings.filterwarnings("ignore", message=".*ray_remote_args")  # nothing else sets `max_retries` of a task
    context = ray.data.DataContext.get_current()
    context.max_errored_blocks = -1  # a unit whose worker died is divided below
    context.enable_progress_bars = sys.stderr.isatty()
    context.print_on_execution_start = False
    try:
        yield int(ray.cluster_resources().get("CPU", 1))
    finally:
        if ours:
            ray.shutdown()


def _reach(address: str) -> None:
    """Tries the port of the cluster, because Ray itself tries for many minutes and prints to the terminal meanwhile.

    Raises:
        ConformanceError: nothing listens there.
    """
    place = urlsplit(address if "://" in address else f"//{address}")
    try:
        if place.hostname and place.port:
            socket.create_connection((place.hostname, place.port), timeout=5).close()
    except (OSError, ValueError) as error:
        raise ConformanceError(
            f"--ray-address {address}: {error}", "start the cluster, or correct the address"
        ) from error


def run(job: Job, plan: Plan, done: set[str], *, work: Work = judge_unit) -> int:
    """Judges what is not done; returns how many units had to be given up, in part.

    A unit whose worker dies again and again is divided, until the conversation is alone that it dies of. One that was
    divided before a job was resumed is not tried as a whole again: its parts would count twice.
    """
    units = [Unit(plan.files, part, plan.parts) for part in range(plan.parts)] if plan.parts else plan.units
    waiting = [unit for unit in units if unit.name not in done]
    whole = _undivided(waiting, done)
    if plan.parts and whole:
        _grouped(job, plan, {unit.part for unit in whole})
    elif whole:
        _each(job, whole, work)
    lost: list[Unit] = []
    for level in range(_SPLITS + 1):
        failed = _missing(job, waiting)
        last = {unit for unit in _undivided(failed, done) if level == _SPLITS or is_one_conversation(job, unit)}
        lost += last
        waiting = [part for unit in failed if unit not in last for part in unit.split() if part.name not in done]
        _each(job, _undivided(waiting, done), work)
    for unit in lost:
        give_up(job, unit, _DIED)
    return len(lost)


def _undivided(units: Sequence[Unit], done: set[str]) -> list[Unit]:
    return [unit for unit in units if not unit.is_begun(done)]


def _missing(job: Job, units: Sequence[Unit]) -> list[Unit]:
    storage, root = job.storage()
    there = {name.rpartition("/")[2] for name in storage.ls(root, detail=False, refresh=True)} if units else set()
    return [unit for unit in units if unit.name not in there]


def _each(job: Job, units: Sequence[Unit], work: Work) -> None:
    """Each unit by a task."""
    if not units:
        return
    from ray.data import from_items

    items = [{"unit": pickle.dumps(unit)} for unit in units]
    tasks = from_items(items, override_num_blocks=len(items))
    _consume(tasks.map(partial(_judged, job=job, work=work), max_retries=_RETRIES))


def _judged(row: Mapping[str, Any], *, job: Job, work: Work) -> dict[str, int]:
    return {"exchanges": work(job, pickle.loads(row["unit"]))}  # noqa: S301 - ours


def _grouped(job: Job, plan: Plan, parts: set[int]) -> None:
    """Conversations that span files: read in tasks, brought together by Ray, judged share by share."""
    from ray.data import from_items

    items = [{"unit": pickle.dumps(unit)} for unit in plan.units]
    keyed = from_items(items, override_num_blocks=len(items)).map_batches(
        partial(_keyed, job=job, parts=plan.parts, wanted=parts), batch_size=1, max_retries=_RETRIES
    )
    shares = keyed.groupby("part", num_partitions=len(parts))
    _consume(
        shares.map_groups(
            partial(_judged_together, job=job, files=plan.files, parts=plan.parts),
            batch_format="pyarrow",
            max_retries=_RETRIES,
        )
    )


def _keyed(batch: Mapping[str, Any], *, job: Job, parts: int, wanted: set[int]) -> Iterator[Any]:
    for unit in batch["unit"]:
        for table in keyed_tables(job, pickle.loads(unit), parts):  # noqa: S301 - ours
            yield table.filter(pa.compute.is_in(table["part"], value_set=pa.array(sorted(wanted))))


def _judged_together(table: Any, *, job: Job, files: Any, parts: int) -> Any:
    return pa.table({"exchanges": [judge_keyed(job, files, parts, table)]})


def _consume(dataset: Any) -> None:
    """Runs a dataset to its end. A task that failed leaves no result, which is noticed by that."""
    for _ in dataset.iter_batches(batch_size=None):
        pass
