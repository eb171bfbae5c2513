"""One writer at a time: a second one is refused in one line, and a dead one blocks nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cassette.lock import LOCK_NAME, writing
from conformance.cassette.persist import write_atomically
from conformance.commands import app
from conformance.errors import ConformanceError

HOLD = """
import sys
from pathlib import Path
from conformance.cassette.lock import writing
with writing(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the folder until it is told to end, or killed."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.communicate()


@pytest.mark.process
def test_a_second_writer_is_told_who_the_first_one_is(tmp_path: Path) -> None:
    folder = tmp_path / "cassettes"
    with holder(folder) as process:
        with pytest.raises(ConformanceError) as refused, writing(folder):
            pass
        assert f"process {process.pid}, since 2" in str(refused.value)
        assert "wait until it has finished, or use another folder" in str(refused.value)
        assert "\n" not in str(refused.value)
        assert refused.value.exit_code == 2
        with writing(tmp_path / "elsewhere"):
            pass
    with writing(folder):
        pass
    assert list(folder.iterdir()) == []


@pytest.mark.process
def test_the_lock_of_a_dead_process_blocks_nobody(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (tmp_path / LOCK_NAME).exists()
    with writing(tmp_path):
        assert f'"pid": {os.getpid()}' in (tmp_path / LOCK_NAME).read_text(encoding="utf-8")
    assert not (tmp_path / LOCK_NAME).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": "x", "host": "", "since": ""}', "\x00\xff"])
def test_a_lock_file_of_any_text_is_taken_over(text: str, tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).write_text(text, encoding="utf-8")
    with writing(tmp_path):
        pass
    assert not (tmp_path / LOCK_NAME).exists()


@pytest.mark.process
def test_a_holder_that_does_not_say_its_name_is_still_a_holder(tmp_path: Path) -> None:
    with holder(tmp_path):
        (tmp_path / LOCK_NAME).write_text("?", encoding="utf-8")
        with pytest.raises(ConformanceError, match="another process is writing to it"), writing(tmp_path):
            pass


@pytest.mark.process
def test_who_writes_may_call_who_writes_and_fails_and_ends(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), writing(tmp_path), writing(tmp_path):
        raise ZeroDivisionError
    with holder(tmp_path):
        pass


@pytest.mark.process
def test_worker_processes_write_under_the_lock_of_their_parent(tmp_path: Path) -> None:
    write = "import sys; from pathlib import Path; from conformance.cassette.persist import write_atomically as w; "
    write += "w(Path(sys.argv[1]), 'x')"
    with writing(tmp_path):
        for name in ("a.yaml", "b.yaml"):
            subprocess.run([sys.executable, "-c", write, str(tmp_path / name)], check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    write_atomically(tmp_path / "gemini" / "weather" / "reference--x.yaml", "whole")
    left = tmp_path / "gemini" / "weather" / ".reference--x.yaml.ab12_xyz.tmp"
    others = [tmp_path / ".notes.tmp", tmp_path / "reference--x.yaml.ab12_xyz.tmp", tmp_path / ".x.yaml.swp"]
    for path in (left, *others):
        path.write_text("part", encoding="utf-8")
    with writing(tmp_path):
        assert not left.exists()
    assert all(path.exists() for path in others)


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConformanceError, match=r"cannot write: .*; pass a writable folder"):  # noqa: SIM117
        with writing(tmp_path / "file" / "cassettes"):
            pass


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["record", "--cassettes"], ["record", "--jobs", "2", "--cassettes"]])
def test_a_second_recording_into_the_same_folder_ends_with_2_and_one_line(arguments: list[str], tmp_path: Path) -> None:
    filters = ["--scenario", "weather", "--driver", "openai", "--no-stream", "--dialect", "openai-chat"]
    with holder(tmp_path) as process:
        reported = CliRunner().invoke(app, [*arguments, str(tmp_path), *filters])
        assert reported.exit_code == 2
        assert reported.output.startswith(f"conformance: {tmp_path}: process {process.pid}, since ")
        assert reported.output.count("\n") == 1
        assert [path.name for path in tmp_path.iterdir()] == [LOCK_NAME]
    done = CliRunner().invoke(app, [*arguments, str(tmp_path), *filters])
    assert done.exit_code == 0, done.output
    assert [path.name for path in tmp_path.iterdir()] == ["openai-chat"]
