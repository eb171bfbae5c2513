"""Rewrites tool definitions so that a provider, or each of several, accepts them: the nearest that it accepts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from conformance.errors import ConformanceError
from conformance.model import pointer as pointers
from conformance.model.pointer import MISSING
from conformance.profiles.tool_forms import form_called
from conformance.profiles.tool_variants import Variant
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, judge
from conformance.tool_definitions.rewriting.change import Change, Effect
from conformance.tool_definitions.rewriting.children import with_children
from conformance.tool_definitions.rewriting.fit import Fitter, Step
from conformance.tool_definitions.rewriting.instances import instance_of
from conformance.tool_definitions.rewriting.names import renamed_parameters, tool_names
from conformance.tool_definitions.rewriting.probe import Probe
from conformance.tool_definitions.rewriting.wellformed import well_formed

__all__ = ["Change", "Effect", "Rewritten", "portable", "rewrite"]

_PORTABLE = "mcp"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Rewritten tools.

    Attributes:
        definitions: Each tool, in the provider's form; portable ones in that of MCP.
        tools: The same, with their neutral definitions.
        changes: What was changed, in the order of the tools; `is_loss` marks what was lost.
        names: The new name of each tool, with its name in the input; then for each renamed parameter `TOOL.PARAMETER`.
        judged: What the profiles make of the result.
    """

    definitions: tuple[dict[str, Any], ...]
    tools: tuple[GivenTool, ...]
    changes: tuple[Change, ...]
    names: dict[str, str]
    judged: tuple[Judged, ...]

    @property
    def losses(self) -> tuple[Change, ...]:
        """The changes by which something was lost."""
        return tuple(each for each in self.changes if each.is_loss)


def rewrite(tools: Sequence[GivenTool], variant: Variant) -> Rewritten:
    """The nearest definitions that a variant of a profile accepts, in its form. Rewriting them again changes nothing.

    Raises:
        ConformanceError: none of the tools is a function tool.
    """
    return _rewritten(tools, (variant,), variant)


def portable(tools: Sequence[GivenTool], variants: Sequence[Variant]) -> Rewritten:
    """The nearest definitions that all variants accept, each in its own form; they are written as MCP tools.

    Raises:
        ConformanceError: as for `rewrite`.
    """
    return _rewritten(tools, tuple(variants), None)


def _rewritten(tools: Sequence[GivenTool], variants: tuple[Variant, ...], target: Variant | None) -> Rewritten:
    functions = [each for each in tools if each.definition.kind == "function"]
    if not functions:
        raise ConformanceError("the input has only hosted tools", "pass function tools, which have a schema")
    changes = [
        Change(each.definition.name or "", "", "kind", f"left out: a {each.definition.kind} tool is the provider's own")
        for each in tools
        if each.definition.kind != "function"
    ]
    given = [each.definition.name or "tool" for each in functions]
    wanted = tool_names(given, variants)
    names = dict(zip(wanted, given, strict=True))
    written = []
    for tool, name, new in zip(functions, given, wanted, strict=True):
        if new != name:
            changes.append(Change(name, "", "name", f"renamed to {new}"))
        rewritten, own, parameters = _tool(tool, name, new, variants, target)
        written.append(rewritten)
        changes += own
        names |= {f"{new}.{after}": before for before, after in parameters.items()}
    judged = tuple(judge(written, each) for each in variants)
    return Rewritten(tuple(each.given for each in written), tuple(written), tuple(changes), names, judged)


