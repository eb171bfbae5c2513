"""`conformance tools`: what becomes of tool definitions at each profile."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import conformance.tool_definitions
from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.judge.checker import check as check_exchanges
from conformance.model.exchange import Exchange
from conformance.model.transcript import ToolDefinition
from conformance.profiles.tool_variants import Outcome, all_variants
from conformance.report import FORMATS
from conformance.testing.tool_check import check_tools
from conformance.tool_definitions import State
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import judge
from conformance.tool_definitions.result import result_of
from conformance.tool_definitions.text import WIDTH
from devtools.places import ROOT

TEXT = {"type": "string"}
PLAIN = {"type": "object", "properties": {"q": TEXT}, "required": ["q"], "additionalProperties": False}


def given(schema: Any, name: str = "search", **more: Any) -> GivenTool:
    return GivenTool(ToolDefinition(name, "Search.", schema, **more), "json-schema", "tools.json")


def with_property(schema: dict[str, Any]) -> dict[str, Any]:
    """An object whose one property has the schema."""
    return {**PLAIN, "properties": {"q": schema}}


def refusals(schema: Any, variant: str, **more: Any) -> list[tuple[str, str]]:
    """The rule and the pointer of everything that is refused."""
    found = judge([given(schema, **more)], all_variants()[variant])
    problems = [*found.problems, *found.tools[0].problems]
    return [(each.rule, each.pointer) for each in problems if each.outcome is Outcome.REFUSED]


def state(schema: Any, variant: str, **more: Any) -> State:
    return judge([given(schema, **more)], all_variants()[variant]).state


@pytest.mark.parametrize("variant", sorted(all_variants()))
def test_a_plain_tool_is_refused_nowhere(variant: str) -> None:
    assert refusals(PLAIN, variant) == []


TEN = {"type": "number"}
LIST = {"type": "array", "items": TEXT}
DRAFT = "http://json-schema.org/draft-07/schema#"
REPORTED = [
    # What users met: the thread, the variant, the keyword with its place, and the smallest schema that has it.
    ("mark3labs/mcphost#35", "openai/chat", "q", {"type": "array"}),
    ("makenotion/notion-mcp-server#102", "openai/chat-strict", "q/allOf", {"allOf": [PLAIN]}),
    ("can1357/oh-my-pi#206", "openai/chat-strict", "q/format", {**TEXT, "format": "uri"}),
    ("laravel/ai#715", "anthropic/messages-strict", "q/minimum", {**TEN, "minimum": 1}),
    ("taylorwilsdon/google_workspace_mcp#1099", "google/3", "q/const", {"const": "insert"}),
    ("brightwave-inc/tidebreak#1516", "google/3", "q/type", {"type": ["string", "null"]}),
    ("decolua/9router#3018", "google/3", "q/uniqueItems", {**LIST, "uniqueItems": True}),
    ("decolua/9router#2317", "vertex/gemini", "q/multipleOf", {**TEN, "multipleOf": 2}),
    ("pizza-bot-app/pizza-bot#62", "google/up-to-2.5", "q/exclusiveMinimum", {**TEN, "exclusiveMinimum": 0}),
    ("Wei-Shaw/sub2api#795", "google/3", "q/patternProperties", {"type": "object", "patternProperties": {}}),
    ("elastic/kibana#286302", "google/3", "q/format", {**TEXT, "format": "email"}),
    ("livekit/agents#4610", "openai/chat-strict", "", {}),
    ("openclaw/openclaw 00347bda75", "xai/chat", "q/maxLength", {**TEXT, "maxLength": 9}),
]
REPORTED_ROOTS = [
    ("langchain-ai/langchainjs#9804", "openai/chat", "oneOf", {"oneOf": [PLAIN]}),
    ("nerdai/llm-agents-from-scratch#861", "openai/chat-strict", "", {"required": []}),
    ("anthropics/claude-code#44788", "anthropic/messages", "anyOf", {"anyOf": [PLAIN]}),
    (
        "anthropics/claude-code#79418",
        "anthropic/messages",
        "properties/a[b]",
        {"properties": {"q": TEXT, "a[b]": TEXT}},
    ),
    ("promptfoo/promptfoo#5960", "google/up-to-2.5", "$schema", {"$schema": DRAFT}),
]


@pytest.mark.parametrize(("thread", "variant", "place", "schema"), REPORTED, ids=[each[0] for each in REPORTED])
def test_a_refusal_that_users_reported_is_found_at_its_place(
    thread: str, variant: str, place: str, schema: dict[str, Any]
) -> None:
    found = [pointer for _, pointer in refusals(with_property(schema), variant)]
    assert f"/properties/{place}".rstrip("/") in found, thread


@pytest.mark.parametrize(
    ("thread", "variant", "place", "schema"), REPORTED_ROOTS, ids=[each[0] for each in REPORTED_ROOTS]
)
def test_a_refusal_of_the_root_that_users_reported_is_found_at_its_place(
    thread: str, variant: str, place: str, schema: dict[str, Any]
) -> None:
    assert f"/{place}".rstrip("/") in [pointer for _, pointer in refusals({**PLAIN, **schema}, variant)], thread


def test_an_object_that_requires_what_it_does_not_declare_is_refused_where_users_met_it() -> None:
    schema = {"type": "object", "required": ["q"]}
    assert ("tool-keyword-unsupported", "/required") in refusals(schema, "groq/chat")  # usestrix/strix#1088


def test_a_limit_that_ended_applies_only_to_requests_of_its_time() -> None:
    tool = [GivenTool(ToolDefinition("search", "d" * 2000, PLAIN), "json-schema", "tools.json")]
    variant = all_variants()["openai/chat"]
    assert judge(tool, variant).state is State.ACCEPTED
    assert judge(tool, variant, day=date(2025, 4, 1)).state is State.REFUSED
    assert judge(tool, all_variants()["azure-openai/chat"]).state is State.UNKNOWN


def test_one_fact_is_reported_once_though_a_contract_and_a_row_could_report_it() -> None:
    schema = with_property({"oneOf": [{**TEXT, "const": "a"}, {"type": "integer"}]})
    found = judge([given(schema)], all_variants()["google/3"]).tools[0].problems
    assert [each.pointer for each in found if each.outcome is not Outcome.ACCEPTED] == ["/properties/q/oneOf"]


def test_a_loss_says_what_the_model_may_send() -> None:
    [problem] = [
        each
        for each in judge([given(with_property({"type": "number", "minimum": 1}))], all_variants()["llama-cpp/grammar"])
        .tools[0]
        .problems
        if each.loses
    ]
    assert (problem.outcome, problem.keyword, problem.loss) == (Outcome.IGNORED, "minimum", "a smaller number")
    assert "json-schema-to-grammar" in str(problem.evidence)


def test_an_ignored_annotation_is_no_loss() -> None:
    assert state(with_property({**TEXT, "readOnly": True}), "llama-cpp/grammar") is State.ACCEPTED


def test_a_keyword_of_which_nothing_is_known_is_unknown_and_a_refusal_outweighs_it() -> None:
    unknown = with_property({**TEXT, "x-order": 1})
    assert state(unknown, "openai/chat-strict") is State.UNKNOWN
    assert state({**unknown, "additionalProperties": True}, "openai/chat-strict") is State.REFUSED


def test_the_number_of_tools_is_a_problem_of_the_whole_list() -> None:
    tools = [given(PLAIN, f"tool_{number}") for number in range(129)]
    result = result_of(tools, ["openai/chat", "anthropic/messages"])
    assert result.refused == ("openai/chat",)
    assert [cause.first.tool for cause in result.causes] == [None]


def test_a_tool_in_the_form_of_the_variant_is_judged_as_it_stands() -> None:
    declared = {
        "name": "search",
        "parameters": {"type": "OBJECT", "properties": {"q": {"type": "STRING", "nullable": True}}},
    }
    result = conformance.tool_definitions.check(declared, profiles=["google/3"])
    assert result.accepted
    leaking = {"type": "function", "function": {"name": "search", "parameters": PLAIN, "annotations": {}}}
    [finding] = [
        each
        for each in conformance.tool_definitions.check(leaking, profiles="openai/chat").findings()
        if each.severity == "error"
    ]
    assert finding.rule == "tool-mcp-field-leaked"


def test_names_that_clash_once_spelled_for_all_are_found() -> None:
    result = result_of([given(PLAIN, "a.b"), given(PLAIN, "a_b"), given(PLAIN, "c")], ["mistral"])
    assert [each.actual for each in result.findings() if each.rule == "tool-name-ambiguous"] == ["a_b"]


def test_the_severity_depends_on_who_decides() -> None:
    tools = [given({**PLAIN, "oneOf": [PLAIN]})]

    def worst(profiles: list[str], decisive: list[str]) -> str:
        return max(each.severity for each in result_of(tools, profiles, decisive).findings())

    assert worst([], []) == "warning"
    assert worst(["openai/chat"], []) == "error"
    assert worst(["openai/chat"], ["mistral"]) == "warning"
    assert worst([], ["openai"]) == "error"


def test_strict_modes_and_earlier_versions_count_only_if_they_are_named() -> None:
    usual = result_of([given(PLAIN)]).profiles
    assert {"openai/chat", "anthropic/messages", "google/3", "cohere/chat"} <= set(usual)
    assert not [name for name in usual if "strict" in name or "2023" in name]
    strict = {name for name, each in all_variants().items() if each.strict}
    assert not strict & set(usual)
    assert result_of([given(PLAIN)], ["openai"]).profiles[1] == "openai/chat-strict"


def test_hosted_tools_are_left_out() -> None:
    result = result_of([given(None, "web", kind="web_search"), given(PLAIN)], ["openai/chat"])
    assert [tool.definition.name for tool in result.tools] == ["search"]


# The library -------------------------------------------------------------------------------------------------------


def test_check_takes_definitions_of_any_form_and_paths(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": [{"name": "search", "inputSchema": PLAIN}]}), encoding="utf-8")
    forms: list[Any] = [
        {"name": "search", "input_schema": PLAIN},
        [{"type": "function", "function": {"name": "search", "parameters": PLAIN}}],
        path,
        str(path),
        given(PLAIN),
        [given(PLAIN)],
    ]
    for tools in forms:
        result = conformance.tool_definitions.check(tools, profiles=["openai/chat", "google/3"])
        assert result.state("search", "google/3") is State.ACCEPTED
        assert result.profiles == ("openai/chat", "google/3")


def test_a_result_knows_only_what_was_judged() -> None:
    result = conformance.tool_definitions.check([given(PLAIN)], profiles="mistral")
    with pytest.raises(KeyError, match="openai"):
        result.state("search", "openai/chat")
    with pytest.raises(KeyError, match="find"):
        result.state("find", "mistral/chat")


@pytest.mark.parametrize(
    ("tools", "message"),
    [(7, "not a tool but int"), ([], "no tools"), ({"name": 1}, "tool"), ("gone.json", "gone.json")],
)
def test_check_of_what_is_no_tool_reports_it(tools: Any, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        conformance.tool_definitions.check(tools, profiles="openai")


def test_the_fixture_fails_with_the_table_and_what_to_change(conformance_tools: Any) -> None:
    conformance_tools(given(PLAIN), profiles=["openai", "mistral"])
    with pytest.raises(AssertionError) as failed:
        conformance_tools(given({**PLAIN, "oneOf": [PLAIN]}), profiles=["openai/chat", "mistral"])
    text = str(failed.value)
    assert text.startswith("the tools are not accepted by openai/chat\n")
    assert "put the alternatives into a property" in text


def test_what_the_fixture_allows() -> None:
    lossy, unknown = given(with_property({**TEXT, "minLength": 1})), given(with_property({**TEXT, "x-a": 1}))
    check_tools(lossy, profiles="ollama")
    with pytest.raises(AssertionError, match="ollama/chat"):
        check_tools(lossy, profiles="ollama", allow=[])
    with pytest.raises(AssertionError, match="openai/chat-strict"):
        check_tools(unknown, profiles="openai/chat-strict")
    check_tools(unknown, profiles="openai/chat-strict", allow=["unknown"])
    with pytest.raises(ConformanceError, match="choose from loss, unknown"):
        check_tools(lossy, profiles="ollama", allow=["refused"])


def test_the_program_of_the_page_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    [(program, printed)] = re.findall(r"```python\n(import.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    exec(compile(program, "tools.md", "exec"), {})
    assert capsys.readouterr().out == printed


# The command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def tools_json(tmp_path: Path) -> Path:
    path = tmp_path / "tools.json"
    tools = [{"name": "search", "description": "Search.", "inputSchema": {**PLAIN, "oneOf": [PLAIN]}}]
    path.write_text(json.dumps(tools), encoding="utf-8")
    return path


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["tools", *arguments])


def test_a_secret_in_a_name_is_not_shown_in_the_lines_that_it_is_wrapped_into(tmp_path: Path) -> None:
    key = "sk-ant-api03-Zx8cVb5nMq2wEr9tYu6iOp3aSd0fGh7jKl4zXc1vBn8mQw5eRt2yUi9oPa6sDf3gHj0kLz7xCv4bNm1q-aBcDeFgAA"
    schema = {"type": "object", "properties": {"a": {"type": "strin", f"x-{key}": 1, "enum": [key]}}}
    tools = [{"name": name, "description": "a", "inputSchema": schema} for name in (key, "wiki")]
    (tmp_path / "tools.json").write_text(json.dumps({"tools": tools}))
    printed = "".join(run(str(tmp_path / "tools.json"), "-v").output.split())
    assert "wiki" in printed
    assert key[20:50] not in printed


def test_the_command_prints_the_table_the_cause_and_the_sums(tools_json: Path) -> None:
    arguments = str(tools_json), "--profile", "openai/chat", "--profile", "mistral", "--for", "mistral"
    done = run(*arguments, "-v")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == "search: refused by openai/chat for `oneOf`; `--rewrite openai/chat` mends that"
    assert run(*arguments).output.splitlines()[0] == lines[0]
    assert lines[2].split() == ["search"]
    assert lines[3].split() == ["openai/chat", "refused"]
    assert lines[4].split() == ["mistral/chat", "accepted"]
    assert "     at       search /0/inputSchema/oneOf" in lines
    assert lines[-1].endswith("at 2 profiles: 1 accepted, 1 refused")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 0),
        (("--profile", "openai"), 1),
        (("--profile", "openai", "--for", "mistral"), 0),
        (("--for", "openai/chat"), 1),
        (("--for", "ollama"), 0),
        (("--for", "ollama", "--strict"), 1),
        (("--for", "openai/chat", "--ignore", "tool-keyword-"), 0),
    ],
)
def test_who_decides_the_exit_code(arguments: tuple[str, ...], code: int, tools_json: Path) -> None:
    assert run(str(tools_json), *arguments).exit_code == code


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_reports_works(form: str, tools_json: Path) -> None:
    done = run(str(tools_json), "--profile", "openai/chat", "--format", form)
    assert done.exit_code == 1, done.output
    assert "oneOf" in done.output


def test_the_json_report_has_the_table_and_keeps_to_its_schema(tools_json: Path) -> None:
    done = run(str(tools_json), "--profile", "openai", "--profile", "ollama", "--format", "json")
    report = json.loads(done.output)
    schema = json.loads((ROOT / "specs" / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(report, schema)
    [tool] = report["tools"]["tools"]
    assert tool["states"]["openai/chat"] == "refused"
    assert tool["states"]["ollama/chat"] == "accepted with loss"
    assert report["summary"]["profiles"] == 5
    worst = report["tools"]["problems"][0]
    assert (worst["outcome"], worst["places"]) == ("refused", [{"tool": 0, "pointer": "/0/inputSchema/oneOf"}])


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no input"),
        (("gone.json",), "gone.json"),
        (("{tools}", "--for", "opnai"), "did you mean `openai`?"),
        (("{tools}", "--header", "x"), "--header is not NAME:VALUE"),
        (("{tools}", "--from", "opnapi"), "openapi"),
    ],
)
def test_wrong_use_ends_with_2_and_one_line(arguments: tuple[str, ...], message: str, tools_json: Path) -> None:
    command = [sys.executable, "-m", "conformance", "tools", *(each.format(tools=tools_json) for each in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.process
def test_the_arguments_after_two_dashes_are_a_command() -> None:
    done = run("--profile", "openai", "--", sys.executable, "-c", "pass")
    assert done.exit_code == 2
    assert "MCP" in done.output or "server" in done.output


def test_no_line_is_wider_than_the_terminal_and_many_tools_get_numbers() -> None:
    tools = [given(PLAIN, f"a_tool_with_a_long_name_{number}") for number in range(40)]
    lines = str(result_of(tools)).split("\n")
    assert max(map(len, lines)) <= WIDTH
    assert "+ accepted  ~ accepted with loss  ? unknown  X refused" in lines
    assert any(line.startswith("openai/chat ") and line.split()[1:3] == ["+", "+"] for line in lines)


# Recorded requests -------------------------------------------------------------------------------------------------


def recorded(url: str, schema: dict[str, Any], status: int, model: str = "gpt-4o-mini") -> Exchange:
    tool = {"type": "function", "function": {"name": "search", "description": "Search.", "parameters": schema}}
    body = {"model": model, "messages": [{"role": "user", "content": "?"}], "tools": [tool]}
    error = {"error": {"message": "Invalid schema", "type": "invalid_request_error", "param": None, "code": None}}
    reply = {"id": "1", "object": "chat.completion", "created": 1, "model": model, "choices": []}
    answer = {"status": status, "headers": {}, "body": error if status >= 400 else reply}
    return Exchange.of({"request": {"method": "POST", "url": url, "headers": {}, "body": body}, "response": answer})


def of_tools(exchange: Exchange) -> list[tuple[str, str, str | None]]:
    return [
        (each.rule, str(each.severity), each.pointer)
        for each in check_exchanges([exchange])
        if each.rule.startswith(("tool-keyword", "tool-size"))
    ]


UNION = {**PLAIN, "oneOf": [PLAIN]}
PLACE = "/tools/0/function/parameters/oneOf"


@pytest.mark.parametrize(
    ("url", "model", "status", "severity"),
    [
        ("https://api.openai.com/v1/chat/completions", "gpt-4o-mini", 400, "error"),
        ("https://api.openai.com/v1/chat/completions", "gpt-4o-mini", 200, "warning"),
        ("https://openrouter.ai/api/v1/chat/completions", "openai/gpt-4o-mini", 400, "warning"),
        ("https://openrouter.ai/api/v1/chat/completions", "openai/gpt-4o-mini", 200, "info"),
    ],
)
def test_a_recorded_request_has_the_finding_of_its_profile_and_of_its_upstream(
    url: str, model: str, status: int, severity: str
) -> None:
    assert ("tool-keyword-unsupported", severity, PLACE) in of_tools(recorded(url, UNION, status, model))


def test_another_host_and_another_profile_have_no_finding() -> None:
    for url in ("https://api.mistral.ai/v1/chat/completions", "https://llm.example.com/v1/chat/completions"):
        assert of_tools(recorded(url, UNION, 400)) == []


def test_what_is_ignored_is_an_info() -> None:
    schema = with_property({"oneOf": [TEXT, {"type": "number"}]})
    found = of_tools(recorded("https://api.x.ai/v1/chat/completions", schema, 200, "grok-4"))
    assert found == [("tool-keyword-ignored", "info", "/tools/0/function/parameters/properties/q/oneOf")]
