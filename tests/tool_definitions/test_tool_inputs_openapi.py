"""OpenAPI documents: operations as tools, and their schemas as JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import ConformanceError
from conformance.tool_definitions.inputs import read_tools

PET = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "name": {"type": "string", "example": "Rex", "xml": {"attribute": True}, "x-order": 1},
        "tag": {"type": "string", "nullable": True, "enum": ["a", "b"]},
        "weight": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
        "parent": {"$ref": "#/components/schemas/Pet"},
        "owner": {"nullable": True, "allOf": [{"$ref": "#/components/schemas/Owner"}]},
    },
}
CONVERTED = {
    "name": {"type": "string", "examples": ["Rex"]},
    "tag": {"type": ["string", "null"], "enum": ["a", "b", None]},
    "weight": {"type": "number", "exclusiveMinimum": 0},
    "parent": {"$ref": "#/$defs/Pet"},
    "owner": {"anyOf": [{"allOf": [{"$ref": "#/$defs/Owner"}]}, {"type": "null"}]},
}
OWNER = {"type": "object", "properties": {"name": {"type": "string"}}}


def document(operation: dict[str, Any], version: str = "3.0.3", **path: Any) -> dict[str, Any]:
    return {
        "openapi": version,
        "paths": {"/pets/{petId}": {**path, "post": operation}},
        "components": {
            "schemas": {"Pet": PET, "Owner": OWNER},
            "parameters": {"PetId": {"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}},
            "requestBodies": {"Pet": {"required": True, "content": {"application/json": {"schema": ref("Pet")}}}},
        },
    }


def ref(name: str, kind: str = "schemas") -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def parameters(tmp_path: Path, value: dict[str, Any]) -> dict[str, Any]:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(value))
    (tool,) = read_tools(str(path))
    assert tool.form == "openapi"
    assert tool.definition.pointer == "/paths/~1pets~1{petId}/post"
    found: dict[str, Any] = tool.definition.parameters
    return found


def test_parameters_and_body_are_one_schema_and_references_stay_within_it(tmp_path: Path) -> None:
    operation = {
        "parameters": [{"name": "dry", "in": "query", "description": "Only check", "schema": {"type": "boolean"}},
                       {"name": "Authorization", "in": "header", "schema": {"type": "string"}}],
        "requestBody": ref("Pet", "requestBodies"),
    }  # fmt: skip
    assert parameters(tmp_path, document(operation, parameters=[ref("PetId", "parameters")])) == {
        "type": "object",
        "properties": {
            "petId": {"type": "string"},
            "dry": {"type": "boolean", "description": "Only check"},
            **CONVERTED,
        },
        "required": ["petId", "name"],
        "$defs": {"Pet": {"type": "object", "required": ["name"], "properties": CONVERTED}, "Owner": OWNER},
    }


@pytest.mark.parametrize(
    ("body", "required"),
    [
        ({"required": True, "content": {"application/json": {"schema": {"type": "array", "items": OWNER}}}}, ["body"]),
        ({"content": {"application/vnd.api+json": {"schema": {**OWNER, "required": ["name"]}}}}, None),
        ({"required": True, "content": {"application/json": {"schema": {"oneOf": [OWNER, OWNER]}}}}, ["body"]),
    ],
)
def test_a_body_that_cannot_be_merged_is_an_argument(tmp_path: Path, body: Any, required: list[str] | None) -> None:
    found = parameters(tmp_path, document({"requestBody": body}))
    assert list(found["properties"]) == ["body"]
    assert found.get("required") == required


def test_equal_names_are_kept_apart(tmp_path: Path) -> None:
    both = [{"name": "id", "in": where, "schema": {"type": "string"}} for where in ("path", "query")]
    assert list(parameters(tmp_path, document({"parameters": both}))["properties"]) == ["id", "id_query"]


def test_a_schema_of_openapi_3_1_is_json_schema_already(tmp_path: Path) -> None:
    schema = {"type": ["string", "null"], "exclusiveMinimum": 3, "$comment": "kept"}
    a = {"name": "a", "in": "query", "schema": {**ref("Owner"), "title": "beside"}}
    b = {"name": "b", "in": "query", "content": {"application/json": {"schema": schema}}}
    found = parameters(tmp_path, document({"parameters": [a, b]}, "3.1.0"))
    assert found["properties"] == {"a": {"$ref": "#/$defs/Owner", "title": "beside"}, "b": schema}


def test_the_name_is_the_operation_id_or_the_method_and_path(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(
        "openapi: 3.0.0\npaths:\n  /a/{b}/c:\n    get: {summary: Short, description: Long, responses: {200: {}}}\n"
        "    put: {operationId: c/put, description: Long}\n"
    )
    get, put = read_tools(str(tmp_path / "api.yaml"))
    assert (get.definition.name, get.definition.description) == ("get_a_b_c", "Short\n\nLong")
    assert (put.definition.name, put.definition.description) == ("c/put", "Long")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"swagger": "2.0", "paths": {}}, r"is OpenAPI \(Swagger\) 2.0; convert it"),
        ({"openapi": "3.0.0", "paths": {}}, "has no operations"),
        (
            document({"requestBody": {"$ref": "other.yaml#/Body"}}),
            "post/requestBody refers to other.yaml#/Body, which is",
        ),
        (document({"parameters": [ref("Gone", "parameters")]}), "parameters/0 refers to .*Gone, which does not exist"),
        ({**document({"parameters": [{"$ref": "#/x"}]}), "x": {"$ref": "#/x"}}, "/x refers to itself"),
    ],
)
def test_what_cannot_be_resolved_is_an_error_with_its_place(tmp_path: Path, value: Any, message: str) -> None:
    (tmp_path / "api.json").write_text(json.dumps(value))
    with pytest.raises(ConformanceError, match=message):
        read_tools(str(tmp_path / "api.json"))
