"""What happens to people: a process dies, somebody presses Ctrl-C, the reader goes, a secret lies in the input."""

from __future__ import annotations

import fcntl
import io
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.campaign.cost import Budget
from conformance.campaign.targets import all_targets, target_called
from conformance.commands import app
from conformance.errors import ConformanceError, HarnessError
from conformance.judge.parallel.jobs import ParallelChecker
from devtools.places import ROOT
from tests.cassettes import SHIPPED

ONE = ["--scenario", "weather", "--driver", "openai", "--no-stream", "--dialect", "openai-chat"]
CASSETTE = SHIPPED / "openai-chat" / "weather" / "reference--openai.yaml"
KEY = "sk-proj-" + "Q7fT2xWn9LrVb4Zk" * 3


def conformance(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"OPENAI_API_KEY": None, **environ})


def started(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen([sys.executable, *arguments], text=True, env=environ, start_new_session=True, **options)


def traffic(folder: Path, number: int) -> Path:
    """Exchanges of many runs, each with a finding."""
    lines = []
    for each in range(number):
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages = [{"role": "user", "content": "Hello"}, {"role": "assistant", "tool_calls": [call]}]
        request = {"url": "https://api.openai.com/v1/chat/completions", "body": {"model": "m", "messages": messages}}
        lines.append(json.dumps({"conversation": each % 7, "request": request, "response": {"status": 200}}))
    path = folder / "traffic.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# Processes


@pytest.mark.parametrize("which", [0, -1])
def test_a_process_that_is_killed_ends_the_run_and_is_named(which: int, tmp_path: Path) -> None:
    before = set(multiprocessing.active_children())
    with ParallelChecker(3) as checker:
        workers = sorted(set(multiprocessing.active_children()) - before, key=lambda process: process.pid or 0)

        class Input(io.BytesIO):
            def readline(self, size: int | None = -1, /) -> bytes:
                self.number = getattr(self, "number", 0) + 1
                if self.number == 2000:
                    workers[which].kill()
                    workers[which].join()
                return super().readline(size)

        with pytest.raises(
            HarnessError,
            match=r"died \(killed by SIGKILL\): the remaining exchanges were not checked; run the command again",
        ):
            list(checker.judge(["-"], stdin=Input(traffic(tmp_path, 3000).read_bytes())))
    assert checker.summary.harness_errors
    assert 0 < checker.summary.exchanges < 3000
    assert not any(process.is_alive() for process in workers)


@pytest.mark.process
def test_processes_end_when_whoever_started_them_is_killed() -> None:
    code = (
        "import sys; from conformance.judge.parallel.jobs import ParallelChecker as Checker\n"
        "with Checker(3): print('ready', flush=True); sys.stdin.read()"
    )
    with started("-c", code, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
        assert process.communicate(timeout=60)[0] == ""  # its output ends when all are gone that could write to it


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_check_with_130_and_what_was_found(jobs: str, tmp_path: Path) -> None:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started("-m", "conformance", "check", "-", "--jobs", jobs, **pipes) as process:
        assert process.stdin is not None
        process.stdin.write(traffic(tmp_path, 2000).read_text(encoding="utf-8"))
        process.stdin.flush()
        while fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) != bytes(4):
            time.sleep(0.05)
        time.sleep(3)  # all is read, and more is waited for; the report is written at the end
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == "conformance: interrupted\n"
    assert "nothing was judged" not in out
    assert " exchanges in " in out


@pytest.mark.process
def test_a_reader_that_has_gone_is_no_finding() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with started("-m", "conformance", "replay", *ONE, stdout=theirs, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


# What is not done


def test_cells_that_were_not_run_are_counted_and_shown() -> None:
    result = conformance("run", "--target", "reference", *ONE, "--budget", "0tokens")
    assert result.exit_code == 1
    assert "0 of 1 cells run without an error" in result.stdout
    assert "? not run" in result.stdout
    assert "use --save DIR to make a run resumable" in result.stderr


def test_several_targets_have_their_names_above_their_matrix(tmp_path: Path) -> None:
    file = tmp_path / "targets.yaml"
    models = "{openai-chat: m}"
    file.write_text(
        "targets:\n" + "".join(f"  {name}: {{base_url: 'http://127.0.0.1:9', models: {models}}}\n" for name in "ab"),
        encoding="utf-8",
    )
    both = ["--targets", str(file), "--target", "a", "--target", "b"]
    result = conformance("run", *both, *ONE, "--budget", "0tokens")
    assert [line for line in result.stdout.splitlines() if line.strip() in ("a", "b")][:2] == ["a", "b"]


def test_half_a_line_of_the_journal_is_left_out(tmp_path: Path) -> None:
    several = [*ONE, "--scenario", "small-talk", "--scenario", "no-arguments", "--cassettes", str(tmp_path)]
    assert conformance("record", *several, "--budget", "1tokens").exit_code == 1
    (journal,) = tmp_path.glob(".conformance-journal.jsonl")
    head, done = journal.read_text(encoding="utf-8").splitlines()
    journal.write_text(f"{head}\n{done}\n{done[: done.rindex('}')]}", encoding="utf-8")
    other = conformance("record", *several, "--resume", "--behaviour", "text-reworded")
    assert (other.exit_code, "different options: behaviours" in other.stderr) == (2, True)
    result = conformance("record", *several, "--resume")
    assert result.exit_code == 0, result.output
    assert "resumed: 1 of 3 cells are already done" in result.stderr


def test_a_small_budget_is_shown_as_it_is() -> None:
    assert [str(Budget(dollars=each)) for each in (2.5, 10.0, 0.0003)] == ["$2.50", "$10.00", "$0.0003"]
    assert str(Budget(tokens=7)) == "7 tokens"


# Options


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--target", "ollama", "--timeout", "nan"], "'nan' is not a number of seconds"),
        (["run", "--target", "ollama", "--timeout", "inf"], "not in the range"),
        (["run", "--target", "ollama", "--max-wait", "nan"], "'nan' is not a number of seconds"),
        (["run", "--target", "ollama", "--header", "X-Team: größe"], "has characters that are not allowed in a header"),
        (["run", "--target", "ollama", "--header", "X-Team: $TEAM"], "has characters that are not allowed in a header"),
        (["run", "--target", "ollama", "--header", "Content-Length: 3"], "is set by the HTTP client"),
        (["list", "--as-of", "2026-01-01"], "--as-of works only with --cassettes"),
    ],
)
def test_an_option_that_cannot_be_meant_ends_with_2(arguments: list[str], message: str) -> None:
    result = conformance(*arguments, TEAM="two\nlines")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "größe" not in result.stderr
    assert "two" not in result.stderr


