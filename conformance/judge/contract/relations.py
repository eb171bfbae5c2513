"""What the fields of one object ask of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance.judge.contract.situation import When
from conformance.judge.contract.tell import Kind, Tell
from conformance.model.jsontext import brief, same

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Condition:
    """About one field: that it is there and not null; or has one of `values`, is above `over`, below `under`, or is an
    array with `item`.

    `name` may lead into objects, with dots: `thinking.budget_tokens`.
    """

    name: str
    values: tuple[Any, ...] | None = None
    over: float | None = None
    item: Any = None
    under: float | None = None

    def holds(self, value: Mapping[str, Any]) -> bool:
        """Whether the object is so."""
        found = _at(value, self.name)
        if self.values is not None:
            return any(same(found, each) for each in self.values)
        if self.over is not None:
            return _number(found) and found > self.over
        if self.under is not None:
            return _number(found) and found < self.under
        if self.item is not None:
            return isinstance(found, list) and any(same(each, self.item) for each in found)
        return found is not None

    def schema(self) -> Schema:
        """The same as JSON Schema."""
        inner: Schema = {"not": {"type": "null"}}
        if self.values is not None:
            inner = {"enum": list(self.values)}
        elif self.over is not None:
            inner = {"type": "number", "not": {"maximum": self.over}}
        elif self.under is not None:
            inner = {"type": "number", "not": {"minimum": self.under}}
        elif self.item is not None:
            inner = {"type": "array", "not": {"items": {"not": {"enum": [self.item]}}}}
        for token in reversed(self.name.split(".")):
            inner = {"type": "object", "required": [token], "properties": {token: inner}}
        return inner

    def __str__(self) -> str:
        if self.values is not None:
            return " or ".join(f"`{self.name}: {brief(each)}`" for each in self.values)
        if self.over is not None:
            return f"`{self.name}` above {self.over:g}"
        if self.under is not None:
            return f"`{self.name}` below {self.under:g}"
        return f"{brief(self.item)} in `{self.name}`" if self.item is not None else f"`{self.name}`"


def _at(value: Any, name: str) -> Any:
    for token in name.split("."):
        value = value.get(token) if isinstance(value, dict) else None
    return value


@dataclass(frozen=True, slots=True)
class Breach:
    """Where an object breaks a relation: the field at fault (`""` for the object), and the words for it."""

    kind: Kind
    field: str
    message: str
    expected: str
    actual: str
    fix: str


@dataclass(frozen=True, slots=True)
class Relation:
    """`excludes`: not all together. `needs`: the first only with one of the others. `some`: one at least.

    `one`: one and no more. `below`: the first field is a smaller number than the second.
    """

    form: Literal["excludes", "needs", "some", "one", "below"]
    conditions: tuple[Condition, ...]
    tell: Tell = field(default_factory=Tell)
    only: When | None = None

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of violations that it can make."""
        return _KINDS[self.form]

    def breaches(self, value: Mapping[str, Any]) -> Iterator[Breach]:
        """Where the object breaks it."""
        found = [each for each in self.conditions if each.holds(value)]
        names = [each.name for each in self.conditions]
        first, *rest = self.conditions
        if self.form == "excludes":
            if len(found) == len(self.conditions):
                told = f"{_and(list(map(str, found)))} exclude each other"
                there = _and(list(map(str, found)))
                yield Breach("conflict", names[-1], told, f"not {there} together", there, f"leave out `{names[-1]}`")
        elif self.form == "needs":
            if found and found[0] is first and len(found) == 1:
                wanted = " or ".join(map(str, rest))
                there = ", ".join(f"`{each.name}`: {_said(value, each.name)}" for each in rest)
                fix = f"add {wanted}, or leave out `{first.name}`"
                yield Breach("dependency", first.name, f"{first} without {wanted}", wanted, there, fix)
        elif self.form == "below":
            low, high = (_at(value, name) for name in names)
            if _number(low) and _number(high) and low >= high:
                told = f"`{names[0]}` is not smaller than `{names[1]}`"
                yield Breach("range", names[0], told, f"less than {brief(high)}", brief(low), f"lower `{names[0]}`")
        elif not found:
            wanted = " or ".join(map(str, self.conditions))
            there = f"only {_and([f'`{key}`' for key in value])}" if value else "an empty object"
            yield Breach("missing", "", f"there is no {wanted}", wanted, there, f"add {wanted}")
        elif self.form == "one" and len(found) > 1:
            there = _and(list(map(str, found)))
            told, fix = f"{there} exclude each other", f"keep one of {there}"
            yield Breach(
                "conflict", found[-1].name, told, f"one of {_and(list(map(str, self.conditions)))}", there, fix
            )

    def schema(self) -> Schema:
        """JSON Schema that admits only objects that do not break it; for `below` it is stricter than that."""
        schemas = [each.schema() for each in self.conditions]
        if self.form == "excludes":
            return {"not": {"allOf": schemas}}
        if self.form == "needs":
            return {"anyOf": [{"not": schemas[0]}, *schemas[1:]]}
        if self.form == "below":
            return {"not": {"allOf": schemas}}
        if self.form == "one":
            return {"oneOf": schemas}
        return {"anyOf": schemas}


_KINDS: Mapping[str, tuple[Kind, ...]] = {
    "excludes": ("conflict",),
    "needs": ("dependency",),
    "some": ("missing",),
    "one": ("missing", "conflict"),
    "below": ("range",),
}


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _said(value: Mapping[str, Any], name: str) -> str:
    found = _at(value, name)
    return "absent or null" if found is None else brief(found)


def _and(parts: list[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
