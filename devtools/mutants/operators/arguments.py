"""Faults in the arguments of a call: missing, unknown, of another type, or not an object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from conformance.model.jsontext import same
from conformance.model.transcript import ToolDefinition
from devtools.mutants.operator import Fault, operator
from devtools.mutants.operators.members import json_in, other_type
from devtools.mutants.subject import Subject, text_of
from devtools.mutants.tree import Node


def _arguments(subject: Subject) -> Iterator[tuple[Node, dict[str, Any], ToolDefinition | None]]:
    """The places that hold the arguments of the model's calls, with the tool that each call names."""
    nodes = [node for node in subject.nodes if node.tree.side == "response"]
    for call in (call for turn in subject.view.replies for call in turn.calls):
        if not isinstance(call.arguments, dict):
            continue
        for node in nodes:
            value = json_in(node.value) if isinstance(node.value, str) else node.value
            if node.place.startswith(f"{call.pointer}/") and isinstance(value, dict) and same(value, call.arguments):
                yield node, call.arguments, subject.view.ask.tool(call.name)
                break


def _fault(node: Node, name: str, value: Any) -> Fault:
    new = text_of(value) if isinstance(node.value, str) else value
    return Fault("response", f"{node.place}#{name}", f"{node.pattern}#", partial(node.put, new))


def _each(subject: Subject, change: Callable[[dict[str, Any], str], Any], names: str = "required") -> Iterator[Fault]:
    for node, arguments, tool in _arguments(subject):
        schema = tool.parameters if tool and isinstance(tool.parameters, dict) else {}
        for name in schema.get(names) or ():
            if name in arguments:
                yield _fault(node, name, change(arguments, name))


@operator("drop-argument")
def drop_argument(subject: Subject) -> Iterator[Fault]:
    """An argument that the tool requires is missing."""
    yield from _each(subject, lambda arguments, name: {key: arguments[key] for key in arguments if key != name})


@operator("retype-argument")
def retype_argument(subject: Subject) -> Iterator[Fault]:
    """An argument is of another type than the tool declares."""
    yield from _each(subject, lambda arguments, name: {**arguments, name: other_type(arguments[name])})


@operator("rename-argument")
def rename_argument(subject: Subject) -> Iterator[Fault]:
    """An argument that the tool requires has another name."""
    yield from _each(
        subject,
        lambda arguments, name: {f"{key}_" if key == name else key: value for key, value in arguments.items()},
    )


@operator("unknown-argument")
def unknown_argument(subject: Subject) -> Iterator[Fault]:
    """An undeclared argument is present, which the tool does not allow."""
    for node, arguments, tool in _arguments(subject):
        if tool and isinstance(tool.parameters, dict) and tool.parameters.get("additionalProperties") is False:
            yield _fault(node, "verbosity", {**arguments, "verbosity": 1})


@operator("array-arguments")
def array_arguments(subject: Subject) -> Iterator[Fault]:
    """The arguments are an array of their values."""
    for node, arguments, _ in _arguments(subject):
        yield _fault(node, "", list(arguments.values()))


@operator("outside-enum")
def outside_enum(subject: Subject) -> Iterator[Fault]:
    """An argument has a value that the tool does not declare for it."""
    for node, arguments, tool in _arguments(subject):
        schema = tool.parameters if tool and isinstance(tool.parameters, dict) else {}
        for name, declared in (schema.get("properties") or {}).items():
            if name in arguments and isinstance(declared, dict) and "enum" in declared:
                yield _fault(node, name, {**arguments, name: "none_of_these"})


@operator("unknown-tool")
def unknown_tool(subject: Subject) -> Iterator[Fault]:
    """The model calls an undeclared tool."""
    for call in (call for turn in subject.view.replies for call in turn.calls):
        for node in subject.nodes:
            if node.tree.side != "request" and call.name and node.value == call.name and node.key == "name":
                yield Fault(node.tree.side, node.place, node.pattern, partial(node.put, f"{call.name}_other"))


_BROKEN = {"type": "strng", "properties": ["name"], "required": "name", "additionalProperties": "no"}


@operator("broken-schema")
def broken_schema(subject: Subject) -> Iterator[Fault]:
    """The schema of a tool is invalid: a type that does not exist, properties as an array."""
    schemas = {id(tool.parameters) for tool in subject.view.ask.tools or () if isinstance(tool.parameters, dict)}
    for node in subject.nodes:
        if isinstance(node.value, dict) and (id(node.value) in schemas or node.key in ("inputSchema", "outputSchema")):
            for keyword, broken in _BROKEN.items():
                if keyword in node.value:
                    made = partial(node.put, {**node.value, keyword: broken})
                    yield Fault(node.tree.side, f"{node.place}/{keyword}", f"{node.pattern}/{keyword}", made)


@operator("array-schema")
def array_schema(subject: Subject) -> Iterator[Fault]:
    """The schema of a tool has the type array instead of object."""
    schemas = {id(tool.parameters) for tool in subject.view.ask.tools or () if isinstance(tool.parameters, dict)}
    for node in subject.nodes:
        if isinstance(node.value, dict) and (id(node.value) in schemas or node.key == "inputSchema"):
            made = partial(node.put, {"type": "array", "items": node.value})
            yield Fault(node.tree.side, node.place, node.pattern, made)
