"""Values that are valid under a schema, most of them: usual ones, and such as only just are."""

from __future__ import annotations

from random import Random
from typing import Any, TypeGuard

from conformance.model import pointer as pointers
from conformance.model.pointer import MISSING
from conformance.tool_definitions.rewriting.merge import ANNOTATIONS, merged, types_of
from conformance.tool_definitions.rewriting.repair import without

_TEXTS = (
    *(
        "a",
        "",
        "ab",
        "x y",
        "0",
        "7",
        "-1",
        "A1",
        "abc-def",
        "\u00e9",
        "a" * 40,
        "true",
        "null",
        "2024-02-29",
        "12:30:00Z",
    ),
    *("2024-02-29T12:30:00Z", "a@b.example", "https://a.example/b", "10.0.0.1", "::1", "P1D", "en", "en-US", "USD"),
    *("00000000-0000-4000-8000-000000000000", "#a1b2c3", "/a/b", "+4912345678", "a.b", "1.2.3", "0123456789abcdef"),
)
_NUMBERS = (0, 1, -1, 2, 3, 7, 10, 50, 99, 1.5, -0.5, 1000, 10**12)
_ANY: tuple[Any, ...] = (*_TEXTS[:4], 0, 1.5, True, False, None, [], {}, [1], {"a": "b"})
_DEEPEST = 12
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SHALLOW = 4
"""Above this depth, a plain value is no null: where null stands for what was left out, it shows little."""
_TRIES = 8


