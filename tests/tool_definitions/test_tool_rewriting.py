"""Rewriting tools for a profile: what is accepted there, the same when repeated, and nothing lost without a word."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from conformance.commands import app
from conformance.errors import ConformanceError
from conformance.model.pointer import MISSING
from conformance.model.transcript import ToolDefinition
from conformance.profiles.tool_schema import fits, is_valid_schema
from conformance.profiles.tool_variants import Variant, all_variants
from conformance.scenario.load import all_scenarios
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs import read_tools
from conformance.tool_definitions.inputs.definitions import definitions
from conformance.tool_definitions.judgement import State
from conformance.tool_definitions.rewriting import Change, Effect, Rewritten, portable, rewrite
from conformance.tool_definitions.rewriting.instances import is_instance
from conformance.tool_definitions.rewriting.probe import is_bad
from conformance.tool_definitions.rewriting.values import Sampler
from devtools.places import CORPUS
from tests.sampling import every, fewer
from tests.tool_schemas import tool_schemas

VARIANTS = all_variants()
VALUES = 12


def tool(parameters: Any, name: str = "tool", description: str | None = "A tool.") -> GivenTool:
    return GivenTool(ToolDefinition(name, description, parameters), "json-schema", "test")


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def rewritten(parameters: Any, variant: str) -> tuple[Any, Rewritten]:
    """The schema of the only tool as it is written in the variant's form, and the whole result."""
    result = rewrite([tool(parameters)], VARIANTS[variant])
    held: Any = result.definitions[0]
    for step in VARIANTS[variant].schema_at.split("/")[1:]:
        held = held[step]
    return held, result


def given_names(value: Any, result: Rewritten) -> Any:
    """Arguments with the names of the original parameters."""
    names = {new.partition(".")[2]: old for new, old in result.names.items() if "." in new}
    return {names.get(name, name): each for name, each in value.items()} if isinstance(value, dict) else value


def hold(given_tool: GivenTool, result: Rewritten, variant: Variant) -> None:
    """What holds of each rewritten tool.

    It is accepted, except for keywords of which nothing is known; it does not change again; its schema is valid; and
    what is valid under it is valid under the original, unless a loss is listed. Each instance of a loss shows one.
    """
    definition = result.tools[0].definition
    original, new = given_tool.definition.parameters, definition.parameters
    assert [problem.message for problem in result.judged[0].tools[0].problems if is_bad(problem)] == []
    again = definitions(json.loads(json.dumps(list(result.definitions))), "again")
    assert rewrite(again, variant).definitions == result.definitions
    assert is_valid_schema(new)
    wider = [change for change in result.losses if change.effect is Effect.WIDER]
    sampler = Sampler(new)
    for value in (sampler.value(new) for _ in range(VALUES)):
        assert wider or not fits(value, new) or fits(given_names(value, result), original)
    for change in result.losses:
        if change.instance is not MISSING and not any("." in name for name in result.names):
            assert shows(change, original, new)


def shows(change: Change, original: Any, new: Any) -> bool:
    """Whether the instance of a loss is valid under one schema, and not under the other."""
    formats = change.keyword == "format"
    if change.effect is Effect.WIDER:
        return is_instance(change.instance, new, original, formats=formats)
    return is_instance(change.instance, original, new)


@given(tool_schemas, st.sampled_from(sorted(VARIANTS)))
@fewer(by=5)
def test_a_drawn_tool_is_accepted_stays_and_loses_nothing_unsaid(parameters: dict[str, Any], name: str) -> None:
    given_tool = tool(parameters)
    hold(given_tool, rewrite([given_tool], VARIANTS[name]), VARIANTS[name])


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_the_tools_of_scenarios_are_accepted_by_every_profile(name: str) -> None:
    tools = {
        json.dumps([each.name, each.parameters]): each
        for scenario in list(all_scenarios().values())[::10]
        for each in scenario.tools
    }
    for each in every(tools.values(), 8, risk="a tool of a scenario that only some profiles do not accept"):
        given_tool = tool(dict(each.parameters or {"type": "object"}), each.name, each.description)
        hold(given_tool, rewrite([given_tool], VARIANTS[name]), VARIANTS[name])


