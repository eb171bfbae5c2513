"""Tools and tool choice in Responses requests, docs/contract/openai-responses.md, OAR-Q: flat, where Chat nests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_responses.chain import Placed, input_by_type
from conformance.dialects.openai_responses.items import list_of
from conformance.judge.relations.strict import gaps_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import kind
from conformance.model.pointer import join

_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


@rule(
    "responses-strict-schema-incomplete",
    scope="request",
    cites=["OAR-Q-003", "MAP-006"],
)
def strict_schema_incomplete(view: View) -> Iterator[Hit]:
    """The schema of a strict tool must close every object and require every property.

    The server refuses the request with a 400, code `invalid_function_parameters`.
    """
    for pointer, gap in (*_gaps(view), *_gaps_in(_added(view))):
        yield Hit(pointer, f"strict, but {gap}", "additionalProperties false, and all properties required", gap)


def _gaps(view: View) -> list[tuple[str, str]]:
    """What the strict tools of the request lack; a repeated request has the same tools."""
    if _gaps not in view.found:
        repeated = view.repeated
        known = None if repeated is None else repeated.earlier.found.get(_gaps)
        view.found[_gaps] = list(_gaps_in(_declared(view))) if known is None else known
    found: list[tuple[str, str]] = view.found[_gaps]
    return found


def _gaps_in(tools: Iterator[Placed]) -> Iterator[tuple[str, str]]:
    for tool, at in tools:
        if tool.get("strict") is True:
            yield from gaps_of(tool.get("parameters"), join(at, "parameters"))


@rule(
    "responses-tool-choice-undeclared",
    scope="request",
    cites="OAR-Q-005",
    severity=Severity.WARNING,
    because="the statement is about the form; no recording or thread shows the refusal",
)
def tool_choice_undeclared(view: View) -> Iterator[Hit]:
    """A tool in the tool choice must be declared in the same request.

    The model does not know the tool that it has to call.
    """
    choice, tools = view.ask.choice, view.ask.tools
    if choice is None or (tools is None and not view.complete):
        return
    declared = [tool.name for tool in tools or ()]
    for name in choice.names:
        if name not in declared:
            yield Hit(
                choice.pointer, f"the tool choice names {name}, which is not declared", f"one of {declared}", name
            )


def _declared(view: View) -> Iterator[Placed]:
    """The function and custom tools of the request, including those in a namespace."""
    if isinstance(view.request, dict):
        yield from _in(view.request.get("tools"), "/tools")


def _added(view: View) -> Iterator[Placed]:
    """Those that items of the input add."""
    for _, (item, at) in input_by_type(view, "additional_tools"):
        yield from _in(item.get("tools"), join(at, "tools"))


def _in(tools: Any, pointer: str) -> Iterator[Placed]:
    for number, tool in enumerate(list_of(tools)):
        at = join(pointer, number)
        if kind(tool) == "object" and tool.get("type") == "namespace":
            yield from _in(tool.get("tools"), join(at, "tools"))
        elif kind(tool) == "object" and tool.get("type") in ("function", "custom"):
            yield tool, at
