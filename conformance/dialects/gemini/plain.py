"""What plain Gemini traffic looks like, where the rules that check single fields have nothing to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.dialects.gemini.content import DATA_FIELDS
from conformance.dialects.gemini.fields import DECLARATION, REPLY, REQUEST, TOOL, Spec
from conformance.dialects.gemini.wire import camel, snake
from conformance.judge.plain import Plain, any_of, array_of, bodies_of, closed, one_of, request_of, text

_KINDS: Mapping[str, Any] = {
    "any": {},
    "whole": {"type": "integer", "minimum": 0},
    "enum": {"type": ["string", "integer"]},
}
_LIMITS = ("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "default")
_TYPE = text(pattern="^(?i:string|number|integer|boolean|array|object|null)$")


def _plain(spec: Spec, *, both: bool = True) -> Any:
    """The schema of a table of `fields`: no field that the table does not have, no null.

    `both` admits the two spellings, which only requests may have.
    """
    if isinstance(spec, list):
        return array_of(_plain(spec[0], both=both))
    if isinstance(spec, Mapping):
        fields = {name: _plain(each, both=both) for name, each in spec.items()}
        return _spelled(fields) if both else closed(fields)
    return _KINDS.get(spec, {"type": spec})


def _spelled(fields: dict[str, Any], *required: str) -> dict[str, Any]:
    """A closed object whose fields may have either spelling."""
    return closed({**{snake(name): schema for name, schema in fields.items()}, **fields}, *required)


def _one_thing(part: Any, *, without: str = "") -> dict[str, Any]:
    """A part that holds exactly one thing."""
    fields = {name: schema for name, schema in part["properties"].items() if camel(name) != without}
    things = [name for name in fields if camel(name) in DATA_FIELDS]
    return {**closed(fields), "oneOf": [{"required": [name]} for name in things]}


def _with(schema: dict[str, Any], *required: str, **fields: Any) -> dict[str, Any]:
    """The schema with some fields required, and some of another shape in both spellings."""
    both = _spelled(fields)["properties"]
    found = {**schema, "properties": {**schema["properties"], **both}}
    return {**found, "required": list(required)} if required else found


def _both(one: str, other: str) -> dict[str, Any]:
    """The schema of an object that has two fields, in whatever spelling."""
    either = [{"anyOf": [{"required": [name]}, {"required": [snake(name)]}]} for name in (one, other)]
    return {"allOf": either}


def _request() -> Any:
    plain = _plain(REQUEST)
    part = plain["properties"]["contents"]["items"]["properties"]["parts"]["items"]
    fields = part["properties"]
    call = _with(fields["functionCall"], "name", name=text(minLength=1), args={"type": "object"})
    result = _with(fields["functionResponse"], "name", "response", name=text(minLength=1), response={"type": "object"})
    part = _with(part, functionCall=call, functionResponse=result)
    user, model = (
        closed({"role": one_of(role), "parts": array_of(_one_thing(part, without=no), minItems=1)}, "role", "parts")
        for role, no in (("user", "functionCall"), ("model", "functionResponse"))
    )
    content = any_of(user, model)
    system = closed({"role": text(), "parts": array_of(_one_thing(part), minItems=1)}, "parts")
    declaration = _with(
        _plain(DECLARATION),
        "name",
        name=text(pattern="^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$"),
        parameters={"$ref": "#/definitions/schema"},
    )
    declaration["not"] = _both("parameters", "parametersJsonSchema")
    tool = _with(_plain(TOOL), functionDeclarations=array_of(declaration, maxItems=64))
    tool["minProperties"] = 1
    more = {
        "contents": array_of(content, minItems=1),
        "systemInstruction": system,
        "tools": array_of(tool, maxItems=8),
    }
    twice = [{"required": [name, snake(name)]} for name in REQUEST if snake(name) != name]
    return {**_with(plain, "contents", **more), "not": {"anyOf": twice}, "definitions": {"schema": _schema()}}


def _schema() -> Any:
    """A `Schema` with the fields that all models take, whose objects have properties."""
    inner = {"$ref": "#/definitions/schema"}
    fields = _spelled(
        {
            "type": _TYPE,
            "description": text(),
            "title": text(),
            "format": text(),
            "enum": array_of(text()),
            "items": inner,
            "properties": {"type": "object", "minProperties": 1, "additionalProperties": inner},
            "required": array_of(text()),
            "nullable": {"type": "boolean"},
            "propertyOrdering": array_of(text()),
            **{name: {} for name in _LIMITS},
        },
        "type",
    )
    is_object = {"properties": {"type": text(pattern="^(?i:object)$")}}
    return {**fields, "anyOf": [{"not": is_object}, {"required": ["properties"]}]}


def _reply() -> Any:
    plain = _plain(REPLY, both=False)
    candidate = plain["properties"]["candidates"]["items"]
    part = candidate["properties"]["content"]["properties"]["parts"]["items"]
    call = part["properties"]["functionCall"]
    call = closed({**call["properties"], "name": text(minLength=1), "args": {"type": "object"}}, "name")
    part = _one_thing(closed({**part["properties"], "functionCall": call}))
    content = closed({"role": one_of("model"), "parts": array_of(part)}, "role")
    candidate = {**_with(candidate, content=content), "additionalProperties": True}
    return array_of({**_with(plain, candidates=array_of(candidate)), "additionalProperties": True})


PLAIN = {
    Plain(request_of, _request): (
        "gemini-contents-missing",
        "gemini-history-args-wrong-type",
        "gemini-part-ambiguous",
        "gemini-parts-missing",
        "gemini-request-field-wrong-type",
        "gemini-request-field-unknown",
        "gemini-result-name-missing",
        "gemini-result-wrong-type",
        "gemini-result-role-wrong",
        "gemini-role-unknown",
        "gemini-schema-enum-wrong-type",
        "gemini-schema-field-unknown",
        "gemini-schema-object-empty",
        "gemini-schema-type-unknown",
        "gemini-declarations-too-many",
        "gemini-tool-name-invalid",
        "gemini-tool-malformed",
        "gemini-parameter-schemas-conflicting",
        "gemini-field-spellings-conflicting",
    ),
    Plain(bodies_of, _reply): (
        "gemini-reply-field-wrong-type",
        "gemini-reply-part-ambiguous",
        "gemini-reply-role-wrong",
    ),
}
