"""Long commands show on a terminal how far they are; elsewhere standard error has messages only."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from conformance.commands.common.progress import counted, measured, suits
from conformance.judge.judging import Judged
from devtools.places import ROOT


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal as standard error; not a fixture, because pytest replaces `sys.stderr` before each test's body."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_a_bar_counts_the_items_and_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = terminal(monkeypatch)
    assert list(counted("abc", 3, "cells", bar=True)) == ["a", "b", "c"]
    assert "3 of 3 cells" in shown.getvalue()


def test_a_bar_measures_the_files_that_are_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = terminal(monkeypatch)
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    paths[0].write_text("x" * 300, encoding="utf-8")
    paths[1].write_text("x" * 100, encoding="utf-8")
    judged: list[Judged] = [(f"{paths[0]}:1", []), (f"{paths[0]}:2", []), (str(paths[1]), [])]
    assert list(measured(judged, [str(tmp_path)], bar=True)) == judged
    assert "3 exchanges" in shown.getvalue()
    assert "100%" in shown.getvalue()


def test_without_a_terminal_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(counted("ab", 2, "cells", bar=True)) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


def test_a_bar_is_not_drawn_among_findings_that_are_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out = terminal(monkeypatch)
    assert suits("text", out)
    assert not suits("text", out, verbose=True)
    assert not suits("json", out)
    assert suits("json", io.StringIO())


@pytest.mark.process
@pytest.mark.parametrize(
    "command", [["check", "cassettes/rewoo"], ["replay", "--dialect", "gemini", "--scenario", "weather"]]
)
def test_a_command_shows_how_far_it_is(command: list[str]) -> None:
    leader, follower = pty.openpty()
    shown: list[bytes] = []

    def read() -> None:
        while True:
            try:
                shown.append(os.read(leader, 4096))
            except OSError:  # the other end is closed
                return

    reader = threading.Thread(target=read)
    reader.start()
    done = subprocess.run(
        [sys.executable, "-m", "conformance", *command],
        stdout=subprocess.PIPE,
        stderr=follower,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm"},
        check=False,
    )
    os.close(follower)
    reader.join(10)
    os.close(leader)
    assert done.returncode == 0
    assert b" left; " in b"".join(shown)
