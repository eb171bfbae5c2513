"""The plan of a job: its files in units, and what says whether a folder of findings is of the same job."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from conformance.errors import ConformanceError
from conformance.inputs import Source
from conformance.inputs.remote import is_url
from conformance.model.frozen import dataclass
from conformance.model.version import VERSION
from conformance.scale.keys import digest
from conformance.scale.units import Job, Unit

_TOGETHER = 32 << 20
"""Files are put together into units of this size, in bytes as they are stored; a larger file is divided."""
_FILES = 1_000
"""The most files of one unit."""
_ASSUMED = 1 << 20
"""The size of a file at a URL: to ask for each would take longer than to read it."""
_JOB = "_job.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """`units` are to be judged; where conversations span files, `parts` shares of those in all `files` are."""

    files: tuple[tuple[int, Source], ...]
    units: tuple[Unit, ...]
    parts: int = 0


def plan_of(sources: Sequence[Source], *, workers: int, spans: bool) -> Plan:
    """The plan for some sources; with `spans`, conversations can span files."""
    files = tuple(enumerate(sources))
    together: list[list[tuple[int, Source]]] = [[]]
    units: list[Unit] = []
    weight = total = 0
    for each in files:
        size = _size(each[1].path)
        total += size
        if size > 2 * _TOGETHER and not spans and not each[1].together:
            parts = min(workers, size // _TOGETHER)
            units += [Unit((each,), part, parts) for part in range(parts)]
            continue
        if together[-1] and (weight + size > _TOGETHER or len(together[-1]) >= _FILES):
            together.append([])
            weight = 0
        together[-1].append(each)
        weight += size
    units += [Unit(tuple(some)) for some in together if some]
    parts = max(2 * workers, total // _TOGETHER + 1) if spans else 0
    return Plan(files, tuple(sorted(units, key=lambda unit: unit.files[0][0])), parts)


def _size(path: str) -> int:
    return _ASSUMED if is_url(path) or not Path(path).is_file() else Path(path).stat().st_size


def prepare(job: Job, plan: Plan, *, resume: bool) -> set[str]:
    """Makes the folder of the findings, or, to resume, checks that it is of this job; returns the units that are done.

    Raises:
        ConformanceError: the folder has the findings of another job.
    """
    storage, root = job.storage()
    described = json.dumps({
        "conformance": VERSION,
        "files": f"{digest(repr([source.path for _, source in plan.files])):016x}",
        "group_by": job.by,
        "sample_rate": job.rate,
        "dialect": job.how.dialect,
        "profile": job.how.profile.name if job.how.profile else None,
        "exchanges": job.lists,
        "units": [unit.name for unit in plan.units],
        "parts": plan.parts,
    })  # fmt: skip
    path = f"{root}/{_JOB}"
    try:
        storage.makedirs(root, exist_ok=True)
        there = {Path(name).name for name in storage.ls(root, detail=False)}
        known = storage.cat_file(path).decode() if _JOB in there else None
        if not resume and there:
            raise ConformanceError(
                f"--findings {job.output}: the folder is not empty", "name another one, or pass --resume"
            )
        if resume and known is not None and known != described:
            raise ConformanceError(
                f"--findings {job.output}: it has the findings of other inputs or options",
                "pass those of the first run, or another folder without --resume",
            )
        storage.pipe_file(path, described.encode())
    except OSError as error:
        raise ConformanceError(f"--findings {job.output}: cannot be written ({error})", "choose another") from error
    return {name for name in there if name.endswith(".parquet")}
