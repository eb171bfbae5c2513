"""Ray itself, on one machine: the report of one process, a worker that is killed, an exchange that kills its worker."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

if find_spec("ray") is None:  # each worker would grow by Ray, also one that runs no test of it
    pytest.skip("ray is not installed", allow_module_level=True)

from conformance.inputs import Source
from conformance.scale import ray_engine
from conformance.scale.plan import Plan, prepare
from conformance.scale.result import connected
from conformance.scale.units import Job, Unit, items_of, judge_unit
from tests.scale.local import RECORDINGS, both

pytestmark = [pytest.mark.process, pytest.mark.filterwarnings("ignore")]
_BAD = "kills-its-worker"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    import ray
    from ray import cloudpickle

    by_value: Any = cloudpickle.register_pickle_by_value
    by_value(sys.modules[__name__])
    with ray_engine.cluster(None, 2):
        yield
    assert not ray.is_initialized()


def test_the_report_of_ray_is_that_of_one_process() -> None:
    alone, together = both([RECORDINGS / "traffic.jsonl", RECORDINGS], "--format", "json")
    assert together.stdout == alone.stdout
    assert json.loads(alone.stdout)["summary"]["judged"] > 5


def test_conversations_that_span_files_are_brought_together_by_ray(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text("\n".join(_line(f"c{n}", session=f"s{n % 3}") for n in range(12)))
    alone, together = both([tmp_path], "--format", "json", "--group-by", "session")
    assert together.stdout == alone.stdout
    assert json.loads(alone.stdout)["summary"]["conversations"] == 3


def test_a_worker_that_is_killed_is_replaced_and_a_poisoned_exchange_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(_line(_BAD if n == 5 else f"c{n}") for n in range(20)))
    file = 0, Source(str(path))
    job = Job(str(tmp_path / "out"), folder=str(Path.cwd()))
    plan = Plan((file,), (Unit((file,)),))
    prepare(job, plan, resume=False)
    assert ray_engine.run(job, plan, set(), work=_killed) == 1
    rows = connected(job.output)
    assert rows.execute("SELECT source FROM rows WHERE kind = 'not_judged'").fetchall() == [(f"{path}:6",)]
    assert rows.execute("SELECT sum(count) FROM rows WHERE rule = 'judged'").fetchone() == (19,)
    assert (tmp_path / "out" / "_killed").exists()


def _killed(job: Job, unit: Unit) -> int:
    """Dies once at the first unit, and at each that has the poisoned conversation."""
    once = Path(job.output, "_killed")
    if not once.exists():
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if any((item.key or "").endswith(_BAD) for item in items_of(job, unit)):
        os.kill(os.getpid(), signal.SIGKILL)
    return judge_unit(job, unit)


def _line(conversation: str, **more: str) -> str:
    body = {"model": "gpt-5", "messages": [{"role": "user", "content": conversation}]}
    request = {"url": "https://api.openai.com/v1/chat/completions", "body": body}
    answer = {"status": 200, "headers": {}, "body": {"id": 3}}
    return json.dumps({"conversation": conversation, "request": request, "response": answer, **more})
