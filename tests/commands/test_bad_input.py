"""Bad input of every kind ends in exit code 2, or in a judgement: never in an internal error."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.commands import app
from tests.sampling import sample

_URL = "https://api.openai.com/v1/chat/completions"


def conformance(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def exchange(**more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "x"} | more
    answer = {
        "id": "i",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if more else "stop"}],
    }
    ask = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    return {
        "conversation": "c",
        "request": {"method": "POST", "url": _URL, "body": ask},
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": answer},
    }


def nested(depth: int, leaf: str = "1") -> str:
    return '{"a":' * depth + leaf + "}" * depth


def written(folder: Path, name: str, *exchanges: dict[str, Any] | str) -> Path:
    path = folder / name
    path.write_text("".join(f"{each if isinstance(each, str) else json.dumps(each)}\n" for each in exchanges))
    return path


def yaml_cassette(body: str) -> str:
    return (
        f"interactions:\n- request: {{method: POST, uri: '{_URL}', body: {body}, headers: {{}}}}\n"
        "  response: {status: {code: 200}, body: {string: x}, headers: {}}\nversion: 1\n"
    )


@pytest.mark.parametrize(
    "value",
    ["!!timestamp x", "!!bool x", "!!int x", "!!float x", "!!set [1]", "!!omap 1", "!!pairs 3"],
)
def test_a_value_that_does_not_fit_its_yaml_tag(value: str, tmp_path: Path) -> None:
    result = conformance("check", written(tmp_path, "a.yaml", yaml_cassette(value)))
    assert result.exit_code == 2
    assert "a.yaml" in result.stderr


def test_a_status_with_thousands_of_digits(tmp_path: Path) -> None:
    line = json.dumps(exchange()).replace('"status": 200', f'"status": {"2" * 4400}')
    result = conformance("check", written(tmp_path, "a.jsonl", line))
    assert result.exit_code == 2
    assert "a.jsonl:1" in result.stderr


DEEP = sample(
    product((100, 300, 500, 900, 5_000, 100_000), ("text", "json", "html", "issue")),
    lambda each: each[0],
    lambda each: each[1],
    risk="a depth that only one form of the report cannot show",
)


@pytest.mark.parametrize(("depth", "form"), DEEP)
def test_deep_arguments(depth: int, form: str, tmp_path: Path) -> None:
    """They are judged, or reported as nested too deeply; what is next to them is judged all the same."""
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": nested(depth)}}
    first, second = exchange(tool_calls=[call], content=None), exchange()
    again = {**call, "function": {"name": "f", "arguments": nested(depth, "2")}}
    second["request"]["body"]["messages"] += [
        {"role": "assistant", "content": None, "tool_calls": [again]},
        {"role": "tool", "tool_call_id": "c", "content": "1"},
    ]
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}}
    first["request"]["body"]["tools"] = second["request"]["body"]["tools"] = [tool]
    result = conformance("check", "--format", form, written(tmp_path, "a.jsonl", first, second))
    assert result.exit_code in (0, 1)
    assert result.stdout


@pytest.mark.parametrize("depth", [100, 300, 900, 100_000])
def test_a_deep_event(depth: int, tmp_path: Path) -> None:
    streamed = exchange()
    streamed["response"] |= {
        "headers": {"content-type": "text/event-stream"},
        "body": f"data: {nested(depth)}\n\ndata: [DONE]\n\n",
    }
    result = conformance("check", written(tmp_path, "a.jsonl", streamed))
    assert result.exit_code in (0, 1)


def test_deep_values_are_compared_or_refused(tmp_path: Path) -> None:
    paths = []
    for number, depth in enumerate((300, 900)):
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": nested(depth)}}
        paths.append(written(tmp_path, f"{number}.jsonl", exchange(tool_calls=[call], content=None)))
    assert conformance("diff", *paths).exit_code in (0, 1, 2)


def test_a_member_without_a_name_is_compared(tmp_path: Path) -> None:
    paths = []
    for name, extra in (("a", {"": 1}), ("b", {"": {"": [1]}})):
        whole = exchange()
        body = json.dumps(whole["response"]["body"] | extra)
        text = yaml_cassette(f"'{json.dumps(whole['request']['body'])}'").replace("string: x", f"string: '{body}'")
        paths.append(written(tmp_path, f"{name}.yaml", text))
    result = conformance("diff", *paths)
    assert result.exit_code == 1
    assert not result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "a\0b"),
        ("diff", "a\0b", "c"),
        ("show", "a\0b"),
        ("list", "--scenarios", "a\0b"),
        ("check", "--baseline", "a\0b", "."),
        ("replay", "--cassettes", "a\0b"),
        ("record", "--cassettes", "a\0b", "--scenario", "weather"),
    ],
)
def test_a_path_with_a_nul_character(arguments: tuple[str, ...]) -> None:
    result = conformance(*arguments)
    assert result.exit_code == 2
    assert "\0" not in result.output


@pytest.mark.parametrize(
    "text",
    [
        'tool.conformance.ignore = "chat"',
        "tool.conformance.ignore = 3",
        "tool.conformance.scenarios = 5",
        "tool.conformance.scenarios = [1]",
        "tool.conformance = 1",
        "tool = 3",
        "tool.conformance.targets.x = 3",
    ],
)
def test_a_wrongly_typed_setting(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").write_text(f"{text}\n")
    monkeypatch.chdir(tmp_path)
    result = conformance("check", written(tmp_path, "a.jsonl", exchange()))
    assert result.exit_code == 2
    assert "pyproject.toml" in result.stderr


@pytest.mark.parametrize("kind", [{"a": 1}, ["message"], None, 3])
@pytest.mark.parametrize("key", ["type", "object", "modelVersion", "candidates"])
def test_a_body_whose_kind_is_no_word(key: str, kind: Any, tmp_path: Path) -> None:
    result = conformance("check", written(tmp_path, "a.jsonl", {key: kind, "role": "assistant", "content": []}))
    assert result.exit_code in (1, 2)
    assert "a.jsonl" in result.output


def test_a_refusal_that_is_not_utf_8() -> None:
    text = b"\xe9 messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01"
    result = CliRunner().invoke(app, ["explain", "-"], input=text)
    assert result.exit_code == 0
    assert "tool-call-unanswered" in result.output


_COMMAND = "x\n::error title=t::\x1b[31mred"


@pytest.mark.parametrize("name", [f"{_COMMAND}.jsonl", f"{_COMMAND}.yaml"])
def test_a_file_name_cannot_command_a_terminal_or_a_ci_log(name: str, tmp_path: Path) -> None:
    result = conformance("check", written(tmp_path, name, "{"))
    assert result.exit_code == 2
    assert "\x1b" not in result.output
    assert not [line for line in result.output.splitlines() if line.lstrip().startswith("::")]


@pytest.mark.parametrize("form", ["text", "github", "markdown", "gitlab", "junit"])
def test_a_recording_cannot_command_a_terminal_or_a_ci_log(form: str, tmp_path: Path) -> None:
    broken = exchange(tool_calls=[{"id": _COMMAND, "type": _COMMAND, "function": {"name": _COMMAND}}])
    broken["id"] = broken["conversation"] = _COMMAND
    broken["response"]["body"][_COMMAND] = _COMMAND
    result = conformance("check", "--format", form, written(tmp_path, f"{_COMMAND}.jsonl", broken))
    assert result.exit_code == 1
    assert "\x1b" not in result.output
    commands = [line for line in result.output.splitlines() if line.lstrip().startswith("::")]
    assert all(re.match(r"::(error|warning|notice) file=", line) for line in commands), commands


def test_the_error_of_a_line_is_visible(tmp_path: Path) -> None:
    record = exchange() | {"response": {"status": "\n::error::x\x1b[2J"}}
    result = conformance("check", written(tmp_path, "a.jsonl", record))
    assert result.exit_code == 2
    assert "\x1b" not in result.output
    assert len(result.stderr.splitlines()) == 1
