"""One file cannot use up the machine: bodies that inflate, streams without end, workers without number."""

from __future__ import annotations

import base64
import gc
import gzip
import json
import os
import subprocess
import sys
import weakref
import zlib
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from conformance.judge import checker as judge
from conformance.judge.checker import Checker
from conformance.judge.parallel.jobs import ParallelChecker
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange, Lack
from devtools.places import ROOT

_URL = "https://api.openai.com/v1/chat/completions"
_GIB = 1 << 30
_MEASURED = """
import pathlib, re, resource, sys
from click.testing import CliRunner
from conformance.commands import app
result = CliRunner().invoke(app, ["check", "--format", "json", sys.argv[1]])
status = pathlib.Path("/proc/self/status")
if status.exists():  # on Linux, `ru_maxrss` counts what the parent used when it forked
    size = int(re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text())[1]) * 1024
else:
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(size, result.exit_code)
print(result.stdout)
"""


def _cassette(path: Path, bodies: list[bytes], coding: str = "gzip") -> Path:
    interactions = [
        {
            "request": {"method": "POST", "uri": _URL, "headers": {}, "body": '{"model":"m","messages":[]}'},
            "response": {
                "status": {"code": 200, "message": "OK"},
                "headers": {"content-type": ["application/json"], "content-encoding": [coding]},
                "body": {"base64_string": base64.b64encode(body).decode()},
            },
        }
        for body in bodies
    ]
    path.write_text(json.dumps({"version": 1, "interactions": interactions}))
    return path


def _used(path: Path) -> tuple[int, dict[str, Any]]:
    """The most memory that checking the file took, and the report."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    first, _, report = done.stdout.partition("\n")
    size, code = map(int, first.split())
    assert code in (0, 1), done.stdout
    return size, json.loads(report)["summary"]


def _inflating(megabytes: int) -> bytes:
    """A document that is so large when it is unpacked; it is made a megabyte at a time."""
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    pieces = chain([b'{"a": "'], repeat(b"x" * (1 << 20), megabytes), [b'"}'])
    return b"".join(map(packer.compress, pieces)) + packer.flush()


@pytest.mark.process
def test_ten_bodies_of_250_megabytes_stay_below_a_gigabyte(tmp_path: Path) -> None:
    size, summary = _used(_cassette(tmp_path / "a.yaml", [_inflating(250)] * 10))
    assert size < _GIB
    assert summary["not_exercised"] == 10


@pytest.mark.process
def test_a_million_events_stay_below_a_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    record = {
        "request": {"method": "POST", "url": _URL, "body": {"model": "m", "messages": [], "stream": True}},
        "response": {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": "data: {}\n\n" * 10**6},
    }
    path.write_text(json.dumps(record))
    size, summary = _used(path)
    assert size < _GIB
    assert [reason for reason in summary["not_exercised_because"] if "--max-events" in reason]


def _conformance(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", "--format", "json", *map(str, arguments)])


@pytest.mark.parametrize(("option", "judged"), [("--max-body", 0), ("--max-file", 1)])
def test_the_limits_of_decompression_are_options(option: str, judged: int, tmp_path: Path) -> None:
    path = _cassette(tmp_path / "a.yaml", [_inflating(1), _inflating(1), _inflating(2)])
    assert json.loads(_conformance(path).stdout)["summary"]["not_exercised"] == 0
    limited = json.loads(_conformance(option, 1 + judged, path).stdout)["summary"]
    assert limited["not_exercised"] == 3 - judged
    assert "CONFORMANCE_MAX_BODY" not in os.environ


def _recorded(path: Path, request: dict[str, Any], response: dict[str, Any]) -> Path:
    record = {"request": {"method": "POST", "url": _URL, **request}, "response": {"status": 200, **response}}
    path.write_text(json.dumps(record))
    return path


def test_the_limit_of_events_holds_for_short_streams_too(tmp_path: Path) -> None:
    asked = {"body": {"model": "m", "messages": [], "stream": True}}
    stream = {"headers": {"content-type": "text/event-stream"}, "body": "data: {}\n\n" * 20}
    path = _recorded(tmp_path / "a.jsonl", asked, stream)
    reasons = [
        json.loads(_conformance("--max-events", most, path).stdout)["summary"].get("not_exercised_because", ())
        for most in (10, 20)
    ]
    assert [any("--max-events" in reason for reason in each) for each in reasons] == [True, False]


def test_an_exchange_without_bodies_is_not_judged(tmp_path: Path) -> None:
    result = _conformance(_recorded(tmp_path / "a.jsonl", {"data": "{}"}, {"data": "{}"}))
    assert result.exit_code == 2
    assert json.loads(result.stdout)["summary"]["judged"] == 0


def test_a_side_that_is_not_judged_is_named(tmp_path: Path) -> None:
    path = _recorded(tmp_path / "a.jsonl", {"body": {"model": "m", "messages": []}}, {"body": ""})
    assert json.loads(_conformance(path).stdout)["summary"]["not_exercised_because"] == {"a response without a body": 1}


def test_a_file_that_was_compressed_twice_is_read(tmp_path: Path) -> None:
    plain = _recorded(tmp_path / "a.jsonl", {"body": {"model": "m", "messages": []}}, {"body": {}})
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(gzip.compress(plain.read_bytes())))
    assert json.loads(_conformance(tmp_path / "a.jsonl.gz").stdout)["summary"]["judged"] == 1


def _runs(number: int, **changes: Any) -> list[Exchange]:
    """The same exchange, in so many conversations."""
    exchange = Example("openai-chat/call").exchanges()[0]
    return [replace(exchange, conversation=f"{each}", group=f"{each}", **changes) for each in range(number)]


@pytest.mark.parametrize("lacks", [(), ("status",), ("members",)])
def test_what_was_judged_is_freed_without_the_garbage_collector(lacks: tuple[Lack, ...]) -> None:
    checker = Checker()
    (exchange,) = _runs(1, lacks=frozenset(lacks), complete=not lacks)
    gc.disable()
    try:
        checker.feed(exchange)
        kept = weakref.ref(checker.views("0", "openai-chat")[0])
        checker.forget()
        assert kept() is None
    finally:
        gc.enable()


def test_the_least_recently_used_runs_are_dropped_when_all_together_are_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checker = Checker()
    first, second, third = _runs(3)
    checker.feed(first)
    monkeypatch.setattr(judge, "_OPEN_BYTES", 2 * checker.views("0", "openai-chat")[0].weight)
    for exchange in (second, first, third):
        checker.feed(exchange)
    assert [len(checker.views(each, "openai-chat")) for each in "012"] == [0, 0, 1]
    assert checker.summary.conversations == 3


def test_a_run_that_is_too_large_by_itself_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_OPEN_BYTES", 1)
    checker = Checker()
    for exchange in _runs(1) * 3:
        checker.feed(exchange)
    assert len(checker.views("0", "openai-chat")) == 3


def test_the_number_of_workers_is_that_of_the_cores_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    genuine = ParallelChecker.__init__

    def counted(self: ParallelChecker, jobs: int, *rest: Any) -> None:
        started.append(jobs)
        genuine(self, jobs, *rest)

    monkeypatch.setattr(ParallelChecker, "__init__", counted)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    _conformance("--jobs", 10_000, _cassette(tmp_path / "a.yaml", [gzip.compress(b"{}")]))
    assert started == [2]
