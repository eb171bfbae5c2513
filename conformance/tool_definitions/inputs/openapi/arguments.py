"""The arguments of an operation: its parameters and its body in one JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.model.pointer import join
from conformance.tool_definitions.inputs.openapi.references import References
from conformance.tool_definitions.inputs.openapi.schema import Converted, Schemas

_PLAIN = frozenset(
    {"type", "properties", "required", "additionalProperties", "title", "description", "examples", "deprecated"}
)
"""The keywords of a schema whose properties can stand beside the parameters without a change of meaning."""
_NOT_ARGUMENTS = frozenset({"accept", "content-type", "authorization"})
"""Header parameters that must be ignored according to OpenAPI."""
_BODY = "body"


def arguments(
    operation: dict[str, Any], shared: Iterable[tuple[Any, str]], at: str, references: References, schemas: Schemas
) -> dict[str, Any]:
    """One schema for an operation; `shared` are the parameters of its path, each with its place.

    The properties of a JSON body stand beside the parameters if that does not change what is valid: the body is a plain
    object, no name is taken, and it is required or has no required members. Else it is the argument `body`.

    Raises:
        ConformanceError: a reference leads nowhere, or outside the document.
    """
    properties: dict[str, Any] = {}
    required: list[str] = []
    needs: set[str] = set()
    for parameter, place in _parameters(operation, shared, at, references):
        name = _free(str(parameter["name"]), str(parameter.get("in")), properties)
        converted = schemas.convert(*_schema_of(parameter, place))
        needs |= converted.needs
        properties[name] = _described(converted.schema, parameter.get("description"))
        if parameter.get("required") is True:
            required.append(name)
    more: dict[str, Any] = {}
    body = _body(operation, at, references, schemas)
    if body is not None:
        content, must = body
        needs |= content.needs
        if _joins(content.schema, properties, must=must):
            properties |= content.schema.get("properties", {})
            required += content.schema.get("required", [])
            more = {key: content.schema[key] for key in ("additionalProperties",) if key in content.schema}
        else:
            name = _free(_BODY, "json", properties)
            properties[name] = content.schema
            required += [name] if must else []
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    definitions = schemas.definitions(frozenset(needs))
    return {**schema, **more, **({"$defs": definitions} if definitions else {})}


def _parameters(
    operation: dict[str, Any], shared: Iterable[tuple[Any, str]], at: str, references: References
) -> Iterator[tuple[dict[str, Any], str]]:
    """The parameters of an operation; its own replace those of the path with the same name and location."""
    own = operation.get("parameters")
    own = [(each, join(at, "parameters", number)) for number, each in enumerate(own if isinstance(own, list) else ())]
    found: dict[tuple[Any, Any], tuple[dict[str, Any], str]] = {}
    for given, place in (*shared, *own):
        parameter, where = references.resolved(given, place)
        if isinstance(parameter, dict) and isinstance(parameter.get("name"), str):
            found[(parameter.get("in"), parameter["name"])] = parameter, where
    for (location, name), each in found.items():
        if location != "header" or name.lower() not in _NOT_ARGUMENTS:
            yield each


def _free(name: str, location: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name = f"{name}_{location}"
    return name


def _schema_of(holder: dict[str, Any], at: str) -> tuple[Any, str]:
    """The schema of a parameter or a media type: its own, or that of its JSON content."""
    if "schema" in holder:
        return holder["schema"], join(at, "schema")
    content = holder.get("content")
    kinds = [kind for kind, each in (content if isinstance(content, dict) else {}).items() if isinstance(each, dict)]
    kind = next((kind for kind in kinds if _is_json(kind)), kinds[0] if kinds else None)
    if kind is None or content is None:
        return {}, at
    return content[kind].get("schema", {}), join(at, "content", kind, "schema")


def _is_json(kind: str) -> bool:
    kind = kind.partition(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")


def _described(schema: Any, description: Any) -> Any:
    if not isinstance(description, str) or not description or not isinstance(schema, dict):
        return schema
    return schema if isinstance(schema.get("description"), str) else {**schema, "description": description}


def _body(
    operation: dict[str, Any], at: str, references: References, schemas: Schemas
) -> tuple[Converted, bool] | None:
    """The schema of the body, and whether it is required; a reference at its root is resolved."""
    body, place = references.resolved(operation.get("requestBody"), join(at, "requestBody"))
    if not isinstance(body, dict):
        return None
    schema, where = references.resolved(*_schema_of(body, place))
    return schemas.convert(schema, where), body.get("required") is True


def _joins(schema: Any, taken: dict[str, Any], *, must: bool) -> bool:
    if not isinstance(schema, dict) or not schema.keys() <= _PLAIN or schema.get("type", "object") != "object":
        return False
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties or properties.keys() & taken.keys():
        return False
    if taken and isinstance(schema.get("additionalProperties"), dict):
        return False
    return must or not schema.get("required")
