"""JSON Schemas that a scenario contains: valid, without misspelt keywords, and their required properties exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.errors import closest
from conformance.model.pointer import MISSING, get
from conformance.model.schema_words import nearest, worded
from conformance.scenario.problem import Problem, Steps

_TYPES = ("object", "string", "number", "integer", "boolean", "array", "null")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_SINGLE = ("items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames")
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_WORDS = (
    *_NAMED,
    *_SINGLE,
    *_LISTED,
    *("type", "enum", "const", "required", "description", "title", "default", "examples", "format", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"),
    *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "dependentRequired", "$ref"),
    *("minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems", "nullable", "deprecated", "readOnly"),
    *("writeOnly", "$schema", "$id", "$anchor", "$comment", "contentEncoding", "contentMediaType", "contentSchema"),
)


def schema_problems(schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    """The problems of a schema at the steps."""
    for steps, each in _subschemas(schema, at):
        yield from _keywords(each, steps)
        yield from _required(each, steps)
        yield from _reference(each, schema, steps)
    yield from _invalid(schema, at)


def value_problems(value: Any, schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    """The places where a value is invalid under a schema, in words."""
    import jsonschema

    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        problem = worded(error, "write a value that fits the tool's schema")
        yield Problem((*at, *problem.steps), problem.message, problem.hint, key=problem.key)


def _subschemas(schema: Any, at: Steps) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    if not isinstance(schema, Mapping):
        return
    yield at, schema
    for word in _NAMED:
        named = schema.get(word)
        for name, inner in named.items() if isinstance(named, Mapping) else ():
            yield from _subschemas(inner, (*at, word, name))
    for word in _SINGLE:
        yield from _subschemas(schema.get(word), (*at, word))
    for word in _LISTED:
        listed = schema.get(word)
        for number, each in enumerate(listed if isinstance(listed, list) else ()):
            yield from _subschemas(each, (*at, word, number))


def _keywords(schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    for word in schema:
        near = closest(word, _WORDS, cutoff=0.75) if word not in _WORDS else None
        if near:
            message = f"JSON Schema has no keyword `{word}`"
            yield Problem((*at, word), message, f"did you mean `{near}`?", key=True)
    kind = schema.get("type")
    for each in kind if isinstance(kind, list) else [kind] if "type" in schema else []:
        if each not in _TYPES:
            message = f"JSON Schema has no type `{each}`"
            yield Problem((*at, "type"), message, nearest(str(each), _TYPES, f"choose one of {', '.join(_TYPES)}"))


def _required(schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    required, properties = schema.get("required"), schema.get("properties", {})
    if not isinstance(required, list) or not isinstance(properties, Mapping):
        return
    for number, name in enumerate(required):
        if not isinstance(name, str) or name not in properties:
            hint = nearest(str(name), properties, "add it to `properties`, or remove it from `required`")
            yield Problem((*at, "required", number), f"the required property `{name}` is not in `properties`", hint)


def _reference(schema: Mapping[str, Any], root: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    target = schema.get("$ref")
    if not isinstance(target, str):
        return
    if not target.startswith("#"):
        yield Problem((*at, "$ref"), f"`{target}` is outside of this schema", "copy it into `$defs`")
    elif target.startswith("#/") and get(root, target[1:]) is MISSING:
        known = [f"#/{word}/{name}" for word in ("$defs", "definitions") for name in root.get(word, {})]
        hint = nearest(target, known, "define it under `$defs`")
        yield Problem((*at, "$ref"), f"`{target}` does not exist", hint)


def _invalid(schema: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    """What the meta-schema finds."""
    import jsonschema

    validator = jsonschema.Draft202012Validator
    for error in validator(validator.META_SCHEMA).iter_errors(schema):
        if error.absolute_path and error.absolute_path[-1] == "type":
            continue  # reported above, with the nearest type
        problem = worded(error, "see https://json-schema.org for the valid values")
        yield Problem(
            (*at, *problem.steps), f"not a valid JSON Schema: {problem.message}", problem.hint, key=problem.key
        )
