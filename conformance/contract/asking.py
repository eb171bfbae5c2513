"""The functions for relations between the fields of an object."""

from __future__ import annotations

from typing import Any, Literal

from conformance.contract.citation import Citation
from conformance.contract.relations import Condition, Relation
from conformance.contract.situation import When


def is_(name: str, *values: Any) -> Condition:
    """Is true if a field has one of the values."""
    return Condition(name, values=values)


def over(name: str, bound: float) -> Condition:
    """Is true if a field is above a number."""
    return Condition(name, over=bound)


def under(name: str, bound: float) -> Condition:
    """Is true if a field is below a number."""
    return Condition(name, under=bound)


def holds(name: str, item: Any) -> Condition:
    """Is true if a field is an array with the item."""
    return Condition(name, item=item)


def filled(name: str) -> Condition:
    """Is true if a field is present and not empty."""
    return Condition(name, filled=True)


def bare(*fields: str) -> Condition:
    """Is true if the object has no other fields than these."""
    return Condition("", bare=fields)


def excludes(*fields: str | Condition, cite: Citation | None = None, only: When | None = None) -> Relation:
    """Not all of these together."""
    return _relation("excludes", fields, cite, only)


def needs(
    field: str | Condition, *others: str | Condition, cite: Citation | None = None, only: When | None = None
) -> Relation:
    """The first only with one of the others."""
    return _relation("needs", (field, *others), cite, only)


def some_of(*fields: str | Condition, cite: Citation | None = None, only: When | None = None) -> Relation:
    """At least one of these."""
    return _relation("some", fields, cite, only)


def one_of(*fields: str | Condition, cite: Citation | None = None, only: When | None = None) -> Relation:
    """Exactly one of these."""
    return _relation("one", fields, cite, only)


def at_most_one_of(*fields: str | Condition, cite: Citation | None = None, only: When | None = None) -> Relation:
    """At most one of these."""
    return _relation("most", fields, cite, only)


def below(low: str, high: str, *, cite: Citation | None = None, only: When | None = None) -> Relation:
    """The first is a smaller number than the second."""
    return _relation("below", (low, high), cite, only)


def _relation(
    form: Literal["excludes", "needs", "some", "one", "most", "below"],
    fields: tuple[str | Condition, ...],
    cite: Citation | None,
    only: When | None,
) -> Relation:
    return Relation(form, tuple(map(condition, fields)), cite or Citation(), only)


def condition(given: str | Condition) -> Condition:
    """The given condition, or for a name, the condition that the field is present."""
    return given if isinstance(given, Condition) else Condition(given)
