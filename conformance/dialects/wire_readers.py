"""What the requests and replies of several dialects have in common: wire to neutral."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Malformed, Part, Role, Stop, Text, ToolDefinition, ToolResult, Turn, Unknown
from conformance.model.values import get, list_of, text_of

Message = dict[str, Any]

SPEAKERS: Mapping[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}
ROLES: Mapping[str, Role] = {**SPEAKERS, "tool": "tool"}


def role_of(message: Any, roles: Mapping[str, Role] = ROLES) -> Role:
    """Whose message it is, by the roles of its wire."""
    return roles.get(text_of(get(message, "role")) or "", "unknown")


def speaker_of(message: Any) -> Role:
    """The same where results of tools are in messages of the user."""
    return role_of(message, SPEAKERS)


def turns_of(
    body: Any,
    start: int,
    parts: Callable[[Message, str], Iterable[Part]],
    result: Callable[[Message, str], ToolResult] | None = None,
    role: Callable[[Message], Role] = role_of,
) -> Iterator[Turn]:
    """The messages of a request as turns, from the one with the number `start` on.

    Where each result of a tool is a message of its own, of the role `tool`, those that answer one turn are one turn.
    """
    messages = enumerate(list_of(get(body, "messages"))[start:], start)
    numbered = [(each, f"/messages/{number}") for number, each in messages if isinstance(each, dict)]
    for is_result, group in groupby(numbered, key=lambda each: result is not None and role(each[0]) == "tool"):
        members = list(group)
        if result is not None and is_result:
            yield Turn("tool", tuple(result(message, at) for message, at in members), members[0][1])
        else:
            yield from (Turn(role(message), tuple(parts(message, at)), at) for message, at in members)


def content_of(content: Any, pointer: str, read: Callable[[Any, str], Part]) -> Iterator[Part]:
    """The parts of a message's content: a string, an array of blocks, each as `read` reads it, or nothing."""
    if isinstance(content, str):
        if content:
            yield Text(content, pointer)
    elif isinstance(content, list):
        yield from (read(block, join(pointer, number)) for number, block in enumerate(content))
    elif content is not None:
        yield Unknown(None, content, pointer)


def tools_of(
    tools: Any, read: Callable[[Any, str], ToolDefinition], pointer: str = "/tools"
) -> tuple[ToolDefinition, ...] | None:
    """The declared tools, each as `read` reads it; None if the request has no such array."""
    if not isinstance(tools, list):
        return None
    return tuple(read(tool, join(pointer, number)) for number, tool in enumerate(tools))


def tool_of(
    given: Any, pointer: str, *, schema: str = "parameters", strict: bool | None = None, kind: str = "function"
) -> ToolDefinition:
    """The tool that an object declares by `name`, `description`, its `schema`, and `strict` if that is not given."""
    return ToolDefinition(
        name=text_of(get(given, "name")),
        description=text_of(get(given, "description")),
        parameters=get(given, schema),
        strict=get(given, "strict") is True if strict is None else strict,
        kind=kind,
        pointer=pointer,
    )


def function_in(given: Any) -> Any:
    """The `function` of a definition in the form of Chat, or the definition itself if it has none."""
    nested = get(given, "function")
    return nested if isinstance(nested, dict) else given


def arguments_of(wire: Any) -> Any:
    """The JSON value of a call's arguments text; a value that is not text is kept unchanged."""
    if not isinstance(wire, str):
        return Malformed("", "no arguments") if wire is None else wire
    return jsontext.parse(wire)


def stop_of(reason: Any, stops: Mapping[str, Stop]) -> Stop | None:
    """The neutral stop reason; None for null, `other` for a value that the dialect does not have."""
    return None if reason is None else stops.get(text_of(reason) or "", "other")