def recorded() -> list[GivenTool]:
    """Some of the recorded tools, each schema once."""
    tools: dict[str, GivenTool] = {}
    for name in ("openai-compatible", "gemini-generate", "bedrock-converse"):
        for each in read_tools(str(CORPUS / f"{name}.jsonl.gz")):
            if each.definition.kind == "function" and isinstance(each.definition.parameters, dict):
                tools.setdefault(json.dumps(each.definition.parameters, sort_keys=True), each)
    return every(list(tools.values())[::8], 5, risk="a rare form of a schema that a provider's profile refuses")


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("name", sorted({each for each in VARIANTS if VARIANTS[each].enforced} | {"google/3"}))
def test_recorded_tools_are_accepted_by_every_profile_that_enforces_schemas(name: str) -> None:
    for each in recorded():
        hold(each, rewrite([each], VARIANTS[name]), VARIANTS[name])


def test_strict_mode_closes_objects_and_lets_null_stand_for_what_was_optional() -> None:
    given_schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a"],
    }
    found, result = rewritten(given_schema, "openai/chat-strict")
    assert found["additionalProperties"] is False
    assert found["required"] == ["a", "b"]
    assert found["properties"]["b"] == {"type": ["integer", "null"]}
    (loss,) = result.losses
    assert loss.effect is Effect.WIDER
    assert loss.instance["b"] is None
    assert result.definitions[0]["function"]["strict"] is True


def test_an_optional_property_that_allows_null_is_no_loss() -> None:
    nullable = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    _, result = rewritten({"type": "object", "properties": {"a": nullable}}, "openai/chat-strict")
    assert result.losses == ()