def test_the_day_in_the_environment_is_for_cassettes_alone() -> None:
    assert conformance("list", CONFORMANCE_AS_OF="2026-01-01").exit_code == 0


def test_only_a_target_that_can_be_driven_is_proposed() -> None:
    assert not all_targets()["reference"].base_url
    with pytest.raises(ConformanceError) as caught:
        target_called("referenc", all_targets())
    assert "reference" not in str(caught.value).removeprefix("unknown target 'referenc'")


def test_a_port_that_is_taken_is_wrong_usage() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = conformance("serve", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "choose another --port" in result.stderr


# Comparing


def test_secrets_of_foreign_cassettes_are_not_shown_and_do_not_stop_a_comparison(tmp_path: Path) -> None:
    text = CASSETTE.read_text(encoding="utf-8")
    question = "지금 서울 날씨가 어때?"
    assert question in text
    new = tmp_path / "new.yaml"
    new.write_text(text.replace(question, KEY), encoding="utf-8")
    for form in ("text", "json", "markdown"):
        result = conformance("diff", str(CASSETTE), str(new), "--format", form, "-v")
        assert result.exit_code in (0, 1), result.output
        assert "REDACTED" in result.stdout
        assert KEY[8:24] not in result.output


def test_recordings_of_different_scenarios_or_dialects_are_not_compared() -> None:
    for other in ("openai-chat/small-talk/reference--openai.yaml", "gemini/weather/reference--google-genai.yaml"):
        result = conformance("diff", str(CASSETTE), str(SHIPPED / other))
        assert result.exit_code == 2
        assert "pass two recordings of the same scenario and dialect" in result.stderr


def test_markdown_of_one_side_has_nothing_of_the_other_and_fits_any_encoding(tmp_path: Path) -> None:
    for name, source in (("old", "weather"), ("new", "small-talk")):
        folder = tmp_path / name / "openai-chat" / source
        folder.mkdir(parents=True)
        kept = (SHIPPED / "openai-chat" / source / CASSETTE.name).read_text(encoding="utf-8")
        (folder / CASSETTE.name).write_text(kept, encoding="utf-8")
    both = [str(tmp_path / "old"), str(tmp_path / "new")]
    result = CliRunner(charset="ascii").invoke(app, ["diff", *both, "--format", "markdown"])
    assert result.exit_code == 1, result.output
    assert "the cassette is not in the new recordings" in result.stdout
    assert "None" not in result.stdout
    assert "\\U0001f534" in result.stdout


@pytest.mark.parametrize("verb", [["diff", "{}", "{}"], ["list", "--cassettes", "{}"]])
def test_a_folder_that_may_not_be_read_is_not_taken_for_empty(
    verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", refuse)
    result = conformance(*(word.format(tmp_path) for word in verb))
    assert result.exit_code == 2
    assert f"{tmp_path}: cannot be read (Permission denied)" in result.stderr


@pytest.mark.parametrize("linked", ["", "symbolic", "hard"])
def test_a_report_never_replaces_a_recording_that_it_is_about(tmp_path: Path, linked: str) -> None:
    (tmp_path / "in").mkdir()
    recording, output = tmp_path / "in" / "in.jsonl", tmp_path / "out.jsonl"
    recording.write_text(json.dumps({"request": {"method": "GET", "url": "http://x/"}, "response": {"status": 200}}))
    if linked == "symbolic":
        output.symlink_to(recording)
    elif linked:
        output.hardlink_to(recording)
    before = recording.read_bytes()
    for given in (str(recording), str(recording.parent)):
        done = CliRunner().invoke(app, ["check", given, "--output", str(output if linked else recording)])
        assert done.exit_code == 2
        assert "is one of the inputs" in done.output
    assert recording.read_bytes() == before


@pytest.mark.parametrize(
    "verb",
    [
        ("check", "{0}"),
        ("diff", "{0}", "{0}"),
        ("tools", "{0}"),
        ("replay", "--cassettes", "{1}"),
        ("serve", "--cassette", "{0}", "--", sys.executable, "-c", ""),
        ("run", "--save", "{1}", "--base-url", "http://127.0.0.1:9", "--dialect", "openai-chat", "--model", "m"),
        ("record", "--cassettes", "{1}", "--scenario", "weather"),
        ("history", "{1}"),
    ],
    ids=lambda verb: str(verb[0]),
)
def test_no_verb_replaces_its_input_with_its_report(verb: tuple[str, ...], tmp_path: Path) -> None:
    recording = tmp_path / "weather-openai-chat-openai-sync.yaml"
    recording.write_bytes(min((SHIPPED / "openai-chat" / "weather").glob("*.yaml")).read_bytes())
    before = recording.read_bytes()
    words = [word.format(recording, tmp_path) for word in verb]
    done = CliRunner().invoke(app, [words[0], "--output", str(recording), *words[1:]])
    assert done.exit_code == 2, done.output
    assert recording.read_bytes() == before


def test_a_former_report_in_the_folder_of_the_recordings_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        json.dumps({"request": {"method": "GET", "url": "http://x/"}, "response": {"status": 200}})
    )
    for _ in range(2):
        words = ["check", str(tmp_path), "--format", "json", "--output", str(tmp_path / "report.json")]
        assert CliRunner().invoke(app, words).exit_code == 2  # nothing of it is of a known dialect
    assert "not_read" not in json.loads((tmp_path / "report.json").read_text())["summary"]


def test_a_failure_without_text_is_shown_as_a_conversation(tmp_path: Path) -> None:
    record = {
        "request": {"method": "POST", "url": "https://api.openai.com/v1/chat/completions", "body": {"messages": []}},
        "response": {"status": 500},
    }
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(record))
    result = CliRunner().invoke(app, ["check", "--format", "html", str(path)])
    assert result.exit_code == 1, result.output
    result = CliRunner().invoke(app, ["check", "--format", "html", str(path.rename(tmp_path / "b.jsonl"))])
    assert "failed with status 500" in result.stdout
