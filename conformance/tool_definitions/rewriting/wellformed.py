"""Drops what cannot be a keyword's value from a schema of a stranger, so that all other steps can rely on its types.

The types are those of the vocabularies of JSON Schema 2020-12, and of older drafts and OpenAPI 3.0 where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from conformance.model.pointer import join
from conformance.tool_definitions.rewriting.children import CHILD, CHILDREN, NAMED_CHILDREN

Dropped = tuple[str, str]
"""The pointer of a schema, and the keyword that it lost; empty if the whole schema was none."""

_DEFINITIONS = ("$defs", "definitions")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_bound(value: Any) -> bool:
    return _is_number(value) or isinstance(value, bool)


_FITS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("maximum", "minimum", "multipleOf"), _is_number),
    **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum"), _is_bound),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems"), _is_count),
    **dict.fromkeys(("maxProperties", "minProperties", "maxContains", "minContains"), _is_count),
    **dict.fromkeys(("$ref", "$dynamicRef", "$id", "$schema", "$anchor", "$comment"), _is_text),
    **dict.fromkeys(("pattern", "format", "title", "description", "contentEncoding", "contentMediaType"), _is_text),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"), _is_flag),
    **dict.fromkeys(("enum", "examples"), _is_list),
    **dict.fromkeys((*NAMED_CHILDREN, *_DEFINITIONS, "dependentRequired", "dependencies"), _is_object),
    **dict.fromkeys(CHILD, lambda value: isinstance(value, (dict, bool))),
    **dict.fromkeys(CHILDREN - CHILD, lambda value: isinstance(value, list) and bool(value)),
    "items": lambda value: isinstance(value, (dict, bool, list)),
    "required": _are_texts,
    "type": lambda value: isinstance(value, str) or _are_texts(value),
}


def well_formed(schema: dict[str, Any]) -> tuple[dict[str, Any], list[Dropped]]:
    """The schema without keywords whose value is of a wrong type, and what was dropped.

    A subschema that is none, as a number, becomes the schema that allows everything.
    """
    dropped: list[Dropped] = []
    return _schema(schema, "", dropped), dropped


def _schema(value: Any, at: str, dropped: list[Dropped]) -> Any:
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        dropped.append((at, ""))
        return {}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        place = join(at, key)
        if key in _FITS and not _FITS[key](inner):
            dropped.append((at, key))
        elif key in CHILD and not isinstance(inner, list):
            found[key] = _schema(inner, place, dropped)
        elif key in CHILDREN:
            found[key] = [_schema(each, join(place, number), dropped) for number, each in enumerate(inner)]
        elif key in NAMED_CHILDREN or key in _DEFINITIONS:
            found[key] = {name: _schema(each, join(place, name), dropped) for name, each in inner.items()}
        else:
            found[key] = inner
    return found
