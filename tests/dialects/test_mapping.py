"""Tools of an MCP server as tools of a provider."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.campaign.targets import all_targets
from conformance.drivers import ClientReading, DriverInput, all_drivers
from conformance.drivers.transport import Capture, client
from conformance.judge.checker import Checker, request_findings
from conformance.model.finding import Finding, Severity
from conformance.model.registry import all_dialects
from conformance.profiles.tool_schema import fits
from conformance.reference.server import ReferenceServer
from conformance.scenario.executor.provider_tools import map_tools
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.load import all_scenarios
from conformance.scenario.model import Options

NAMES = {
    "openai-chat": r"[A-Za-z0-9_-]{1,64}",
    "openai-responses": r"[A-Za-z0-9_-]{1,128}",
    "anthropic-messages": r"[A-Za-z0-9_-]{1,128}",
    "gemini": r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}",
    "qwen3": r"[A-Za-z0-9_-]{1,64}",
}
DIALECTS = sorted(NAMES)
OBJECT: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "What it does.", "inputSchema": OBJECT, **more}


ANY_NAME = st.text("abAB01_.-: /한", max_size=140)


@pytest.mark.statement("MAP-001", "MAP-002")
@pytest.mark.parametrize("dialect", DIALECTS)
@given(names=st.lists(ANY_NAME, max_size=12))
def test_names_fit_the_dialect_are_all_different_and_lead_back(dialect: str, names: list[str]) -> None:
    mapped = map_tools([tool(name) for name in names], dialect)
    given_names = [definition.name or "" for definition in mapped.definitions]
    assert all(re.fullmatch(NAMES[dialect], name) for name in given_names)
    assert len(set(given_names)) == len(given_names) == len(set(names))
    assert sorted(mapped.names[name] for name in given_names) == sorted(set(names))


def test_a_name_that_fits_is_never_changed_by_one_that_does_not() -> None:
    for order in (["a.b", "a_b", "a b"], ["a_b", "a b", "a.b"]):
        mapped = map_tools([tool(name) for name in order], "openai-chat")
        assert mapped.names["a_b"] == "a_b"
        assert sorted(mapped.names.values()) == ["a b", "a.b", "a_b"]


def test_a_dot_is_no_trouble_for_gemini_and_a_digit_in_front_is() -> None:
    mapped = map_tools([tool("admin.list"), tool("2fa"), tool("-x")], "gemini")
    assert dict(mapped.names) == {"admin.list": "admin.list", "_2fa": "2fa", "_-x": "-x"}


def test_the_second_of_two_tools_with_one_name_is_left_out_with_a_note() -> None:
    mapped = map_tools([tool("a"), tool("a", description="another")], "openai-chat")
    assert [definition.description for definition in mapped.definitions] == ["What it does."]
    assert [note.tool for note in mapped.notes] == ["a"]


@pytest.mark.statement("MAP-006", "MAP-014")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_of_the_server_leaks(dialect: str) -> None:
    leaky = tool(
        "a",
        annotations={"readOnlyHint": True},
        icons=[{"src": "x"}],
        outputSchema=OBJECT,
        execution={"taskSupport": "optional"},
        _meta={"a/b": 1},
    )
    mapped = map_tools([leaky], dialect)
    assert mapped.definitions == map_tools([tool("a")], dialect).definitions
    assert [note.text for note in mapped.notes] == [
        "outputSchema, annotations, icons, execution, _meta dropped: providers have no field for it"
    ]
    assert not mapped.definitions[0].strict


@pytest.mark.statement("MAP-013")
@pytest.mark.parametrize(
    ("more", "description"),
    [
        ({}, "What it does."),
        ({"description": "", "title": "Title"}, "Title"),
        ({"description": None, "annotations": {"title": "Hint"}}, "Hint"),
        ({"description": None}, None),
    ],
)
def test_the_description_is_the_best_that_there_is(more: dict[str, Any], description: str | None) -> None:
    mapped = map_tools([tool("a", **more)], "openai-chat")
    assert mapped.definitions[0].description == description
    assert (description is None) == any("no description" in note.text for note in mapped.notes)


EMPTY = [
    {"type": "object"},
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {}, "required": []},
    {"type": "object", "additionalProperties": False},
    {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"},
    None,
]


@pytest.mark.statement("MAP-007")
@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("schema", EMPTY, ids=str)
def test_a_tool_without_parameters_has_none(dialect: str, schema: Any) -> None:
    assert map_tools([tool("a", inputSchema=schema)], dialect).definitions[0].parameters is None


def test_a_tool_that_takes_anything_keeps_saying_so() -> None:
    open_schema = {"type": "object", "additionalProperties": True}
    assert map_tools([tool("a", inputSchema=open_schema)], "openai-chat").definitions[0].parameters == {
        **open_schema,
        "properties": {},
    }
    assert map_tools([tool("a", inputSchema=open_schema)], "gemini").definitions[0].parameters == open_schema


@pytest.mark.statement("MAP-012")
def test_what_is_left_out_of_a_schema_is_noted() -> None:
    schema = {
        **OBJECT,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": [{"required": ["a"]}],
        "properties": {"a": {"type": "string", "x-mcp-header": "A", "minLength": 2}, "x-b": {"type": "string"}},
    }
    mapped = map_tools([tool("t", inputSchema=schema)], "openai-chat")
    assert mapped.definitions[0].parameters == {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 2}, "x-b": {"type": "string"}},
        "required": ["a"],
    }
    assert [note.text.split(" dropped")[0] for note in mapped.notes] == ["`$schema`", "`anyOf`", "`x-mcp-header`"]


def test_a_reference_at_the_root_is_followed_to_the_object() -> None:
    schema = {"$ref": "#/$defs/Args", "$defs": {"Args": OBJECT}}
    parameters = map_tools([tool("t", inputSchema=schema)], "anthropic-messages").definitions[0].parameters
    assert parameters == {**OBJECT, "$defs": {"Args": OBJECT}}


SCALAR = st.sampled_from([{"type": "string"}, {"type": "integer"}, {"type": "boolean", "default": None}])
PROPERTY = st.recursive(
    SCALAR,
    lambda inner: (
        st.builds(lambda each: {"type": "array", "items": each}, inner)
        | st.builds(lambda each: {"anyOf": [each, {"type": "null"}]}, inner)
        | st.builds(
            lambda members: {"type": "object", "properties": members, "required": sorted(members)},
            st.dictionaries(st.sampled_from("xyz"), inner, max_size=2),
        )
    ),
    max_leaves=5,
)
ARGUMENT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abxyz"), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.statement("MAP-003", "MAP-004")
@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_the_arguments_that_fit_are_the_same_before_and_after(dialect: str, data: st.DataObject) -> None:
    members = data.draw(st.dictionaries(st.sampled_from("abc"), PROPERTY, min_size=1, max_size=3))
    required = data.draw(st.lists(st.sampled_from(sorted(members)), unique=True))
    schema = {"type": "object", "properties": members, "required": required}
    before = str(schema)
    parameters = map_tools([tool("t", inputSchema=schema)], dialect).definitions[0].parameters
    assert str(schema) == before
    assert parameters["type"] == "object"
    for arguments in data.draw(st.lists(st.dictionaries(st.sampled_from("abc"), ARGUMENT), max_size=4)):
        assert fits(arguments, parameters) == fits(arguments, schema)


WILD = [
    tool("admin.tools.list", annotations={"readOnlyHint": True}, _meta={"k": 1}),
    tool("admin_tools_list", title="Another"),
    tool("2fa", inputSchema={"type": "object", "additionalProperties": False}),
    tool(
        "n" * 128, description=None, inputSchema={"$schema": "https://json-schema.org/draft/2020-12/schema", **OBJECT}
    ),
]


def asked(dialect: str) -> list[Finding]:
    """The findings of what the official SDK of a dialect sends when it is given wild tools, mapped."""
    driver = next(each for each in all_drivers() if each.dialect == dialect and each.name != "langchain")
    scenario, capture = all_scenarios()["weather"], Capture()
    with ReferenceServer(all_scenarios()) as server, client(capture) as http_client:
        inputs = DriverInput(
            user=scenario.conversations[0].user,
            system=None,
            tools=map_tools(WILD, dialect).definitions,
            options=Options(),
            origin=server.origin,
            api_key="sk-test",
            model=all_targets()["reference"].models[dialect],
            stream=False,
            execute=ScriptedExecutor(scenario),
            http_client=http_client,
            max_turns=1,
        )
        driver.act(inputs, ClientReading())
    return request_findings(capture.requests[0], all_dialects()[dialect])


@pytest.mark.statement("MAP-005", "MAP-007")
@pytest.mark.parametrize("dialect", [each for each in DIALECTS if each != "qwen3"])
def test_a_provider_takes_the_mapped_tools(dialect: str) -> None:
    assert [finding for finding in asked(dialect) if finding.severity is Severity.ERROR] == []
    assert Checker().summary.harness_errors == []