@pytest.mark.parametrize(
    ("variant", "given_schema", "expected"),
    [
        ("openai/chat-strict", {"type": "string", "maxLength": 3}, {"type": "string", "pattern": "^[\\s\\S]{0,3}$"}),
        ("openai/chat-strict", {"oneOf": [{"type": "string"}, {"type": "null"}]},
         {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ("openai/chat-strict", {"allOf": [{"type": "string"}, {"pattern": "a"}]}, {"type": "string", "pattern": "a"}),
        ("google/3", {"type": ["string", "null"]}, {"type": "STRING", "nullable": True}),
        ("google/3", {"const": "x"}, {"type": "STRING", "enum": ["x"]}),
        ("google/3", {"type": "integer", "enum": [2, 3, 4]}, {"type": "INTEGER", "minimum": 2, "maximum": 4}),
        ("google/3", {"type": "integer", "exclusiveMinimum": 0}, {"type": "INTEGER", "minimum": 1}),
        ("google/3", {"type": "array"}, {"type": "ARRAY", "items": {}}),
        ("ollama/chat", {"const": 1}, {"enum": [1]}),
        ("llama-cpp/grammar", {"type": "string", "pattern": "^ab"}, {"type": "string", "pattern": "^ab[\\s\\S]*$"}),
    ],
)  # fmt: skip
def test_a_keyword_is_written_in_another_way_without_loss(variant: str, given_schema: Any, expected: Any) -> None:
    found, result = rewritten(schema(a=given_schema), variant)
    assert found["properties"]["a"] == expected
    assert result.losses == ()


@pytest.mark.parametrize(
    ("variant", "given_schema", "keyword", "instance"),
    [
        ("openai/chat-strict", {"type": "string", "format": "uri"}, "format", str),
        ("anthropic/messages-strict", {"type": "integer", "minimum": 1}, "minimum", int),
        ("google/3", {"type": "number", "multipleOf": 2}, "multipleOf", (int, float)),
        ("ollama/chat", {"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "uniqueItems", list),
        ("openai/chat-strict", {"not": {"type": "string"}}, "not", str),
    ],
)
def test_a_keyword_without_another_way_is_a_loss_with_an_instance(
    variant: str, given_schema: Any, keyword: str, instance: Any
) -> None:
    found, result = rewritten(schema(a=given_schema), variant)
    assert keyword not in found["properties"]["a"]
    (loss,) = [change for change in result.losses if change.keyword == keyword]
    assert (loss.pointer, loss.effect) == ("/properties/a", Effect.WIDER)
    assert isinstance(loss.instance["a"], instance)


def test_a_keyword_that_means_nothing_there_is_no_loss() -> None:
    odd = {"type": "string", "uniqueItems": True, "format": "int64"}
    found, result = rewritten(schema(a=odd), "openai/chat-strict")
    assert found["properties"]["a"] == {"type": "string", "description": "(format: int64) (uniqueItems: true)"}
    assert result.losses == ()


def test_what_is_left_out_is_reported_in_the_description() -> None:
    found, _ = rewritten(schema(a={"type": "integer", "minimum": 1, "description": "How many."}), "ollama/chat")
    assert found["properties"]["a"]["description"] == "How many. (minimum: 1)"


TREE = {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}


def test_references_stay_where_they_are_accepted_and_are_written_out_elsewhere() -> None:
    given_schema = {**schema(tree={"$ref": "#/definitions/tree"}), "definitions": {"tree": TREE}}
    given_schema = json.loads(json.dumps(given_schema).replace("$defs", "definitions"))
    kept, result = rewritten(given_schema, "google/3")
    assert kept["properties"]["tree"] == {"$ref": "#/$defs/tree"}
    assert result.losses == ()
    flat, result = rewritten(given_schema, "ollama/chat")
    assert "$ref" not in json.dumps(flat)
    (loss,) = result.losses
    assert loss.keyword == "$ref"
    assert fits(loss.instance, flat)


def test_a_map_cannot_be_sent_in_strict_mode_and_that_is_a_loss() -> None:
    found, result = rewritten(
        schema(a={"type": "object", "additionalProperties": {"type": "number"}}), "openai/chat-strict"
    )
    assert found["properties"]["a"]["additionalProperties"] is False
    (loss,) = result.losses
    assert loss.effect is Effect.NARROWER
    assert loss.instance["a"]


def test_parts_that_declare_different_properties_are_merged_before_they_are_closed() -> None:
    parts = [schema(a={"type": "string"}), schema(b={"type": "string"})]
    found, result = rewritten(schema(p={"allOf": parts}), "anthropic/messages-strict")
    assert found["properties"]["p"]["properties"].keys() == {"a", "b"}
    assert result.losses == ()


@pytest.mark.parametrize(
    ("given_schema", "pointer", "keyword"),
    [
        ({"type": "object", "properties": [{"a": {}}]}, "", "properties"),
        (schema(a={"type": 3}), "/properties/a", "type"),
        (schema(a={"anyOf": {"type": "string"}}), "/properties/a", "anyOf"),
        (schema(a={"type": "array", "items": [7]}), "/properties/a/items/0", None),
        (schema(a={"type": "string", "minLength": "1"}), "/properties/a", "minLength"),
        ({**schema(a={"$ref": "#/$defs/x"}), "$defs": {"x": []}}, "/$defs/x", None),
        ({**schema(a={}), "required": {"a": True}}, "", "required"),
    ],
)
@pytest.mark.parametrize("variant", ["openai/chat-strict", "google/up-to-2.5", "anthropic/messages"])
def test_what_is_no_json_schema_is_left_out_and_reported(
    given_schema: Any, pointer: str, keyword: str | None, variant: str
) -> None:
    _, result = rewritten(given_schema, variant)
    reported = [(each.pointer, each.keyword) for each in result.losses if "not valid JSON Schema" in each.text]
    assert reported == [(pointer, keyword)]


def test_names_are_made_acceptable_and_stay_apart() -> None:
    tools = [tool(schema(), name) for name in ("get it", "get_it", "get/it", "get_it")]
    result = rewrite(tools, VARIANTS["openai/chat"])
    names = [each["function"]["name"] for each in result.definitions]
    assert len(set(names)) == 4
    assert names[1] == "get_it"
    assert [result.names[name] for name in names] == ["get it", "get_it", "get/it", "get_it"]
    assert result.judged[0].state is State.ACCEPTED


def test_parameters_are_renamed_where_their_names_are_limited() -> None:
    found, result = rewritten(schema(**{"to day": {"type": "string"}}), "anthropic/messages")
    assert list(found["properties"]) == ["to_day"]
    assert found["required"] == ["to_day"]
    assert result.names["tool.to_day"] == "to day"


def test_hosted_tools_are_left_out_and_reported() -> None:
    hosted = GivenTool(ToolDefinition("web_search", kind="web_search"), "openai-responses", "test")
    result = rewrite([hosted, tool(schema())], VARIANTS["google/3"])
    assert len(result.definitions) == 1
    assert [(change.tool, change.keyword) for change in result.changes if change.keyword == "kind"] == [
        ("web_search", "kind")
    ]
    with pytest.raises(ConformanceError, match="only hosted tools"):
        rewrite([hosted], VARIANTS["google/3"])


def test_a_portable_form_is_accepted_by_all_profiles() -> None:
    names = ["openai/chat-strict", "anthropic/messages-strict", "google/3", "ollama/chat"]
    variants: Sequence[Variant] = [VARIANTS[name] for name in names]
    given_schema = schema(a={"type": ["string", "null"], "minLength": 1}, b={"const": "x"}, c={"oneOf": [TREE]})
    result = portable([tool({**given_schema, "$defs": {"tree": TREE}})], variants)
    # Strict modes need `additionalProperties: false`, which Ollama ignores.
    assert [each.state for each in result.judged] == [*[State.ACCEPTED] * 3, State.LOSS]
    assert result.definitions[0].keys() == {"name", "description", "inputSchema"}
    again = definitions(list(result.definitions), "again")
    assert portable(again, variants).definitions == result.definitions


def run(tmp_path: Path, *arguments: str, document: Any = None) -> tuple[int, str, str]:
    (tmp_path / "tools.json").write_text(json.dumps(document or [{"name": "find it", "input_schema": LIMITED}]))
    outcome = CliRunner().invoke(app, ["tools", str(tmp_path / "tools.json"), *arguments])
    return outcome.exit_code, outcome.stdout, outcome.stderr


LIMITED = schema(limit={"type": "integer", "minimum": 1})


def test_the_command_writes_definitions_and_reports_losses_beside_them(tmp_path: Path) -> None:
    code, out, reported = run(tmp_path, "--rewrite", "anthropic/messages-strict")
    (definition,) = json.loads(out)
    assert (code, definition["name"], definition["strict"]) == (0, "find_it", True)
    assert "find it /: `name` renamed to find_it" in reported
    assert 'find it /properties/limit: `minimum` left out\n    valid now, forbidden before: {"limit": ' in reported
    assert reported.endswith("1 tool, 1 loss; anthropic/messages-strict: accepted\n")


def test_the_command_writes_one_form_for_several_profiles_as_json(tmp_path: Path) -> None:
    options = ("--portable", "--profile", "openai/chat-strict", "--for", "ollama/chat", "--format", "json")
    code, out, reported = run(tmp_path, *options)
    result = json.loads(out)
    assert (code, reported) == (0, "")
    assert result["definitions"][0]["inputSchema"]["additionalProperties"] is False
    assert result["profiles"] == {"openai/chat-strict": "accepted", "ollama/chat": "accepted with loss"}
    (loss,) = [change for change in result["changes"] if change["keyword"] == "minimum"]
    assert (loss["effect"], loss["pointer"]) == ("wider", "/properties/limit")
    assert loss["instance"]["limit"] < 1
    assert result["names"] == {"find_it": "find it"}


def test_the_command_writes_to_a_file_that_is_no_input(tmp_path: Path) -> None:
    code, out, _ = run(tmp_path, "--rewrite", "google/3", "--output", str(tmp_path / "new.json"), "--quiet")
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "new.json").read_text())[0]["parameters"]["type"] == "OBJECT"
    code, _, reported = run(tmp_path, "--rewrite", "google/3", "--output", str(tmp_path / "tools.json"))
    assert code == 2
    assert "is one of the inputs" in reported


def test_what_remains_refused_is_reported_and_decides_the_exit_code(tmp_path: Path) -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(12):
        deep = schema(a=deep)
    code, _, reported = run(
        tmp_path, "--rewrite", "openai/chat-strict", document=[{"name": "deep", "input_schema": deep}]
    )
    assert code == 1
    assert "still refused by openai/chat-strict" in reported


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rewrite", "openai"], "takes tools in several ways; choose one of openai/chat, openai/chat-strict"),
        (["--rewrite", "opanai"], "unknown profile 'opanai'; did you mean `openai`"),
        (["--rewrite", "google/3", "--for", "openai"], "--rewrite names its profile itself"),
        (["--rewrite", "google/3", "--portable"], "exclude each other"),
        (["--portable"], "--portable needs the profiles"),
        (["--rewrite", "google/3", "--format", "sarif"], "use text or json"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path: Path, options: list[str], message: str) -> None:
    code, _, reported = run(tmp_path, *options)
    assert code == 2
    assert message in reported