class Sampler:
    """Draws values of a schema; `seed` decides which."""

    def __init__(self, schema: Any, seed: int = 0) -> None:
        self._root = schema
        self._random = Random(seed)  # noqa: S311 - values for tests and examples, no secrets

    def value(self, node: Any, depth: int = 0, *, plain: bool = False) -> Any:
        """A value of a subschema; with `plain`, one with the fewest members."""
        if not isinstance(node, dict) or depth > 3 * _DEEPEST:
            return self._random.choice(_ANY)
        node = self._resolved(node, depth)
        for key in ("anyOf", "oneOf"):
            choices = node.get(key)
            if isinstance(choices, list) and choices:
                chosen, rest = self._choice(choices, depth, plain=plain), without(node, key)
                if rest.keys() - ANNOTATIONS:
                    chosen, _exact = merged(rest, chosen)
                return self.value(chosen, depth + 1, plain=plain)
        if "const" in node:
            return node["const"]
        if isinstance(node.get("enum"), list) and node["enum"]:
            return self._random.choice(node["enum"])
        return self._typed(node, depth, plain=plain)

    def _choice(self, choices: list[Any], depth: int, *, plain: bool) -> Any:
        if plain or depth > _DEEPEST:
            none = [each for each in choices if isinstance(each, dict) and each.get("type") == "null"]
            some = [each for each in choices if each not in none]
            return ([*none, *some] if depth > _SHALLOW else [*some, *none])[0]
        return self._random.choice(choices)

    def _resolved(self, node: dict[str, Any], depth: int) -> dict[str, Any]:
        """The subschema without references and `allOf`."""
        for _ in range(_TRIES):
            reference = node.get("$ref")
            if isinstance(reference, str) and reference.startswith("#"):
                target = pointers.get(self._root, reference[1:])
                found, _exact = merged(without(node, "$ref"), {} if target is MISSING else target)
            elif isinstance(node.get("allOf"), list) and node["allOf"]:
                found = without(node, "allOf")
                for each in node["allOf"]:
                    found, _exact = merged(found, each)
                    found = found if isinstance(found, dict) else {"not": {}}
            else:
                break
            node = found if isinstance(found, dict) else {}
        return node

    def _typed(self, node: dict[str, Any], depth: int, *, plain: bool) -> Any:
        kinds = types_of(node["type"]) if isinstance(node.get("type"), (str, list)) else []
        if plain and depth <= _SHALLOW and len(kinds) > 1:
            kinds = [each for each in kinds if each != "null"]
        kind = self._random.choice(kinds) if kinds else self._guessed(node)
        if (plain or depth > _DEEPEST) and "null" in kinds:
            return None
        match kind:
            case "object":
                return self.object(node, depth, plain=plain)
            case "array":
                return self.array(node, depth, plain=plain)
            case "string":
                return self._text(node)
            case "integer" | "number":
                return self._number(node, whole=kind == "integer")
            case "boolean":
                return self._random.choice((True, False))
            case "null":
                return None
        return self._random.choice(_ANY)

    def _guessed(self, node: dict[str, Any]) -> str | None:
        """The type of a schema without one; any value is drawn too, because it is valid as often."""
        if self._random.random() < 0.3:
            return None
        for kind, keywords in (
            ("object", ("properties", "required", "additionalProperties", "minProperties")),
            ("array", ("items", "prefixItems", "minItems", "maxItems")),
            ("string", ("pattern", "minLength", "maxLength", "format")),
            ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
        ):
            if node.keys() & set(keywords):
                return kind
        return None

    def at(self, place: str) -> Any:
        """The subschema at a place."""
        return pointers.get(self._root, place)

    def names(self, node: Any) -> list[str]:
        """The names of the properties of a subschema."""
        found = self._resolved(node, 0).get("properties") if isinstance(node, dict) else None
        return list(found) if isinstance(found, dict) else []

    def object(self, node: dict[str, Any], depth: int, *, plain: bool) -> dict[str, Any]:
        """An object with what is required, and some of the rest."""
        declared = node.get("properties")
        properties: dict[str, Any] = declared if isinstance(declared, dict) else {}
        required = [each for each in node.get("required") or () if isinstance(each, str)]
        rest = node.get("additionalProperties", {})
        found = {name: self.value(properties.get(name, rest), depth + 1, plain=plain) for name in required}
        if not plain and depth <= _DEEPEST:
            for name, each in properties.items():
                if name not in found and self._random.random() < 0.5:
                    found[name] = self.value(each, depth + 1)
        wanted = node.get("minProperties", 0)
        extra = isinstance(wanted, int) and len(found) < wanted
        if rest is not False and (extra or (not plain and self._random.random() < 0.3)):
            for number in range(max(1, wanted - len(found) if extra else 1)):
                found.setdefault(f"extra{number}", self.value(rest, depth + 1, plain=plain))
        return found

    def array(self, node: dict[str, Any], depth: int, *, plain: bool) -> list[Any]:
        """An array with few items."""
        low, high = node.get("minItems", 0), node.get("maxItems", 4)
        low, high = (each if isinstance(each, int) else 0 for each in (low, high))
        first = node.get("prefixItems") if isinstance(node.get("prefixItems"), list) else []
        count = low if plain or depth > _DEEPEST else self._random.randint(low, max(low, min(high, low + 3)))
        rest = node.get("items", {})
        kinds = [*(first or []), *([rest] * count)][:count] if rest is not False else (first or [])[:count]
        return [self.value(each, depth + 1, plain=plain) for each in kinds]

    def _text(self, node: dict[str, Any]) -> str:
        from conformance.profiles.tool_schema import fits

        own = {key: node[key] for key in ("pattern", "minLength", "maxLength") if key in node}
        low, high = node.get("minLength"), node.get("maxLength")
        texts = [*_TEXTS, *("a" * each for each in (low, high) if isinstance(each, int) and 0 <= each <= 4096)]
        self._random.shuffle(texts)
        return next((each for each in texts if fits(each, own)), "a")

    def _number(self, node: dict[str, Any], *, whole: bool) -> float:
        bounds = [bound for key in _BOUNDS if _is_number(bound := node.get(key))]
        near = [bound + step for bound in bounds for step in (0, 1, -1, 0.5)]
        factor = node.get("multipleOf")
        numbers: list[float] = [*_NUMBERS, *near, *([factor, factor * 2] if _is_number(factor) else [])]
        wanted = [each for each in numbers if (not whole or each == int(each)) and _within(each, node)]
        return self._random.choice(wanted or [0])


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _within(value: float, node: dict[str, Any]) -> bool:
    low, high = node.get("minimum"), node.get("maximum")
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    return (
        (not _is_number(low) or value >= low)
        and (not _is_number(high) or value <= high)
        and (not _is_number(above) or value > above)
        and (not _is_number(below) or value < below)
    )
