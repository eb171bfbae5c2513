"""Resolves the references of an OpenAPI document within the document."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from conformance.errors import ConformanceError
from conformance.model import pointer as pointers
from conformance.model.pointer import MISSING

_MOST_HOPS = 20


class References:
    """The references of one document. Nothing outside it is read."""

    def __init__(self, document: dict[str, Any], source: str) -> None:
        self._document = document
        self._source = source
        self._names: dict[str, str] = {}

    def resolved(self, value: Any, at: str) -> tuple[Any, str]:
        """The value that a reference leads to, with its place; any other value unchanged.

        Raises:
            ConformanceError: the reference leads nowhere, outside the document, or in a circle.
        """
        for _ in range(_MOST_HOPS):
            reference = value.get("$ref") if isinstance(value, dict) else None
            if not isinstance(reference, str):
                return value, at
            at = self.target(reference, at)
            value = pointers.get(self._document, at)
        raise ConformanceError(f"{self._source}: {at} refers to itself", "correct `$ref`")

    def target(self, reference: str, at: str) -> str:
        """The JSON pointer that a reference at a place leads to.

        Raises:
            ConformanceError: the reference leads nowhere, or outside the document.
        """
        if not reference.startswith("#"):
            raise ConformanceError(
                f"{self._source}: {at} refers to {reference[:80]}, which is outside the document",
                "bundle the document into one file first",
            )
        place = unquote(reference[1:])
        if (place and not place.startswith("/")) or pointers.get(self._document, place) is MISSING:
            raise ConformanceError(
                f"{self._source}: {at} refers to {reference[:80]}, which does not exist", "correct it"
            )
        return place

    def value(self, place: str) -> Any:
        """The value at a place."""
        return pointers.get(self._document, place)

    def name(self, place: str) -> str:
        """The name in `$defs` of the schema at a place; no two places have the same."""
        if place not in self._names:
            wanted = (pointers.split(place) or ["root"])[-1]
            name, number, taken = wanted, 1, set(self._names.values())
            while name in taken:
                number += 1
                name = f"{wanted}_{number}"
            self._names[place] = name
        return self._names[place]
