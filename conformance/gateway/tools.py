"""Compares the tool definitions of a request on both legs."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.gateway.ledger import Notes
from conformance.gateway.schemas import changes, has_parameters
from conformance.model.transcript import ToolDefinition


def compare_tools(notes: Notes, one: Sequence[ToolDefinition], other: Sequence[ToolDefinition]) -> None:
    """Notes tools that are lost, renamed or added, and what is lost of the others."""
    ours = [tool for tool in one if tool.kind == "function"]
    theirs = [tool for tool in other if tool.kind == "function"]
    by_name = {tool.name: tool for tool in theirs}
    known = {tool.name for tool in ours}
    new = [tool for tool in theirs if tool.name not in known]
    for tool in ours:
        found = by_name.get(tool.name)
        if found is None:
            found = _renamed(tool, new, ours, theirs)
            if found is None:
                notes.lost("tool-dropped", f"the tool {tool.name} is lost", (tool.pointer, "/tools"), tool.name)
                continue
            new.remove(found)
            what = f"the tool {tool.name} has another name"
            notes.lost("tool-name-changed", what, (tool.pointer, found.pointer), tool.name, found.name)
        _compare(notes, tool, found)
    for tool in new:
        what = f"the tool {tool.name} is new"
        notes.lost("tool-unexpected", what, (None, tool.pointer), None, tool.name)


def _renamed(
    tool: ToolDefinition,
    new: Sequence[ToolDefinition],
    ours: Sequence[ToolDefinition],
    theirs: Sequence[ToolDefinition],
) -> ToolDefinition | None:
    """The new tool that this one has become: with its description, or else at its place."""
    alike = [each for each in new if each.description and each.description == tool.description]
    if alike:
        return alike[0]
    number = next(number for number, each in enumerate(ours) if each is tool)
    there = theirs[number] if len(theirs) == len(ours) else None
    return there if there is not None and any(each is there for each in new) else None


def _compare(notes: Notes, tool: ToolDefinition, found: ToolDefinition) -> None:
    at = tool.pointer, found.pointer
    if tool.description and not found.description:
        notes.lost("tool-description-dropped", f"the description of {tool.name} is lost", at, tool.description)
    elif tool.description and found.description and tool.description.strip() != found.description.strip():
        what = f"the description of {tool.name} is changed"
        notes.lost("tool-description-changed", what, at, tool.description, found.description)
    if tool.strict and not found.strict and notes.expressible("strict"):
        notes.lost("strict-dropped", f"the tool {tool.name} is not strict any more", at, tool.strict, found.strict)
    if has_parameters(tool.parameters) and not has_parameters(found.parameters):
        notes.lost("schema-dropped", f"the parameters of {tool.name} are lost", at, tool.parameters, found.parameters)
        return
    empty = {"type": "object"}
    before, after = (each.parameters if each.parameters is not None else empty for each in (tool, found))
    for kind, pointer, old, new in changes(before, after):
        told = {"dropped": "is lost", "changed": "is changed", "unexpected": "is new"}[kind]
        what = f"{pointer or 'the schema'} in the parameters of {tool.name} {told}"
        notes.lost(f"schema-keyword-{kind}", what, at, old, new)
