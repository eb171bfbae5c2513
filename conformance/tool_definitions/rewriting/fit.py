"""Rewrites a schema, from its root downwards, until providers accept each subschema."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from conformance.model.pointer import join, split
from conformance.profiles.tool_variants import Outcome
from conformance.tool_definitions.judgement import Problem
from conformance.tool_definitions.rewriting.alternatives import distributed
from conformance.tool_definitions.rewriting.change import Effect
from conformance.tool_definitions.rewriting.children import with_children
from conformance.tool_definitions.rewriting.merge import ANNOTATIONS, merged, types_of
from conformance.tool_definitions.rewriting.objects import is_object
from conformance.tool_definitions.rewriting.probe import Probe, Problems
from conformance.tool_definitions.rewriting.references import References, name_of, references_of
from conformance.tool_definitions.rewriting.repair import Node, Repair, without
from conformance.tool_definitions.rewriting.repairs import CONSTRAINTS, KEPT, dropped, repairs

_MOST_REPAIRS = 60
_MOST_ROUNDS = 3
"""How often the subschemas of a subschema are rewritten, because it could not be repaired before they were."""
_MOST_SIZE = 20_000
"""The most subschemas of a rewritten schema: references that are written out can multiply."""
_UNROLLED = 2
"""How often a schema that contains itself is written out."""
_SHAPE = frozenset({None, "type", "properties", "required", "additionalProperties"})
"""The keywords of problems that concern the shape of an object; None is the object itself."""
_ORDER = ("$ref", "allOf", "oneOf", "anyOf", "type", "const", "enum")


@dataclass(frozen=True, slots=True)
class Step:
    """One repair: the place in the given schema, the place in the new one, the subschema before and after."""

    origin: str
    at: str
    keyword: str | None
    text: str
    effect: Effect
    before: Node
    after: Node


@dataclass
class Fitter:
    """Rewrites one schema for the variants of a probe.

    Attributes:
        nullable: Whether `nullable` means something in the form that is written.
        steps: What was done.
    """

    probe: Probe
    schema: dict[str, Any]
    nullable: bool = False
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._references = References(self.schema)
        self._keeps = _keeps_references(self.probe)
        self._closes = bool(
            self.probe.problems({"type": "object", "properties": {"a": {"type": "string"}}}, root=False)
        )
        self._wants_items = bool(self.probe.of_schema(_with_property({"type": "array"})))
        self._size = 0

    def fitted(self) -> dict[str, Any]:
        """The rewritten schema."""
        root = self._rooted(self._references.root)
        found = {"type": "object", **self._node(root, "", "", (), root=True)}
        definitions: dict[str, Any] = {}
        waiting = sorted(references_of(found))
        while waiting:
            name = waiting.pop()
            if name not in definitions:
                at = join("/$defs", name)
                target = self._references.targets[name]
                definitions[name] = self._node(target, self._references.origin(name), at, (), root=False)
                waiting += sorted(references_of(definitions[name]))
        return {**found, "$defs": dict(sorted(definitions.items()))} if definitions else found

    def _rooted(self, node: Node) -> Node:
        """The root as an object: the arguments of a call are one."""
        seen: list[str] = []
        while (name := name_of(node.get("$ref"))) is not None and name not in seen:
            seen.append(name)
            together, exact = merged(without(node, "$ref"), self._references.targets[name])
            together = together if isinstance(together, dict) else {}
            effect = Effect.SAME if exact else Effect.WIDER
            self._note("", "", "$ref", Repair(together, "written out at the root", effect), node)
            node = together
        if node.get("type") != "object":
            wrong = node.get("type") is not None and "object" not in types_of(node["type"])
            typed = {"type": "object", **without(node, "type")}
            self._note("", "", "type", Repair(typed, "arguments are an object", _narrower(wrong)), node)
            node = typed
        return node

    def _node(self, given: Any, origin: str, at: str, stack: tuple[str, ...], *, root: bool) -> Any:
        """A subschema, rewritten. `stack` has the names of the references that are written out around it."""
        if isinstance(given, bool):
            given = {} if given else {"not": {}}
        self._size += 1
        if not isinstance(given, dict) or self._size > _MOST_SIZE:
            return {}
        if self.nullable:  # JSON Schema has no such keyword: in the given schema, it means nothing
            given = without(given, "nullable")
        node, origin, stack = self._resolved(given, origin, at, stack)
        node = self._prepared(node, origin, at, root=root)
        for _ in range(_MOST_ROUNDS):
            for _ in range(_MOST_REPAIRS):
                repaired = self._repaired(node, origin, at, root=root)
                if repaired is None:
                    break
                node, origin, stack = self._resolved(repaired, origin, at, stack)
                node = self._prepared(node, origin, at, root=root)
            before, node = node, self._with_children(node, origin, at, stack)
            if node == before or not self.probe.problems(node, root=root):
                break
        return node

    def _with_children(self, node: Node, origin: str, at: str, stack: tuple[str, ...]) -> Node:
        barred = [name for name, each in (node.get("properties") or {}).items() if each is False]
        if barred and node.get("additionalProperties") is False:
            node = {
                **node,
                "properties": {name: each for name, each in node["properties"].items() if name not in barred},
            }
        start = len(at)

        def child(value: Any, place: str) -> Any:
            return self._node(value, origin + place[start:], place, stack, root=False)

        return with_children(node, child, at)

    def _resolved(self, node: Node, origin: str, at: str, stack: tuple[str, ...]) -> tuple[Node, str, tuple[str, ...]]:
        """The subschema without a reference that cannot stay, with its origin and the new stack."""
        if origin in self._references.unresolved and "$ref" not in node:
            reference = self._references.unresolved.pop(origin)
            self._note(origin, at, "$ref", Repair(node, f"{reference} cannot be resolved", Effect.WIDER), node)
        while (name := name_of(node.get("$ref"))) is not None:
            target = self._references.targets[name]
            if self._keeps(self._references.is_recursive(name)) and not node.keys() - {"$ref", *ANNOTATIONS}:
                return node, origin, stack
            if stack.count(name) >= _UNROLLED and self._references.is_recursive(name):
                limited = _limited(target, without(node, "$ref"))
                text = f"written out {_UNROLLED} levels deep"
                self._note(origin, at, "$ref", Repair(limited, text, Effect.WIDER), node)
                return limited, origin, stack
            together, exact = merged(without(node, "$ref"), target)
            found = together if isinstance(together, dict) else {"not": {}} if together is False else {}
            if not exact:
                self._note(origin, at, "$ref", Repair(found, "merged into one schema", Effect.WIDER), node)
            node, origin, stack = found, self._references.origin(name), (*stack, name)
        return node, origin, stack

    def _prepared(self, node: Node, origin: str, at: str, *, root: bool) -> Node:
        """The subschema with what is asked of every array."""
        node = self._unfolded(node, origin, at, root=root)
        if self._wants_items and "items" not in node and "array" in types_of(node.get("type", [])):
            listed = {**node, "items": {}}
            self._note(origin, at, "items", Repair(listed, "added"), node)
            return listed
        return node

    def _unfolded(self, node: Node, origin: str, at: str, *, root: bool) -> Node:
        """The subschema with its parts together if objects must be closed: one closed part would bar the others."""
        if not self._closes or not node.keys() & {"allOf", "anyOf", "oneOf"}:
            return node
        found, effect = node, Effect.SAME
        if isinstance(node.get("allOf"), list):
            for repair in repairs(node, "allOf"):
                found, effect = repair.node, repair.effect
                break
        for key in ("anyOf", "oneOf"):
            if root and key in found:
                whole = (each for each in repairs(found, key) if not each.node.keys() & {"anyOf", "oneOf"})
                repair = next(whole, None) or dropped(found, key)
                found, effect = repair.node, repair.effect if repair.effect is not Effect.SAME else effect
            elif is_object(found) and isinstance(found.get(key), list) and found[key]:
                found, exact = distributed(found, key)
                effect = effect if exact else Effect.WIDER
        if found != node:
            self._note(origin, at, None, Repair(found, "put together, because every object is closed", effect), node)
        return found

    def _repaired(self, node: Node, origin: str, at: str, *, root: bool) -> Node | None:
        """The subschema after one repair; None if nothing is left to repair, or nothing helps."""
        bad = self.probe.problems(node, root=root)
        for key, problem in sorted(bad.items(), key=_rank):
            keyword = _keyword(problem, key)
            repair = self._best(node, keyword, key, bad, root=root)
            if repair is not None:
                repair = self._described(repair, root=root)
                self._note(origin, at, keyword, repair, node)
                return repair.node
        return None

    def _best(
        self, node: Node, keyword: str | None, key: tuple[str, str], bad: Problems, *, root: bool
    ) -> Repair | None:
        """The first repair that leaves fewer problems; else one that leaves only such as can be repaired; else none."""
        known = [
            each
            for each in repairs(node, keyword)
            if each.node != node and (self.nullable or "nullable" not in each.node.keys() - node.keys())
        ]
        after = [self.probe.problems(each.node, root=root) for each in known]
        refuses = bad[key].outcome is Outcome.REFUSED
        fewer = (
            each
            for each, left in zip(known, after, strict=True)
            if len(left) < len(bad) and (refuses or not _new_refusals(left, bad))
        )
        solved = (
            each
            for each, left in zip(known, after, strict=True)
            if keyword not in CONSTRAINTS
            and key not in left
            and _is_repairable(left, bad, node, each.node)
            and (refuses or not _new_refusals(left, bad))
        )
        last = dropped(node, keyword) if keyword in node and keyword not in KEPT else None
        if last is not None and not refuses and _new_refusals(self.probe.problems(last.node, root=root), bad):
            last = None  # another provider refuses what this one only ignores
        return next(fewer, None) or next(solved, None) or last

    def _described(self, repair: Repair, *, root: bool) -> Repair:
        """The repair with its note in the description, if the description is read."""
        if repair.note is None:
            return repair
        own = repair.node.get("description")
        note = f"({repair.note})"
        if isinstance(own, str) and note in own:
            return repair
        described = {**repair.node, "description": f"{own} {note}" if isinstance(own, str) and own else note}
        before, after = self.probe.problems(repair.node, root=root), self.probe.problems(described, root=root)
        return Repair(described, repair.text, repair.effect) if len(after) <= len(before) else repair

    def _note(self, origin: str, at: str, keyword: str | None, repair: Repair, before: Node) -> None:
        self.steps.append(Step(origin, at, keyword, repair.text, repair.effect, before, repair.node))


def _narrower(wrong: bool) -> Effect:  # noqa: FBT001 - a condition, not an option
    return Effect.NARROWER if wrong else Effect.SAME


def _limited(target: Any, beside: Node) -> Node:
    """What stands for a schema where it is not written out any more: its type."""
    kept = {key: target[key] for key in ("type", "description") if isinstance(target, dict) and key in target}
    return {**kept, **beside}


def _rank(item: tuple[tuple[str, str], Problem]) -> tuple[int, tuple[str, str]]:
    keyword = _keyword(item[1], item[0])
    return (_ORDER.index(keyword) if keyword in _ORDER else len(_ORDER), item[0])


def _keyword(problem: Problem, key: tuple[str, str]) -> str | None:
    """The keyword that a problem is about: by its place in the subschema, if it does not name it."""
    steps = split(key[0])
    return steps[0] if steps else problem.keyword


def _new_refusals(after: Problems, before: Problems) -> bool:
    return any(each.outcome is Outcome.REFUSED for key, each in after.items() if key not in before)


def _is_repairable(after: Problems, before: Problems, given: Node, repaired: Node) -> bool:
    """Whether the problems after a repair can be repaired in turn, and not by the reverse of the repair.

    What a provider asks of every object can always be added, plain constraints can be left out, and a keyword that the
    repair did not touch had its problem before, behind another one.
    """
    shape = _SHAPE if repaired.get("type") == "object" else frozenset({None})
    new = {_keyword(each, name) for name, each in after.items() if name not in before}
    untouched = {key for key, value in repaired.items() if key in given and given[key] == value}
    return new <= shape | CONSTRAINTS | untouched


def _with_property(node: Node) -> Node:
    return {"type": "object", "properties": {"p": node}, "required": ["p"], "additionalProperties": False}


def _keeps_references(probe: Probe) -> Callable[[bool], bool]:
    """Whether references can stay, by whether their target contains them."""
    leaf = _with_property({"type": "string"})
    around = _with_property({"$ref": "#/$defs/x"})
    own = _with_property({"anyOf": [{"$ref": "#/$defs/x"}, {"type": "null"}]})
    plain = not probe.of_schema({**around, "$defs": {"x": leaf}})
    recursive = plain and not probe.of_schema({**around, "$defs": {"x": own}})
    return lambda is_recursive: recursive if is_recursive else plain
