"""What type each member of an object has to have, as small tables, and where an object breaks its table.

A table gives each member the JSON types that it may have, `string|null`. A `?` in front says that the member
may be missing, a `+` behind that a string may not be empty. `integer` is a number without a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model.finding import Hit
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

Shape = Mapping[str, str]


def misshapen(value: Mapping[str, Any], shape: Shape, pointer: str) -> Iterator[Hit]:
    """One hit for each member that is missing or of another type."""
    for key, rule in shape.items():
        wanted = rule.removeprefix("?")
        if key not in value:
            if wanted == rule:
                yield Hit(pointer, f"{key} is missing", f"{key}, {_words(wanted)}", "no such member")
        elif not fits(value[key], wanted):
            yield Hit(join(pointer, key), f"{key} is not {_words(wanted)}", _words(wanted), brief(value[key]))


def fits(value: Any, wanted: str) -> bool:
    """Whether a value has one of the types."""
    if wanted.endswith("+"):
        return value != "" and fits(value, wanted[:-1])
    names = wanted.split("|")
    if "integer" in names and kind(value) == "number" and (isinstance(value, int) or float(value).is_integer()):
        return True
    return kind(value) in names


def _words(wanted: str) -> str:
    filled = " that is not empty" if wanted.endswith("+") else ""
    return " or ".join(wanted.removesuffix("+").split("|")) + filled


def extra(value: Mapping[str, Any], known: frozenset[str]) -> Iterator[str]:
    """The members that are not among the known ones."""
    return (key for key in value if key not in known)
