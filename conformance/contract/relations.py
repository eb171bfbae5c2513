"""Relations between the fields of one object."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Any, Literal

from conformance.contract.citation import Citation, Kind
from conformance.contract.situation import When
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, same

Schema = dict[str, Any]
_SHOWN = 4
"""The number of alternative conditions that a message names."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one field: it is present and not null; or has one of `values`, is above `over`, below `under`, or
    is an array with `item`.

    `name` may be a path into objects, with dots: `thinking.budget_tokens`. `snake`: each name may also be in snake
    case. `filled`: it is not empty either. With `bare`, the condition is on the object: it has no other fields
    than these.
    """

    name: str
    values: tuple[Any, ...] | None = None
    over: float | None = None
    item: Any = None
    under: float | None = None
    snake: bool = False
    bare: tuple[str, ...] | None = None
    filled: bool = False

    def holds(self, value: Mapping[str, Any]) -> bool:
        """Whether the condition is true for the object."""
        if self.bare is not None:
            return all(key in self._bare() for key in value)
        found = _at(value, self.name, snake=self.snake)
        if self.values is not None:
            return any(same(found, each) for each in self.values)
        if self.over is not None:
            return _number(found) and found > self.over
        if self.under is not None:
            return _number(found) and found < self.under
        if self.item is not None:
            return isinstance(found, list) and any(same(each, self.item) for each in found)
        return found is not None and not (self.filled and found in ("", [], {}))

    def quick(self) -> Callable[[Mapping[str, Any]], bool]:
        """A function that says the same, and that is fast for the usual conditions: one member, words as its values."""
        plain = self.bare is None and self.over is None and self.under is None and self.item is None and not self.filled
        names = self.spelled[0] if plain else ()
        if len(names) != 1 or len(self.spelled) > 1:
            return self.holds
        [name] = names
        if self.values is None:
            return lambda value: value.get(name) is not None
        if not all(isinstance(each, str) for each in self.values):
            return self.holds
        words = frozenset(self.values)
        return lambda value: isinstance(there := value.get(name), str) and there in words

    @property
    def asks_for_items(self) -> bool:
        """Whether it depends on which items the field has, if that is an array with any."""
        return self.item is not None or any(isinstance(each, list) and each for each in self.values or ())

    def schema(self) -> Schema:
        """The same as JSON Schema."""
        if self.bare is not None:
            fields: Schema = {each: {} for each in self._bare()}
            return {"type": "object", "properties": fields, "additionalProperties": False}
        inner: Schema = {"not": {"enum": [None, "", [], {}]} if self.filled else {"type": "null"}}
        if self.values is not None:
            inner = {"enum": list(self.values)}
        elif self.over is not None:
            inner = {"type": "number", "not": {"maximum": self.over}}
        elif self.under is not None:
            inner = {"type": "number", "not": {"minimum": self.under}}
        elif self.item is not None:
            inner = {"type": "array", "not": {"items": {"not": {"enum": [self.item]}}}}
        for token in reversed(self.name.split(".")):
            spelled = _spelled(token, snake=self.snake)
            found = [{"type": "object", "required": [each], "properties": {each: inner}} for each in spelled]
            inner = found[0] if len(found) == 1 else {"anyOf": found}
        return inner

    def place(self, value: Mapping[str, Any]) -> tuple[str, ...]:
        """The keys of the path to the field, as spelled in the object."""
        found, tokens = [], self.name.split(".")
        inner: Any = value
        for token in tokens:
            there = [each for each in _spelled(token, snake=self.snake) if isinstance(inner, dict) and each in inner]
            found.append(there[0] if there else token)
            inner = inner[there[0]] if there else None
        return tuple(found)

    @property
    def spelled(self) -> tuple[tuple[str, ...], ...]:
        """The names of the path, each in all its spellings."""
        return _tokens(self.name, snake=self.snake)

    def met(self, value: Mapping[str, Any]) -> str:
        """The condition in words, of several values with the one that the object has."""
        one = self.values is not None and len(self.values) > 1
        return f"`{self.name}: {brief(_at(value, self.name, snake=self.snake))}`" if one else str(self)

    def _bare(self) -> tuple[str, ...]:
        return tuple(each for name in self.bare or () for each in _spelled(name, snake=self.snake))

    def __str__(self) -> str:
        if self.bare is not None:
            return "no other fields"
        if self.values is not None:
            return " or ".join(f"`{self.name}: {brief(each)}`" for each in self.values)
        if self.over is not None:
            return f"`{self.name}` above {self.over:g}"
        if self.under is not None:
            return f"`{self.name}` below {self.under:g}"
        return f"{brief(self.item)} in `{self.name}`" if self.item is not None else f"`{self.name}`"


def _at(value: Any, name: str, *, snake: bool = False) -> Any:
    for token in _tokens(name, snake=snake):
        if not isinstance(value, dict):
            return None
        found = None
        for each in token:
            if (found := value.get(each)) is not None:
                break
        value = found
    return value


@cache
def _tokens(name: str, *, snake: bool) -> tuple[tuple[str, ...], ...]:
    return tuple(_spelled(token, snake=snake) for token in name.split("."))


@cache
def _spelled(name: str, *, snake: bool) -> tuple[str, ...]:
    return tuple(dict.fromkeys((name, snake_case(name)))) if snake else (name,)


def snake_case(name: str) -> str:
    """A name in snake case, as servers of protocol buffers accept it."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken relation: the path to the field at fault, and the words for it."""

    kind: Kind
    place: tuple[str, ...]
    message: str
    expected: str
    actual: str
    fix: str