def _tool(
    tool: GivenTool, name: str, new: str, variants: tuple[Variant, ...], target: Variant | None
) -> tuple[GivenTool, list[Change], dict[str, str]]:
    """A tool in the new form, what was changed, and the new names of its parameters."""
    definition = replace(tool.definition, name=new, pointer="")
    schema = definition.parameters
    changes: list[Change] = []
    parameters: dict[str, str] = {}
    if schema is not None or _needs_schema(definition, variants):
        schema = schema if isinstance(schema, dict) else {"type": "object", "properties": {}}
        schema, changes, parameters = _schema(schema, name, variants, target)
        definition = replace(definition, parameters=schema)
    description = _shortened(definition.description, variants)
    if description != definition.description:
        changes.append(Change(name, "", "description", "shortened", Effect.NARROWER))
        definition = replace(definition, description=description)
    if target is None:
        neutral: dict[str, Any] = {**definition.heading, "inputSchema": definition.parameters or {"type": "object"}}
        return GivenTool(definition, _PORTABLE, tool.source, neutral), changes, parameters
    given = form_called(target.form).written(definition, schema_at=target.schema_at, strict=target.strict)
    converted = _own_language(target)
    if converted is not None and isinstance(schema, dict):
        definition = replace(definition, parameters=converted(schema))
    return GivenTool(definition, target.form, tool.source, given), changes, parameters


def _schema(
    given: dict[str, Any], name: str, variants: tuple[Variant, ...], target: Variant | None
) -> tuple[dict[str, Any], list[Change], dict[str, str]]:
    probe = _probe(variants)
    given, dropped = well_formed(given)
    schema, parameters = renamed_parameters(given, probe)
    changes = [
        Change(name, at, key or None, "left out: its value is not valid JSON Schema", Effect.WIDER)
        for at, key in dropped
    ]
    changes += [
        Change(name, pointers.join("/properties", before), "properties", f"renamed to {after}")
        for before, after in parameters.items()
    ]
    converted = None if target is None else _own_language(target)
    fitter = Fitter(probe, schema, nullable=converted is not None)
    fitted = fitter.fitted()
    neutral = fitted if converted is None else converted(fitted)
    for step in dict.fromkeys((each.origin, each.keyword, each.text, each.effect) for each in fitter.steps):
        first = next(each for each in fitter.steps if (each.origin, each.keyword, each.text, each.effect) == step)
        changes.append(_change(first, name, schema, neutral))
    return (fitted if converted is None else _upper(fitted)), changes, parameters


def _change(step: Step, name: str, given: dict[str, Any], rewritten: dict[str, Any]) -> Change:
    instance = MISSING if step.effect is Effect.SAME else instance_of(step, given, rewritten)
    return Change(name, _existing(given, step.origin), step.keyword, step.text, step.effect, instance)


def _existing(schema: dict[str, Any], place: str) -> str:
    """The nearest place around one that the given schema has: repairs make places of their own."""
    while place and pointers.get(schema, place) is MISSING:
        place = place.rpartition("/")[0]
    return place


@lru_cache(maxsize=64)
def _probe(variants: tuple[Variant, ...]) -> Probe:
    return Probe(variants)


def _needs_schema(definition: Any, variants: tuple[Variant, ...]) -> bool:
    tool = GivenTool(replace(definition, parameters=None), "json-schema", "")
    return any(judge([tool], each).tools[0].problems for each in variants)


def _shortened(description: str | None, variants: tuple[Variant, ...]) -> str | None:
    most = min(
        (limit.most for each in variants for limit in each.limits if limit.measure == "description-length"), default=0
    )
    if description is None or not most or len(description) <= most:
        return description
    return f"{description[: most - 1]}…"


def _own_language(variant: Variant) -> Callable[[Any], Any] | None:
    """The conversion to JSON Schema, if the schemas are in a language of their own, in which null is `nullable`."""
    form = form_called(variant.form)
    return form.to_json_schema if variant.schema_at == form.schema_at else None


def _upper(node: Any, _: str = "") -> Any:
    """The schema with the names of types as Gemini writes them."""
    if not isinstance(node, dict):
        return node
    found = with_children(node, _upper)
    if isinstance(found.get("$defs"), dict):
        found["$defs"] = {name: _upper(each) for name, each in found["$defs"].items()}
    return {**found, "type": found["type"].upper()} if isinstance(found.get("type"), str) else found
