"""Reading tool definitions: each form, each container, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import ConformanceError
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs import read_tools

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
CHAT = {"type": "function", "function": {"name": "weather", "description": "How warm", "parameters": SCHEMA}}
RESPONSES = {"type": "function", "name": "weather", "description": "How warm", "parameters": SCHEMA, "strict": True}
MESSAGES = {"name": "weather", "description": "How warm", "input_schema": SCHEMA}
UPPER = {"type": "OBJECT", "properties": {"city": {"type": "STRING", "nullable": True}}}
LOWER = {"type": "object", "properties": {"city": {"type": ["string", "null"]}}}
CONVERSE = {"toolSpec": {"name": "weather", "description": "How warm", "inputSchema": {"json": SCHEMA}}}
LISTED = {"name": "weather", "description": "How warm", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}
GEMINI = {"name": "weather", "description": "How warm", "parameters": UPPER}
GEMINI_SNAKE = {"name": "weather", "description": "How warm", "parameters_json_schema": SCHEMA}
TITLED = {"title": "weather", "description": "How warm", **SCHEMA}
LEGACY = {"name": "weather", "description": "How warm", "parameters": SCHEMA}


def read(tmp_path: Path, document: Any, name: str = "tools.json", **options: Any) -> list[GivenTool]:
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return read_tools(str(path), **options)


@pytest.mark.parametrize(
    ("document", "form", "pointer", "parameters"),
    [
        (CHAT, "openai-chat", "", SCHEMA),
        ([CHAT], "openai-chat", "/0", SCHEMA),
        ({"model": "m", "messages": [], "tools": [CHAT]}, "openai-chat", "/tools/0", SCHEMA),
        ({"model": "m", "functions": [LEGACY]}, "openai-chat", "/functions/0", SCHEMA),
        ({"tools": [{"function": CHAT["function"]}]}, "openai-chat", "/tools/0", SCHEMA),
        (RESPONSES, "openai-responses", "", SCHEMA),
        ({"tools": [{"type": "namespace", "tools": [RESPONSES]}]}, "openai-responses", "/tools/0/tools/0", SCHEMA),
        ({"tools": [], "input": [{"type": "additional_tools", "tools": [RESPONSES]}]}, "openai-responses",
         "/input/0/tools/0", SCHEMA),
        ({"tools": [MESSAGES]}, "anthropic-messages", "/tools/0", SCHEMA),
        ({"tools": [{"type": "custom", **MESSAGES}]}, "anthropic-messages", "/tools/0", SCHEMA),
        (GEMINI, "gemini", "", LOWER),
        ({"tools": [{"functionDeclarations": [GEMINI]}]}, "gemini", "/tools/0/functionDeclarations/0", LOWER),
        ({"tools": {"function_declarations": [GEMINI_SNAKE]}}, "gemini", "/tools/function_declarations/0", SCHEMA),
        ([{"functionDeclarations": [GEMINI]}], "gemini", "/0/functionDeclarations/0", LOWER),
        (CONVERSE, "bedrock-converse", "", SCHEMA),
        ({"toolConfig": {"tools": [CONVERSE]}}, "bedrock-converse", "/toolConfig/tools/0", SCHEMA),
        ({"tools": [LISTED]}, "mcp", "/tools/0", SCHEMA),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [LISTED]}}, "mcp", "/result/tools/0", SCHEMA),
        (TITLED, "json-schema", "", TITLED),
        ({"name": "weather", "description": "How warm", **SCHEMA}, "json-schema", "",
         {"description": "How warm", **SCHEMA}),
    ],
)  # fmt: skip
def test_a_tool_is_read_in_each_form(
    tmp_path: Path, document: Any, form: str, pointer: str, parameters: dict[str, Any]
) -> None:
    (tool,) = read(tmp_path, document)
    assert (tool.form, tool.definition.pointer, tool.definition.kind) == (form, pointer, "function")
    assert (tool.definition.name, tool.definition.description) == ("weather", "How warm")
    assert tool.definition.parameters == parameters
    assert tool.source == str(tmp_path / "tools.json")
    assert isinstance(tool.given, dict)
    assert "weather" in json.dumps(tool.given)


def test_yaml_is_read_as_yaml_1_2(tmp_path: Path) -> None:
    text = "tools:\n- name: heat\n  input_schema: {type: object, properties: {on: {enum: [no, yes, true]}}}\n"
    (tool,) = read(tmp_path, text, "tools.yaml")
    assert tool.definition.parameters["properties"] == {"on": {"enum": ["no", "yes", True]}}


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"type": "web_search", "search_context_size": "low"}, "web_search"),
        ({"type": "code_interpreter", "container": {"type": "auto"}}, "code_interpreter"),
        ({"type": "openrouter:web_search"}, "openrouter:web_search"),
        ({"type": "invented_next_year"}, "invented_next_year"),
        ({"type": "web_search_20250305", "name": "web_search", "max_uses": 5}, "web_search_20250305"),
        ({"type": "tool_search_tool_bm25_20251119", "name": "tool_search"}, "tool_search_tool_bm25_20251119"),
        ({"type": "bash_20250124", "name": "bash"}, "bash_20250124"),
        ({"googleSearch": {}}, "googleSearch"),
        ({"google_search": {}}, "googleSearch"),
        ({"systemTool": {"name": "nova_grounding"}}, "systemTool"),
        ({"type": "custom", "custom": {"name": "sql"}}, "custom"),
    ],
)
def test_hosted_tools_are_kept_apart_by_their_kind(tmp_path: Path, entry: dict[str, Any], kind: str) -> None:
    hosted, function = read(tmp_path, {"tools": [entry, CHAT]})
    assert hosted.definition.kind == kind
    assert hosted.definition.name
    assert function.definition.kind == "function"


def test_a_cache_point_is_not_a_tool(tmp_path: Path) -> None:
    tools = read(tmp_path, {"toolConfig": {"tools": [CONVERSE, {"cachePoint": {"type": "default"}}]}})
    assert [tool.definition.name for tool in tools] == ["weather"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"tools": [CHAT, {"type": "fonction", "function": {}}]}, "/tools/1 is not a tool definition in a known form"),
        ({"tools": [CHAT, "weather"]}, '/tools/1 is not a tool definition but "weather"'),
        ([CHAT, SCHEMA], "/1 is not a tool definition in a known form: .*needs a `title` or a `name`"),
        ({"tools": [MESSAGES, {"input_schema": SCHEMA}, {"parameters": SCHEMA}]}, "/tools/2 .*; add `name`"),
        ({"tools": []}, "contains no tool definitions"),
        ({"prompt": "hello"}, "contains no tool definitions"),
        ("{", "tools.json:1: invalid JSON"),
        ("", "is empty"),
        ("[" * 100_000, "nested more than 200 levels deep"),
        ('{"a":' * 300 + "1" + "}" * 300, "nested more than 200 levels deep"),
    ],
)
def test_what_is_no_tool_definition_is_an_error(tmp_path: Path, document: Any, message: str) -> None:
    with pytest.raises(ConformanceError, match=message) as caught:
        read(tmp_path, document)
    assert caught.value.exit_code == 2


def test_a_named_form_is_required_of_each_entry(tmp_path: Path) -> None:
    assert read(tmp_path, [CHAT], form="openai-chat")
    with pytest.raises(ConformanceError, match=r"not a tool definition of the form mcp.*pass --from openai-chat"):
        read(tmp_path, [CHAT], form="mcp")
    with pytest.raises(ConformanceError, match="did you mean 'openapi'"):
        read(tmp_path, [CHAT], form="openap")


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps([CHAT]).encode())))
    (tool,) = read_tools("-")
    assert tool.source == "standard input"


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError, match=r"gone\.json: no such file"):
        read_tools(str(tmp_path / "gone.json"))


def exchange(body: Any, reply: Any = None) -> str:
    url = "https://api.openai.com/v1/chat/completions"
    request = {"method": "POST", "url": url, "headers": {}, "body": body}
    return json.dumps({"request": request, "response": {"status": 200, "headers": {}, "body": reply or {}}})


def test_the_tools_of_a_recording_are_read_once_for_each_distinct_list(tmp_path: Path) -> None:
    body = {"model": "m", "messages": [], "tools": [CHAT]}
    other = {**body, "tools": [CHAT, {"type": "broken", "function": 1}]}
    lines = "\n".join([exchange(body), exchange({"model": "m"}), exchange(body), exchange(other)])
    tools = read(tmp_path, lines, "log.jsonl")
    path = tmp_path / "log.jsonl"
    assert [(tool.source, tool.definition.kind) for tool in tools] == [
        (f"{path}:1, exchange 0", "function"),
        (f"{path}:4, exchange 3", "function"),
        (f"{path}:4, exchange 3", "unknown"),
    ]


def test_a_recording_without_the_ending_of_one_is_recognised(tmp_path: Path) -> None:
    cassette = {
        "version": 1,
        "interactions": [
            {
                "request": {"method": "POST", "uri": "https://x/mcp", "headers": {},
                            "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})},
                "response": {"status": {"code": 200, "message": "OK"}, "headers": {},
                             "body": {"string": json.dumps({"id": 1, "result": {"tools": [LISTED]}})}},
            }
        ],
    }  # fmt: skip
    (tool,) = read(tmp_path, cassette, "cassette.json")
    assert (tool.form, tool.definition.pointer) == ("mcp", "/tools/0")
    with pytest.raises(ConformanceError, match="no exchange of the recording has tools"):
        read(tmp_path, exchange({"model": "m"}), "log.jsonl")
