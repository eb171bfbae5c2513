"""JSON Schemas of tools, drawn by Hypothesis: every keyword, also where it makes little sense."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_NAMES = st.sampled_from(["a", "b", "city", "to-day"])
_VALUES = st.sampled_from(["x", "", "y z", 0, 1, 2, 1.5, True, False, None])
_SMALL = st.integers(0, 4)
_NUMBERS = st.sampled_from([-3, 0, 1, 2.5, 10])
_ANNOTATIONS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.just("Title"),
        "description": st.just("Text."),
        "default": _VALUES,
        "examples": st.just(["x"]),
        "$comment": st.just("?"),
        "x-order": st.just(1),
    },
)
_TEXT = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={
        "minLength": _SMALL,
        "maxLength": st.integers(4, 9),
        "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$", "a|b", "1"]),
        "format": st.sampled_from(["date", "date-time", "uri", "email", "int64"]),
        "enum": st.lists(st.sampled_from(["x", "y", "", "1"]), min_size=1, max_size=3, unique=True),
    },
)
_NUMBER = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={
        "minimum": _NUMBERS,
        "maximum": _NUMBERS,
        "exclusiveMinimum": _NUMBERS,
        "exclusiveMaximum": _NUMBERS,
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "enum": st.lists(st.sampled_from([0, 1, 2, 5]), min_size=1, max_size=3, unique=True),
    },
)
_PLAIN = st.one_of(
    _TEXT,
    _NUMBER,
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.just({}),
    st.just(True),
    _VALUES.map(lambda value: {"const": value}),
    st.lists(_VALUES, min_size=1, max_size=4, unique_by=repr).map(lambda values: {"enum": values}),
    st.lists(
        st.sampled_from(["string", "integer", "null", "array", "object"]), min_size=2, max_size=3, unique=True
    ).map(lambda kinds: {"type": kinds, "minLength": 1, "minimum": 1}),
    st.sampled_from(["tree", "leaf"]).map(lambda name: {"$ref": f"#/$defs/{name}"}),
)


def _with_annotations(schema: Any, annotations: dict[str, Any]) -> Any:
    return {**annotations, **schema} if isinstance(schema, dict) else schema


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(_NAMES, inner, max_size=3),
            "required": st.lists(_NAMES, max_size=2, unique=True),
            "additionalProperties": st.one_of(st.booleans(), inner),
            "patternProperties": st.dictionaries(st.sampled_from(["^x", "y$"]), inner, min_size=1, max_size=1),
            "propertyNames": st.just({"pattern": "^[a-z]"}),
            "minProperties": _SMALL,
            "maxProperties": st.integers(3, 6),
            "dependentRequired": st.just({"a": ["b"]}),
            "unevaluatedProperties": st.booleans(),
        },
    )


def _arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"type": st.just("array")},
        optional={
            "items": st.one_of(inner, st.just(False)),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "minItems": _SMALL,
            "maxItems": st.integers(2, 5),
            "uniqueItems": st.booleans(),
            "contains": inner,
        },
    )


def _combined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        several.map(lambda parts: {"anyOf": parts}),
        several.map(lambda parts: {"oneOf": parts}),
        several.map(lambda parts: {"allOf": parts}),
        st.builds(lambda part, base: {**base, "anyOf": [part, {"required": ["a"]}]}, inner, _objects(inner)),
        st.builds(lambda part, base: {**base, "allOf": [part]}, inner, _objects(inner)),
        inner.map(lambda part: {"not": part}),
        st.builds(lambda one, other: {"if": one, "then": other}, inner, inner),
    )


schemas: st.SearchStrategy[Any] = st.recursive(
    st.builds(_with_annotations, _PLAIN, _ANNOTATIONS),
    lambda inner: st.builds(
        _with_annotations, st.one_of(_objects(inner), _arrays(inner), _combined(inner)), _ANNOTATIONS
    ),
    max_leaves=6,
)
_DEFINITIONS = {
    "leaf": {"type": "string", "minLength": 1},
    "tree": {
        "type": "object",
        "properties": {
            "value": {"$ref": "#/$defs/leaf"},
            "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}},
        },
        "required": ["value"],
    },
}


def _tool(root: dict[str, Any], extra: Any) -> dict[str, Any]:
    root = {**root, **(extra if isinstance(extra, dict) and extra.keys() <= {"anyOf", "oneOf", "allOf"} else {})}
    return {**root, "$defs": _DEFINITIONS}


tool_schemas: st.SearchStrategy[dict[str, Any]] = st.builds(
    _tool, _objects(schemas), st.one_of(st.none(), _combined(_objects(schemas)))
)
"""The schema of a tool: an object at the root, with definitions, one of them recursive."""
