"""`conformance show --events`: one line for each moment, alike whether the answer was streamed or not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conformance.commands.show.events import table
from conformance.model.transcript import StreamEvent
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


def test_a_refusal_has_no_moments() -> None:
    output = shown("provider-errors-openai-chat-openai-stream")
    assert "error response" in output
