"""Converse requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.bedrock_converse.blocks import read_content
from conformance.dialects.bedrock_converse.claims import named_in
from conformance.model.exchange import Request
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Role, ToolDefinition, Turn, merged
from conformance.model.values import get, list_of, text_of

_ROLES: dict[str | None, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; the path has the model, and whether to stream."""
    model, stream = named_in(request)
    tools = get(body, "toolConfig", "tools")
    return Ask(
        model=model,
        tools=tuple(read_tools(tools)) if isinstance(tools, list) else None,
        choice=read_choice(get(body, "toolConfig", "toolChoice")),
        history=(*_system(body), *turns_from(body, 0)),
        stream=stream,
        json_reply=get(body, "outputConfig", "textFormat") is not None,
    )


def read_tools(tools: list[Any], at: str = "/toolConfig/tools") -> Iterator[ToolDefinition]:
    """The declared tools; a cache point is none."""
    for number, tool in enumerate(tools):
        kind = next((each for each in ("toolSpec", "systemTool") if isinstance(get(tool, each), dict)), "")
        spec = get(tool, kind) if kind else None
        if spec is not None:
            yield ToolDefinition(
                name=text_of(spec.get("name")),
                description=text_of(spec.get("description")),
                parameters=get(spec, "inputSchema", "json"),
                strict=spec.get("strict") is True,
                kind="function" if kind == "toolSpec" else "server",
                pointer=join(at, number),
            )
        elif get(tool, "cachePoint") is None:
            yield ToolDefinition(None, pointer=join(at, number))


def read_choice(choice: Any) -> Choice | None:
    """`toolChoice` in its documented forms; None if it is absent or unknown. There is none that forbids calls."""
    at = "/toolConfig/toolChoice"
    name = text_of(get(choice, "tool", "name"))
    if name is not None:
        return Choice("named", (name,), at)
    if get(choice, "any") is not None:
        return Choice("required", pointer=at)
    return Choice("auto", pointer=at) if get(choice, "auto") is not None else None


def turns_from(body: Any, start: int) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(merged(_turns(list_of(get(body, "messages")), start)))


def _system(body: Any) -> Iterator[Turn]:
    system = get(body, "system")
    if system is not None:
        yield Turn("system", tuple(read_content(system, "/system", of_model=False)), "/system")


def _turns(messages: list[Any], start: int) -> Iterator[Turn]:
    for number in range(start, len(messages)):
        message, at = messages[number], join("/messages", number)
        if isinstance(message, dict):
            role = _ROLES.get(text_of(message.get("role")), "unknown")
            content = read_content(message.get("content"), join(at, "content"), of_model=role == "assistant")
            yield Turn(role, tuple(content), at)
