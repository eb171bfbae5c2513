"""Plain traffic: the quick way to know that some rules have nothing to say.

A `Plain` is a compiled JSON Schema of plain traffic, stricter than the contract. Where it admits a side of an exchange,
the rules behind it cannot find anything there and do not run; where it does not, they look for themselves. A dialect
says in `PLAIN` of its `plain.py`, if it has one, which rules stand behind which schema; `rules/plain.py` says without
what the rules of every dialect are silent. So plainness never finds a fault and never hides one: that the findings are
the same without it is tested on every example, on shipped cassettes and on real recordings.

The schemas are of JSON Schema's draft 4, the only one in which 1.0 is no integer: our rules say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from conformance.model.lazy import lazy

if TYPE_CHECKING:
    from conformance.judge.view import View


class Passable(Protocol):
    """What some rules pass over."""

    def admits(self, view: View) -> bool:
        """Whether the rules behind it have nothing to say about the view."""


class Without:
    """Traffic in which there is nothing of what the rules are about: no calls, no tools."""

    def __init__(self, subject: Callable[[View], object]) -> None:
        self._subject = subject

    def admits(self, view: View) -> bool:
        """Whether the subject is missing."""
        return not self._subject(view)


class Plain:
    """`subject` takes from a view the JSON value in question; `schema` is built when it is first needed."""

    def __init__(self, subject: Callable[[View], Any], schema: Callable[[], Any]) -> None:
        self._subject = subject
        self._schema = schema

    @lazy
    def _validator(self) -> Any:
        import jsonschema_rs

        return jsonschema_rs.Draft4Validator(self._schema())

    def admits(self, view: View) -> bool:
        """Whether the rules behind this schema have nothing to say about the view."""
        try:
            return bool(self._validator.is_valid(self._subject(view)))
        except ValueError:  # what did not parse, or is no JSON (a date of YAML, say), is not plain
            return False


def request_of(view: View) -> Any:
    """The subject of a schema for requests."""
    return view.request


def bodies_of(view: View) -> Any:
    """The subject of a schema for answers: their bodies, one or as many as the stream has events."""
    return [view.response] if view.events is None else [event.json for event in view.events]


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """The schema of an object that has no other fields."""
    return {**open_(properties, *required), "additionalProperties": False}


def open_(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    """The schema of an object that may have more fields."""
    found: dict[str, Any] = {"type": "object", "properties": properties}
    return {**found, "required": list(required)} if required else found


def array_of(schema: Any, **more: Any) -> dict[str, Any]:
    """The schema of an array of what the schema says."""
    return {"type": "array", "items": schema, **more}


def text(**more: Any) -> dict[str, Any]:
    """The schema of a string."""
    return {"type": "string", **more}


def one_of(*values: Any) -> dict[str, Any]:
    """The schema of some single values."""
    return {"enum": list(values)}


def any_of(*schemas: Any) -> dict[str, Any]:
    """The schema of what one of the schemas admits."""
    return {"anyOf": list(schemas)}
