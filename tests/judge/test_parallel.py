"""Judging in several processes: the findings and the counts of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.inputs.jsonl import Line
from conformance.judge.checker import Checker
from conformance.judge.parallel import jobs as parallel
from conformance.judge.parallel.jobs import ParallelChecker
from tests.cassettes import SHIPPED

_URL = "https://api.openai.com/v1/chat/completions"


def _line(conversation: Any, text: str = "Hello", **more: Any) -> str:
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    record = {"conversation": conversation, "request": {"url": _URL, "body": body}, "response": {"status": 200}}
    return json.dumps({**more, **record})


def _alone(paths: list[str]) -> tuple[list[Any], dict[str, int]]:
    checker = Checker()
    return [(exchange.source, checker.feed(exchange)) for exchange in read(paths)], checker.summary.as_json()


def _together(paths: list[str], jobs: int) -> tuple[list[Any], dict[str, int]]:
    with ParallelChecker(jobs) as checker:
        found = list(checker.judge(paths))
    return found, checker.summary.as_json()


def _without_findings(counts: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if name not in ("errors", "warnings", "infos")}


def _mixed(tmp_path: Path) -> list[str]:
    lines = [_line(number % 7, f"turn {number}") for number in range(600)]
    lines += [_line(None), _line("a/b", id="x"), _line("Größe"), _line(3, id='say "hi"'), _line("3")]
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join(lines))
    return [str(path), str(SHIPPED / "openai-chat" / "weather")]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_many_processes_find_and_count_what_one_does(jobs: int, tmp_path: Path) -> None:
    paths = _mixed(tmp_path)
    found, counts = _together(paths, jobs)
    expected, expected_counts = _alone(paths)
    assert found == expected
    assert len(found) > 600
    assert _without_findings(counts) == _without_findings(expected_counts)


def test_a_broken_line_ends_the_run_after_what_comes_before_it(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join([*(_line(number) for number in range(40)), '{"conversation": "x", nope}', _line(1)]))
    reported: list[str] = []
    with ParallelChecker(2) as checker, pytest.raises(ConformanceError, match=r"broken\.jsonl:41: not JSON"):
        reported.extend(source for source, _ in checker.judge([str(path)]))
    assert [int(source.rpartition(":")[2]) for source in reported] == list(range(1, 41))
    assert checker.summary.exchanges >= 40


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_broken_in_a_folder_is_an_error_after_all_else_was_judged(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f"{_line(1)}\n{{nope}}\n{_line(2)}\n")
    (tmp_path / "b.yaml").write_text("interactions:\n- request: {uri: https://x.test/, method: POST}\n")
    (tmp_path / "c.jsonl").write_text(_line(3))
    report = tmp_path / "report.out"
    command = ["check", str(tmp_path), "--format", "json", "--jobs", str(jobs), "--output", str(report)]
    ended = CliRunner().invoke(app, command)
    assert ended.exit_code == 2
    assert json.loads(report.read_text())["summary"]["exchanges"] == 3
    assert "a.jsonl:2: not JSON" in ended.stderr
    assert "b.yaml: interaction 0: response is missing" in ended.stderr


def test_an_empty_file_is_an_error_in_many_processes_too(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n \n")
    with ParallelChecker(2) as checker, pytest.raises(ConformanceError, match="empty"):
        list(checker.judge([str(path)]))


@pytest.mark.parametrize(
    "text",
    [
        '{"conversation": "c", "request": 1}',
        '{"conversation":"c"}',
        '{"id": "x", "conversation": "c"}',
        '{"request": {"conversation": "other"}, "conversation": "c"}',
        '{"id": {"conversation": "other"}, "conversation": "c"}',
        '{"conversation": "\\u0063"}',
    ],
)
def test_a_line_says_its_run_whichever_way_it_is_written(text: str) -> None:
    assert Line(text, "f.jsonl:1").run == "f.jsonl#c"
    assert Line(text.encode(), "f.jsonl:9").run == "f.jsonl#c"


def test_a_number_and_its_text_name_the_same_run_as_for_one_process() -> None:
    assert Line('{"conversation": 3}', "f:1").run == Line('{"conversation": "3"}', "f:2").run
    assert Line('{"request": {}}', "f:1").run is None


def test_check_reports_the_same_with_two_jobs(tmp_path: Path) -> None:
    paths = _mixed(tmp_path)
    one, two = (CliRunner().invoke(app, ["check", *paths, "--jobs", jobs, "--format", "json"]) for jobs in ("1", "2"))
    assert (one.exit_code, one.output) == (two.exit_code, two.output)
    assert json.loads(one.output)["summary"]["exchanges"] > 600


class _BusyPool:
    """Has no room for tasks, and notes which workers are listened to."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.listened: list[set[int]] = []

    def __len__(self) -> int:
        return self._size

    def pending(self, _worker: int) -> int:
        return parallel._AHEAD

    def receive(self, workers: set[int]) -> list[Any]:
        self.listened.append(workers)
        return []


def test_a_worker_that_is_far_ahead_waits_unless_its_results_are_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, checker = _BusyPool(3), ParallelChecker(3)
    monkeypatch.setattr(checker, "_pool", pool)
    monkeypatch.setattr(checker, "_buffered", [parallel._BUFFERED, 0, parallel._BUFFERED])
    checker._receive({2})
    assert pool.listened == [{1, 2}]
