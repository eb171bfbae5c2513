"""The functions and tools that a prompt offers.

Functions are JSON objects in the system message or the first user message: in the form of Chat's tools, or with
`param_type` for each parameter. Built-in tools are names on the `Tools:` line beside `Environment: ipython`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from conformance.dialects.llama3.frame import head_of, read_frame
from conformance.dialects.llama3.names import Asked
from conformance.dialects.llama3.tokens import CODE, HEADER
from conformance.dialects.text.definitions import Found, find_definitions, inner_of
from conformance.dialects.wire_readers import tool_of
from conformance.model.frozen import dataclass
from conformance.model.transcript import ToolDefinition

AT, CHAT_AT = "/prompt", "/messages"
QUESTION = "Question: "

_ENVIRONMENT = re.compile(r"^[ \t]*Environment:[ \t]*ipython[ \t]*(?=$|<\|)", re.MULTILINE)
_TOOLS = re.compile(r"^[ \t]*Tools:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_TYPES = {"dict": "object", "int": "integer", "float": "number", "double": "number", "str": "string", "list": "array"}
_TYPES |= {"bool": "boolean"}
_QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools of a prompt, and their form.

    `built_in` is None if there is no `Tools:` line. `broken` are the beginnings of definitions that are not JSON,
    `bare` the names of incomplete ones. `words` is the user's text after the definitions.
    """

    ipython: bool
    built_in: tuple[str, ...] | None
    functions: tuple[ToolDefinition, ...]
    custom: bool
    broken: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    words: str = ""
    at: str = AT

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """All callable tools. Python is one if the prompt has an environment to run it."""
        built_in = self.built_in or () if self.ipython else ()
        named = tuple(ToolDefinition(name, None, _QUERY, pointer=self.at) for name in built_in)
        code = (ToolDefinition(CODE, kind="custom", pointer=self.at),) if self.ipython else ()
        return (*named, *self.functions, *code)


def form_of(prompt: str) -> Asked | None:
    """The dialect of a prompt: `builtin`, `custom` or `json`; None if it is not a Llama prompt."""
    if HEADER not in prompt:
        return None
    head = head_of(prompt)
    if "<function=" in head and "</function>" in head:
        return "custom"
    if _ENVIRONMENT.search(head) and (_TOOLS.search(head) or "{" not in head):
        return "builtin"
    return "json"


def offer_of(prompt: str) -> Offer:
    """The tools of the prompt."""
    messages = read_frame(prompt).messages
    system = "\n".join(message.body for message in messages if message.role == "system")
    return offer_in(system, next((message.body for message in messages if message.role == "user"), ""))


@lru_cache(maxsize=64)
def offer_in(system: str, user: str, at: str = AT) -> Offer:
    """The tools of a system text and of the user's first; `at` is their place."""
    in_system = find_definitions(system)
    # They are in one place; what looks like one in the other is text.
    in_user = Found(()) if in_system.values else find_definitions(user)
    tools = _TOOLS.search(system)
    names = tuple(name for name in re.split(r"[\s,]+", tools[1]) if name) if tools else None
    return Offer(
        ipython=_ENVIRONMENT.search(system) is not None,
        built_in=names,
        functions=tuple(_definition(each, at) for each in (*in_system.values, *in_user.values)),
        custom="<function=" in system or "<function=" in user,
        broken=(*in_system.broken, *in_user.broken),
        bare=tuple(name for each in (*in_system.values, *in_user.values) if (name := _lacking(each))),
        words=_words(user, in_user.end),
        at=at,
    )


def _words(user: str, end: int) -> str:
    """The user's text: all of it, or the part after the definitions."""
    if not end:
        return user
    rest = user[end:].lstrip("\n ,]")
    return rest.removeprefix(QUESTION) if rest else user


def without_definitions(system: str) -> str:
    """The system message's text without the definitions in it, which are tools."""
    found = find_definitions(system)
    return system[: found.start] + system[found.end :]


def _lacking(value: dict[str, Any]) -> str | None:
    """The name of a definition without a description or without parameters."""
    inner = inner_of(value)
    complete = isinstance(inner.get("description"), str) and isinstance(inner.get("parameters"), dict)
    return None if complete else str(inner.get("name"))


def _definition(value: dict[str, Any], at: str) -> ToolDefinition:
    inner = inner_of(value)
    return tool_of({**inner, "parameters": schema_of(inner.get("parameters"))}, at, strict=False)


def schema_of(parameters: Any) -> Any:
    """The parameters as JSON Schema, converted from `param_type` tables and Python's type names."""
    if not isinstance(parameters, dict):
        return parameters
    table = {name: each for name, each in parameters.items() if isinstance(each, dict) and "param_type" in each}
    if not table or len(table) < len(parameters):
        return _renamed(parameters)
    properties = {}
    for name, each in table.items():
        rest = {key: value for key, value in each.items() if key not in ("param_type", "required")}
        properties[name] = _renamed({"type": each["param_type"], **rest})
    required = [name for name, each in table.items() if each.get("required") is True]
    return {"type": "object", "properties": properties, "required": required}


def _renamed(schema: Any, depth: int = 0) -> Any:
    if not isinstance(schema, dict) or depth > 20:
        return schema
    return dict(_renamed_members(schema, depth))


def _renamed_members(schema: dict[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for key, value in schema.items():
        if key == "type" and isinstance(value, str):
            yield key, _TYPES.get(value, value)
        elif key == "properties" and isinstance(value, dict):
            yield key, {name: _renamed(each, depth + 1) for name, each in value.items()}
        elif key == "items":
            yield key, _renamed(value, depth + 1)
        else:
            yield key, value
