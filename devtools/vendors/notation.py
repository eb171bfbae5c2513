"""What a document has of one place, in the notation of `specs/documented`: JSON Schema with few keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from devtools.documents.documented import TAGS, Documented
from devtools.documents.schemas import Spec

_DEEPEST = 7
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGE = re.compile(
    rf"\b(?:between|from) {_NUMBER} (?:and|to) {_NUMBER}|{_NUMBER} ?<=? ?\w+ ?<=? ?{_NUMBER}|\[{_NUMBER}, ?{_NUMBER}\]",
    re.IGNORECASE,
)
_CHARACTERS = re.compile(r"\b[Mm]ax(?:imum)?(?: of)? (\d+) char")
_ITEMS = re.compile(r"\b(?:[Mm]ax|[Uu]p to) (\d+)\b(?! char)")
_LEAST = re.compile(r"(?:>=|\b[Aa]t least) (\d+)\b")
_MOST = re.compile(r"\bmax (\d+)\b")
_ADVICE = re.compile(r"recommend|generally|such as|e\.g\.|should (decrease|result)", re.IGNORECASE)
_HUGE = 2.0**62


def schema_of(published: Documented, *, reply: bool, text: str = "", depth: int = 0) -> dict[str, Any]:
    """The alternatives that a document has; in a reply, a list of words is open. `text` describes the place."""
    if depth > _DEEPEST or not published.types:
        return {}
    found = [*_scalars(published, reply=reply, text=text)]
    if "array" in published.types:
        bounds = {word: int(bound) for word in ("minItems", "maxItems") if (bound := published.bound(word))}
        bounds |= _stated("maxItems", _ITEMS, text)
        items = schema_of(published.items, reply=reply, depth=depth + 1)
        found.append({"type": "array", **({"items": items} if items else {}), **bounds})
    found += _objects(published, reply=reply, depth=depth)
    if "null" in published.types and reply:
        found.append({"type": "null"})
    return found[0] if len(found) == 1 else {"anyOf": found} if found else {}


def _scalars(published: Documented, *, reply: bool, text: str) -> Iterable[dict[str, Any]]:
    if "string" in published.types:
        listed = list(published.words)
        if listed and (reply or published.is_closed):
            yield {"type": "string", "examples": listed} if reply else {"enum": listed}
        else:
            lengths = {word: int(bound) for word in ("minLength", "maxLength") if (bound := published.bound(word))}
            lengths |= _stated("maxLength", _CHARACTERS, text)
            yield {"type": "string", **lengths, **({"pattern": published.pattern} if published.pattern else {})}
    numbers = {each.type for each in published.choices} & {"integer", "number"}
    if numbers:
        yield {"type": "number" if "number" in numbers else "integer", **bounds_of(published, text)}
    if "boolean" in published.types:
        yield {"type": "boolean"}


def bounds_of(published: Documented, text: str) -> Mapping[str, float]:
    """The bounds of a number: those of its schema, or the range that its description has."""
    found: dict[str, float] = {}
    for word in ("minimum", "maximum"):
        bound = published.bound(word)
        if bound is not None and abs(bound) < _HUGE:
            found[word] = bound
    above = published.bound("exclusiveMinimum")
    if above is not None and "minimum" not in found:
        found["minimum"] = above + 1 if "integer" in published.types else above
    stated = {**_stated("minimum", _LEAST, text), **_stated("maximum", _MOST, text)}
    return found or stated_range(text) or stated


def _stated(word: str, pattern: re.Pattern[str], text: str) -> dict[str, int]:
    """The one limit that a description states in some words."""
    found = set(pattern.findall(text))
    return {word: int(found.pop())} if len(found) == 1 else {}


def stated_range(text: str) -> dict[str, float]:
    """The one range that a description states; nothing where it states several, or gives advice."""
    binding = " ".join(each for each in re.split(r"(?<=[.!?])\s+", text) if not _ADVICE.search(each))
    ranges = {tuple(float(each) for each in match.groups() if each is not None) for match in _RANGE.finditer(binding)}
    if len(ranges) != 1:
        return {}
    low, high = ranges.pop()
    return {"minimum": _plain(low), "maximum": _plain(high)} if low < high else {}


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


def _objects(published: Documented, *, reply: bool, depth: int) -> list[dict[str, Any]]:
    objects = published.objects
    key = next((key for key in TAGS if objects and all(len(each.words(key)) == 1 for each in objects)), "")
    if key and len({each.words(key) for each in objects}) > 1:
        words = published.tags(key)
        return [object_of(published.tagged(key, word), reply=reply, depth=depth, tag=(key, word)) for word in words]
    if objects:
        return [object_of(Documented(objects), reply=reply, depth=depth)]
    if published.values.choices:
        values = schema_of(published.values, reply=reply, depth=depth + 1)
        return [{"type": "object", "additionalProperties": values}]
    return [{"type": "object"}] if "object" in published.types else []


def object_of(
    published: Documented, *, reply: bool, depth: int = 0, tag: tuple[str, str] | None = None
) -> dict[str, Any]:
    """Objects of one kind; `tag` is the field by which they are told apart from others, and its value."""
    properties: dict[str, Any] = {}
    for name in published.field_names():
        text = " ".join(described(published, name))
        made = schema_of(published.field(name), reply=reply, text=text, depth=depth + 1)
        properties[name] = {"const": tag[1]} if tag is not None and name == tag[0] else made
    required = [name for name in published.field_names() if published.requires(name)]
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


def described(published: Documented, name: str) -> tuple[str, ...]:
    """What stands at a field of the objects here."""
    found = (_description(each, name) for each in published.objects if name in each.fields)
    return tuple(dict.fromkeys(" ".join(each.split()) for each in found if each))


def _description(spec: Spec, name: str) -> str:
    return str(spec.fields[name].get("description", ""))
