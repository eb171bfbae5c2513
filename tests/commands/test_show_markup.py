"""`conformance show --markup`: the calls of a text as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conformance.dialects.text.markup import names
from conformance.dialects.text.markup.grammar import rows
from devtools.markup_parsers.writing import written
from devtools.places import ROOT
from tests.program import conformance

LOGS = (ROOT / "docs/logs.md").read_text(encoding="utf-8")


def shown(tmp_path: Path, text: str, *options: str, markup: str = "glm", code: int = 0) -> Any:
    file = tmp_path / "answer.txt"
    file.write_text(text, encoding="utf-8")
    run = conformance("show", "--markup", markup, str(file), *options)
    assert run.returncode == code, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("markup", names())
def test_each_markup_is_shown_as_json(markup: str, tmp_path: Path) -> None:
    found = shown(tmp_path, written(markup, [("get_weather", {"city": "서울\x9b"}), ("ping", {})]), markup=markup)
    assert found["markup"] == markup
    assert [(each["name"], each["arguments"]) for each in found["calls"]] == [
        ("get_weather", {"city": "서울\x9b"}),
        ("ping", {}),
    ]
    assert found["faults"] == []


def test_what_the_page_shows_is_what_the_command_prints(tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    schema = {"type": "object", "properties": {"zip": {"type": "string"}, "days": {"type": "integer"}}}
    tools.write_text(json.dumps([{"name": "get_weather", "input_schema": schema}]), encoding="utf-8")
    call = written("glm", [("get_weather", {"zip": "01234", "days": 3})])
    [block] = re.findall(r"```json\n(\{\n  \"markup\".*?)```", LOGS, re.DOTALL)
    assert shown(tmp_path, f"Let me look.\n{call}", "--tools", str(tools)) == json.loads(block)


def test_the_page_lists_every_markup() -> None:
    section = LOGS.partition("## The text of open models")[2]
    assert re.findall(r"^\| `([^`]+)` \| (.+) \|$", section, re.MULTILINE) == [
        (name, row["title"]) for name, row in rows().items()
    ]


def test_broken_markup_is_shown_with_its_place_and_ends_with_1(tmp_path: Path) -> None:
    found = shown(tmp_path, "Hi\n<tool_call>f\n<arg_key>a</arg_key>", code=1)
    assert found["faults"] == [
        {
            "message": "the text ends where `<arg_value>` is expected",
            "line": 3,
            "column": 21,
            "cut": True,
            "call": "f",
        }
    ]
    assert found["text"] == "Hi"


def test_a_text_that_only_ends_its_thoughts_began_in_them(tmp_path: Path) -> None:
    found = shown(tmp_path, "<tool_call>f</tool_call></think>Hi")
    assert (found["calls"], found["reasoning"], found["text"]) == ([], "<tool_call>f</tool_call>", "Hi")


def test_the_output_is_a_file_if_wanted(tmp_path: Path) -> None:
    file, output = tmp_path / "answer.txt", tmp_path / "calls.json"
    file.write_text("<tool_call>f</tool_call>", encoding="utf-8")
    run = conformance("show", "--markup", "glm", str(file), "--output", str(output))
    assert (run.returncode, run.stdout) == (0, "")
    assert json.loads(output.read_text(encoding="utf-8"))["calls"] == [
        {"name": "f", "arguments": {}, "line": 1, "column": 1}
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--markup", "gml", "{file}"), "unknown markup 'gml'; choose one of qwen3-coder, glm, kimi"),
        (("--markup", "glm", "{folder}/none"), "no such file"),
        (("--markup", "glm", "{folder}"), "is a folder"),
        (("--markup", "glm", "{empty}"), "is empty"),
        (("--markup", "glm", "{bytes}"), "is not UTF-8 at byte 2"),
        (("--markup", "glm", "--events", "{file}"), "--markup and --events exclude each other"),
        (("--markup", "glm", "{file}", "--tools", "{file}"), "{file}"),
        (("--tools", "{file}", "{file}"), "--tools needs --markup"),
    ],
)
def test_bad_input_is_refused_in_one_line(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    names_of = {"folder": str(tmp_path), **{name: str(tmp_path / name) for name in ("file", "empty", "bytes")}}
    (tmp_path / "file").write_text("Hi", encoding="utf-8")
    (tmp_path / "empty").write_bytes(b" \n")
    (tmp_path / "bytes").write_bytes(b"Hi\xff")
    run = conformance("show", *(each.format(**names_of) for each in options))
    assert run.returncode == 2
    assert message.format(**names_of) in run.stderr
    assert len(run.stderr.splitlines()) == 1
