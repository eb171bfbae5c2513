"""The references of a schema: all targets in `$defs` of the root, under names of their own."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from conformance.model import pointer as pointers
from conformance.model.pointer import MISSING, join, split
from conformance.tool_definitions.rewriting.children import with_children

_DEEPEST = 100


class References:
    """The targets of the references of one schema. `root` is the schema with references to `#/$defs/NAME` alone.

    A reference that cannot be resolved is left out; its places are in `unresolved`.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._names: dict[str, str] = {}
        self.targets: dict[str, Any] = {}
        self.unresolved: dict[str, str] = {}
        self.root = self._plain(schema, "", 0)
        self._needs = {name: _references(target) for name, target in self.targets.items()}

    def is_recursive(self, name: str) -> bool:
        """Whether a target contains a reference to itself, directly or through others."""
        seen: set[str] = set()
        waiting = list(self._needs.get(name, ()))
        while waiting:
            each = waiting.pop()
            if each == name:
                return True
            if each not in seen:
                seen.add(each)
                waiting += self._needs.get(each, ())
        return False

    def origin(self, name: str) -> str:
        """The pointer of a target in the given schema."""
        return next((place for place, each in self._names.items() if each == name), "")

    def _plain(self, node: Any, at: str, depth: int) -> Any:
        if not isinstance(node, dict) or depth > _DEEPEST:
            return node
        found = {key: value for key, value in node.items() if key not in ("$defs", "definitions")}
        reference = found.pop("$ref", None)
        found = with_children(found, lambda child, place: self._plain(child, place, depth + 1), at)
        if isinstance(reference, str):
            name = self._name(reference)
            if name is None:
                self.unresolved[at] = reference
            else:
                found = {"$ref": join("#/$defs", name), **found}
        return found

    def _name(self, reference: str) -> str | None:
        place = self._place(reference)
        if place is None:
            return None
        if place not in self._names:
            wanted = (split(place) or ["root"])[-1]
            name, number = wanted, 1
            while name in self._names.values():
                number += 1
                name = f"{wanted}_{number}"
            self._names[place] = name
            self.targets[name] = self._plain(pointers.get(self._schema, place), place, 0)
        return self._names[place]

    def _place(self, reference: str) -> str | None:
        if not reference.startswith("#"):
            return None
        place = unquote(reference[1:])
        if place and not place.startswith("/"):
            place = _anchored(self._schema, place, "", 0) or "/\0"
        target = pointers.get(self._schema, place)
        return None if target is MISSING or not isinstance(target, (dict, bool)) else place


def name_of(reference: Any) -> str | None:
    """The name in `#/$defs/NAME`."""
    steps = split(reference[1:]) if isinstance(reference, str) and reference.startswith("#/$defs/") else []
    return steps[1] if len(steps) == 2 else None


def _references(node: Any) -> set[str]:
    found: set[str] = set()

    def collect(child: Any, _: str = "") -> Any:
        if isinstance(child, dict):
            name = name_of(child.get("$ref"))
            if name is not None:
                found.add(name)
            with_children(child, collect)
        return child

    collect(node)
    return found


def references_of(node: Any) -> set[str]:
    """The names of `$defs` that a schema refers to, at any depth."""
    return _references(node)


def _anchored(node: Any, anchor: str, at: str, depth: int) -> str | None:
    """The place of the subschema with an anchor, also in definitions."""
    if depth > _DEEPEST:
        return None
    if isinstance(node, dict):
        if node.get("$anchor") == anchor:
            return at
        pairs = [(join(at, key), value) for key, value in node.items()]
    elif isinstance(node, list):
        pairs = [(join(at, number), value) for number, value in enumerate(node)]
    else:
        return None
    return next((found for place, value in pairs if (found := _anchored(value, anchor, place, depth + 1))), None)
