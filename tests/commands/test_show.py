"""`conformance show --events`: one line for each moment, alike whether the answer was streamed or not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from conformance.commands.show.events import table
from conformance.model.transcript import StreamEvent
from devtools.places import ROOT
from tests.cassettes import SHIPPED, broken, cell, in_response
from tests.program import conformance

CELLS = {
    "openai-chat": "weather-openai-chat-openai",
    "openai-responses": "weather-openai-responses-openai",
    "anthropic-messages": "weather-anthropic-messages-anthropic",
    "gemini": "weather-gemini-google-genai",
}
CALLED = ["tool_call_start", "tool_call_chunk", "tool_call_end"]
KIND = re.compile(r"^   \S+ +(text|reasoning|tool_call_start|tool_call_chunk|tool_call_end|stop)\b", re.MULTILINE)


def shown(cell_id: str) -> str:
    run = conformance("show", "--events", str(SHIPPED / cell(cell_id).relative_path))
    assert run.returncode == 0, run.stderr
    return run.stdout


def kinds(output: str) -> list[str]:
    """The kinds of all lines, runs of the same as one."""
    found = KIND.findall(output)
    return [kind for number, kind in enumerate(found) if number == 0 or found[number - 1] != kind]


@pytest.mark.parametrize("dialect", CELLS)
@pytest.mark.parametrize("mode", ["sync", "stream"])
def test_every_dialect_shows_the_same_in_both_modes(dialect: str, mode: str) -> None:
    output = shown(f"{CELLS[dialect]}-{mode}")
    assert kinds(output) == ["text", *CALLED, "stop", "text", "stop"]
    assert (f"{dialect}, streamed" in output) == (mode == "stream")
    assert (f"{dialect}, not streamed" in output) == (mode == "sync")


@pytest.mark.parametrize("dialect", CELLS)
def test_a_call_is_shown_with_its_id_its_name_and_its_arguments(dialect: str) -> None:
    lines = shown(f"{CELLS[dialect]}-stream").splitlines()
    [start] = [line for line in lines if " tool_call_start " in line]
    chunks = [line for line in lines if " tool_call_chunk " in line]
    [end] = [line for line in lines if " tool_call_end " in line]
    assert len(chunks) > (dialect != "gemini")
    whose = start.split("tool_call_start")[1].strip()
    assert whose.endswith(" get_weather")
    assert all(whose in line for line in (*chunks, end))
    assert re.sub(r"\s", "", end).endswith('{"latitude":37.5665,"longitude":126.978}')


def test_the_columns_are_aligned() -> None:
    output = list(
        table(
            [
                StreamEvent("text", "event/3", text="hi "),
                StreamEvent("tool_call_chunk", "event/12", call=0, tool_call_id="a", arguments_chunk="{}"),
                StreamEvent("stop", "event/4", choice=1, stop="end", stop_wire="stop"),
            ]
        )
    )
    assert output == [
        '   event/3   text                          "hi "',
        "   event/12  tool_call_chunk  a (no name)  {}",
        "   event/4   stop (choice 1)               end (stop)",
    ]


def test_what_a_terminal_would_obey_is_shown_as_an_escape(tmp_path: Path) -> None:
    sync = cell(f"{CELLS['openai-chat']}-sync")
    name = '"name": "get_weather"'
    path = broken(sync, tmp_path, in_response(0, name, name.replace("weather", "\\u001b[31m\\n\\u202e")))
    output = conformance("show", "--events", str(path)).stdout
    assert "get_\\x1b[31m\\n\\u202e" in output
    assert "\x1b" not in output


def test_the_bodies_come_along_when_they_are_asked_for() -> None:
    path = str(SHIPPED / cell(f"{CELLS['openai-chat']}-stream").relative_path)
    output = conformance("show", "--events", "--wire", path).stdout
    assert " tool_call_end " in output
    assert "< data: [DONE]" in output


def test_a_key_that_a_stream_cuts_in_pieces_is_not_shown(tmp_path: Path) -> None:
    key = "sk-proj-" + "k3Yq" * 10
    pieces = [key[start : start + 5] for start in range(0, len(key), 5)]
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    stream = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    exchange = {
        "request": {
            "method": "POST",
            "url": "http://localhost/v1/chat/completions",
            "body": {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True},
        },
        "response": {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": stream},
    }
    recording = tmp_path / "cut.jsonl"
    recording.write_text(json.dumps(exchange))
    output = conformance("show", "--events", str(recording)).stdout
    assert " text " in output
    assert "k3" not in output


def test_a_refusal_has_no_moments() -> None:
    output = shown("provider-errors-openai-chat-openai-stream")
    assert "error response" in output


DEMO = str(ROOT / "specs" / "demo" / "traffic.jsonl")


@pytest.mark.parametrize("folder", sorted(each.name for each in (ROOT / "tests/data/logs").iterdir() if each.is_dir()))
def test_a_log_of_any_format_is_a_conversation(folder: str) -> None:
    at = ROOT / "tests" / "data" / "logs" / folder
    logs = sorted(at.glob("*.log"))  # of a folder, these are not read: their name says nothing of a recording
    run = conformance("show", str(logs[0] if logs else at))
    assert run.returncode == 0, run.stderr
    assert "── exchange 0: POST " in run.stdout
    assert "   assistant  calls get_weather(" in run.stdout


def test_a_cause_is_marked_in_its_conversation() -> None:
    lines = conformance("show", DEMO, "--cause", "1").stdout.splitlines()
    [at, finding] = [line for line in lines if line.startswith("->")]
    assert at.startswith("-> assistant  calls get_weather(")
    assert at.endswith(" as call_rome")
    assert finding == "-> error: tool call call_rome (get_weather) has no result"


def test_a_place_that_is_none_of_the_conversation_is_shown_on_the_wire(tmp_path: Path) -> None:
    text = Path(DEMO).read_text(encoding="utf-8").splitlines()[0].replace('"total_tokens": ', '"total_tokens": 1')
    path = tmp_path / "one.jsonl"
    path.write_text(text, encoding="utf-8")
    lines = conformance("show", str(path), "--cause", "1").stdout.splitlines()
    assert next(line for line in lines if line.startswith("->")).startswith("-> error: ")
    assert any(line.startswith("   -> ") and "total_tokens" in line for line in lines)


def test_a_cause_that_is_not_there_is_refused_in_one_line() -> None:
    run = conformance("show", DEMO, "--cause", "9")
    assert run.returncode == 2
    assert "there is no cause 9: 1 cause: 1 of severity error; `conformance check FILE -v`" in run.stderr


def test_only_what_is_new_is_shown_where_runs_are_mixed(tmp_path: Path) -> None:
    one, two = (json.loads(line) for line in Path(DEMO).read_text(encoding="utf-8").splitlines())
    other = json.loads(json.dumps(one).replace("Oslo", "Bergen"))
    path = tmp_path / "mixed.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (one, other, two)), encoding="utf-8")
    output = conformance("show", str(path)).stdout
    assert output.count("Is it warmer in Oslo") == output.count("Is it warmer in Bergen") == 1


def test_the_page_has_the_conversation_with_the_finding(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert conformance("show", DEMO, "--cause", "1", "--format", "html", "--output", str(path)).returncode == 0
    page = path.read_text(encoding="utf-8")
    assert '<div class="part call marked"><i>calls get_weather, id call_rome</i>' in page
    assert "<b>tool call call_rome (get_weather) has no result</b>" in page
    assert page.count("<h2>exchange ") == 2


def test_an_exchange_at_another_endpoint_is_shown_with_its_name() -> None:
    run = conformance("show", str(SHIPPED / cell("background-openai-responses-openai-sync").relative_path))
    assert "openai-responses, response retrieved" in run.stdout
