"""Faults drawn from what the documents say: each is against every one of them, and knows nothing of the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import join
from devtools.documents.documented import Documented
from devtools.documents.planting import ABSENT, Fault, planted
from devtools.documents.schemas import Spec

_DEEPEST = 3
_ITEMS = 4
_HUGE = 2**62
_WRONG: tuple[tuple[str, Any], ...] = (
    ("string", "seven"),
    ("integer", 7),
    ("boolean", True),
    ("array", [[]]),
    ("object", {"planted": [1]}),
)


def faults(published: Documented, body: Any, *, reply: bool, sister: Documented | None = None) -> Iterator[Fault]:
    """Every fault of a body, one at a time; `sister` is a request of another API, whose fields are put in."""
    yield from _Drawing(reply=reply).at(published, body, "", 0)
    if sister is not None and isinstance(body, dict):
        for name in sorted(set(sister.field_names()) - set(published.field_names()) - set(body)):
            yield Fault("sister's field", join("", name), sample(sister.field(name)))


class _Drawing:
    """The faults of one body. What a body has not is put in once, wherever else it might stand as well."""

    def __init__(self, *, reply: bool) -> None:
        self._reply = reply
        self._put_in: set[frozenset[int]] = set()

    def at(self, published: Documented, value: Any, at: str, new: int) -> Iterator[Fault]:
        """The faults at a place and within it; `new` counts how deep within something that was put in."""
        meant = published.of_value(value)
        if isinstance(value, list):
            for number, each in enumerate(value[:_ITEMS]):
                yield from self.at(meant.items, each, join(at, number), new)
        if not isinstance(value, dict) or not meant.objects:
            return
        for name in meant.field_names():
            where, field = join(at, name), meant.field(name)
            required = meant.requires(name)
            if name in value and required:
                yield Fault("absent", where, ABSENT)
            yield from (
                Fault(kind, where, wrong) for kind, wrong in _wrong(field, required=required, reply=self._reply)
            )
            if name in value:
                yield from self.at(field, value[name], where, new)
            else:
                yield from self._within(field, where, new)

    def _within(self, published: Documented, where: str, new: int) -> Iterator[Fault]:
        what = frozenset(id(each.schema) for each in published.choices)
        found = sample(published) if new < _DEEPEST and what not in self._put_in else None
        if isinstance(found, (dict, list)) and found:
            self._put_in.add(what)
            for each in self.at(published, found, "", new + 1):
                yield Fault(each.kind, where, planted(found, each.pointer, each.value), found)


def _wrong(published: Documented, *, required: bool, reply: bool) -> Iterator[tuple[str, Any]]:
    """The values against what is published of a field, each with its kind."""
    types = published.types
    if not types:
        return
    fitting = types | ({"integer"} if "number" in types else set())
    yield from (("type", value) for name, value in _WRONG if name not in fitting)
    if required and "null" not in types:
        yield "null", None
    if reply and not required and published.forbids_null:
        yield "null, optional", None
    if published.is_closed and published.words and "string" in types:
        yield "undocumented value", "planted_value"
    yield from _beyond(published)


def _beyond(published: Documented) -> Iterator[tuple[str, Any]]:
    low, above, high = published.bound("minimum"), published.bound("exclusiveMinimum"), published.bound("maximum")
    if low is not None and abs(low) < _HUGE:
        yield "range", low - 1
    if above is not None and low is None:
        yield "range", above
    if high is not None and abs(high) < _HUGE:
        yield "range", high + 1
    least, most = published.bound("minLength"), published.bound("maxLength")
    if least and not published.words:
        yield "length", "x" * (int(least) - 1)
    if most is not None and not published.words:
        yield "length", "x" * (int(most) + 1)
    if published.pattern is not None:
        yield "pattern", "not: so"
    fewest, many = published.bound("minItems"), published.bound("maxItems")
    item = sample(published.items) if published.items.choices else None
    if fewest:
        yield "count", [item] * (int(fewest) - 1)
    if many is not None:
        yield "count", [item] * (int(many) + 1)
    if any(each.schema.get("uniqueItems") for each in published.choices):
        yield "duplicate", [item, item]


def sample(published: Documented) -> Any:
    """The least value that the documents allow, an object or an array where they allow one."""
    choices = [each for each in published.choices if each.type != "null"]
    chosen = next((each for each in choices if each.fields or "items" in each.schema), next(iter(choices), None))
    return None if chosen is None else _sample(chosen, ())


def _sample(spec: Spec, within: tuple[int, ...]) -> Any:
    if "enum" in spec.schema:
        return spec.schema["enum"][0]
    if id(spec.schema) in within:
        return {} if spec.type == "object" else []
    within = (*within, id(spec.schema))
    if spec.fields:
        needed = [name for name in spec.fields if name in spec.schema.get("required", ())]
        return {name: _first(spec.within(spec.fields[name]), within) for name in needed}
    if spec.type == "array":
        return [_first(spec.within(spec.schema.get("items", {})), within)]
    least = int(spec.schema.get("minLength") or 0)
    low = spec.schema.get("minimum", 7)
    plain = {"string": "seven" + "x" * (least - 5), "integer": low, "number": low, "boolean": True, "object": {}}
    return plain.get(spec.type, "any")


def _first(spec: Spec, within: tuple[int, ...]) -> Any:
    choices = [each for each in spec.choices() if each.type != "null"]
    return _sample(choices[0], within) if choices else None
