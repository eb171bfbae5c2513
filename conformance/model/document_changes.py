"""Changes to the documents of a response. Marks are not changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from conformance.model.document import Document, Mark


def with_values(documents: Iterable[Document | Mark], change: Callable[[Any], Any]) -> list[Document | Mark]:
    """The documents with each value changed."""
    return [replace(each, value=change(each.value)) if isinstance(each, Document) else each for each in documents]


def with_objects(
    documents: Iterable[Document | Mark], change: Callable[[dict[str, Any]], Any]
) -> list[Document | Mark]:
    """The documents with each value changed that is a JSON object."""
    return with_values(documents, lambda value: change(value) if isinstance(value, dict) else value)


def each_object(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON value with every object in it changed, the innermost first."""
    if isinstance(value, dict):
        return change({key: each_object(each, change) for key, each in value.items()})
    if isinstance(value, list):
        return [each_object(each, change) for each in value]
    return value


def without(entries: dict[str, Any], name: str) -> dict[str, Any]:
    """The object without one of its members."""
    return {key: each for key, each in entries.items() if key != name}