@dataclass(frozen=True, slots=True)
class Relation:
    """`excludes`: not all together. `needs`: the first only with one of the others. `some`: at least one.

    `one`: exactly one. `most`: at most one. `below`: the first field is a smaller number than the second.
    """

    form: Literal["excludes", "needs", "some", "one", "most", "below"]
    conditions: tuple[Condition, ...]
    citation: Citation = field(default_factory=Citation)
    only: When | None = None

    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of violations that it can report."""
        return _KINDS[self.form]

    def keeper(self) -> Callable[[Mapping[str, Any]], bool]:
        """A function that says whether an object keeps it."""
        first, *rest = every = [each.quick() for each in self.conditions]
        if self.form == "excludes":
            return lambda value: not all(holds(value) for holds in every)
        if self.form == "needs":
            return lambda value: not first(value) or any(holds(value) for holds in rest)
        if self.form == "below":
            return lambda value: next(self.breaches(value), None) is None
        least, most = (0 if self.form == "most" else 1), (len(every) if self.form == "some" else 1)
        return lambda value: least <= sum(holds(value) for holds in every) <= most

    def breaches(self, value: Mapping[str, Any]) -> Iterator[Breach]:
        """Where the object breaks it."""
        if self.form in ("excludes", "needs", "below") and not self.conditions[0].holds(value):
            return
        found = [each for each in self.conditions if each.holds(value)]
        names = [each.name for each in self.conditions]
        first, *rest = self.conditions
        if self.form == "excludes":
            if len(found) == len(self.conditions):
                there = _and([each.met(value) for each in found])
                last = self.conditions[-1]
                fix = f"{'leave out' if last.values is None else 'change'} `{last.name}`"
                message = f"{there} exclude each other"
                yield Breach("conflict", last.place(value), message, f"not {there} together", there, fix)
        elif self.form == "needs":
            if found and found[0] is first and len(found) == 1:
                wanted = _either(rest)
                there = ", ".join(f"`{each.name}`: {_found(value, each)}" for each in rest)
                fix = f"add {wanted}, or leave out `{first.name}`"
                yield Breach("dependency", first.place(value), f"{first} without {wanted}", wanted, there, fix)
        elif self.form == "below":
            low, high = (_at(value, each.name, snake=each.snake) for each in self.conditions)
            if _number(low) and _number(high) and low >= high:
                message = f"`{names[0]}` is not smaller than `{names[1]}`"
                place, fix = first.place(value), f"lower `{names[0]}`"
                yield Breach("range", place, message, f"less than {brief(high)}", brief(low), fix)
        elif not found:
            if self.form == "most":
                return
            wanted = _either(self.conditions)
            there = f"only {_and([f'`{key}`' for key in value])}" if value else "an empty object"
            yield Breach("missing", (), f"there is no {wanted}", wanted, there, f"add {wanted}")
        elif self.form in ("one", "most") and len(found) > 1:
            there = _and(list(map(str, found)))
            message, fix = f"{there} exclude each other", f"keep one of {there}"
            place, wanted = found[-1].place(value), f"one of {_and(list(map(str, self.conditions)))}"
            yield Breach("conflict", place, message, wanted, there, fix)

    def schema(self) -> Schema:
        """JSON Schema that admits only objects that do not break it; `below` has none."""
        schemas = [each.schema() for each in self.conditions]
        if self.form == "excludes":
            return {"not": {"allOf": schemas}}
        if self.form == "needs":
            return {"anyOf": [{"not": schemas[0]}, *schemas[1:]]}
        if self.form == "one":
            return {"oneOf": schemas}
        if self.form == "most":
            return {"anyOf": [{"not": {"anyOf": schemas}}, {"oneOf": schemas}]}
        return {"anyOf": schemas}


_KINDS: Mapping[str, tuple[Kind, ...]] = {
    "excludes": ("conflict",),
    "needs": ("dependency",),
    "some": ("missing",),
    "one": ("missing", "conflict"),
    "most": ("conflict",),
    "below": ("range",),
}


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _found(value: Mapping[str, Any], condition: Condition) -> str:
    found = _at(value, condition.name, snake=condition.snake)
    return "absent or null" if found is None else brief(found)


def _and(parts: list[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _either(conditions: Sequence[Condition]) -> str:
    """The alternative conditions; of a long list the first ones, and how many more there are."""
    shown = " or ".join(map(str, conditions[:_SHOWN]))
    more = len(conditions) - _SHOWN
    return f"{shown} or one of {more} more" if more > 1 else " or ".join(map(str, conditions))
