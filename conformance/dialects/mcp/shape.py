"""What type each member of an object has to have, as small tables.

A table gives each member the JSON types that it may have, `string|integer`. A `?` in front says that the
member may be missing, a `+` behind that a string may not be empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.mcp.messages import Message
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, kind

Shape = Mapping[str, str]


def misshapen(message: Message, value: Any, shape: Shape, *at: str | int) -> Iterator[Hit]:
    """One hit for each member of the value, which stands below the message, that is missing or of another type."""
    if not isinstance(value, dict):
        return
    for key, rule in shape.items():
        wanted = rule.removeprefix("?")
        if key not in value:
            if wanted == rule:
                yield message.hit(f"`{key}` is missing", *at, expected=f"`{key}`, {_words(wanted)}", actual="nothing")
        elif not fits(value[key], wanted):
            actual = brief(value[key])
            yield message.hit(f"`{key}` is not {_words(wanted)}", *at, key, expected=_words(wanted), actual=actual)


def fits(value: Any, wanted: str) -> bool:
    """Whether a value has one of the types."""
    if wanted.endswith("+"):
        return value != "" and fits(value, wanted[:-1])
    names = wanted.split("|")
    if "integer" in names and kind(value) == "number" and (isinstance(value, int) or value.is_integer()):
        return True
    return kind(value) in names


def _words(wanted: str) -> str:
    filled = " that is not empty" if wanted.endswith("+") else ""
    return " or ".join(wanted.removesuffix("+").split("|")) + filled
