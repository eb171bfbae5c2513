"""Converse requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.bedrock_converse.blocks import read_content
from conformance.dialects.bedrock_converse.claims import named_in
from conformance.dialects.wire_readers import speaker_of, tool_of, turns_of
from conformance.model.exchange import Request
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, ToolDefinition, Turn, merged
from conformance.model.values import get, text_of


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; the path has the model, and whether to stream."""
    model, stream = named_in(request)
    tools = get(body, "toolConfig", "tools")
    return Ask(
        model=model,
        tools=tuple(read_tools(tools)) if isinstance(tools, list) else None,
        choice=read_choice(get(body, "toolConfig", "toolChoice")),
        history=(*_system(body), *turns_from(body)),
        stream=stream,
        json_reply=get(body, "outputConfig", "textFormat") is not None,
        stored=":prompt/" in (model or ""),
    )


def read_tools(tools: list[Any], at: str = "/toolConfig/tools") -> Iterator[ToolDefinition]:
    """The declared tools; a cache point is none."""
    for number, tool in enumerate(tools):
        kind = next((each for each in ("toolSpec", "systemTool") if isinstance(get(tool, each), dict)), "")
        spec = get(tool, kind) if kind else None
        if spec is not None:
            given = {**spec, "parameters": get(spec, "inputSchema", "json")}
            yield tool_of(given, join(at, number), kind="function" if kind == "toolSpec" else "server")
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


def turns_from(body: Any, start: int = 0) -> tuple[Turn, ...]:
    """The turns from a message on that begins one."""
    return tuple(merged(turns_of(body, start, _parts, role=speaker_of)))


def _parts(message: dict[str, Any], pointer: str) -> Iterator[Part]:
    of_model = message.get("role") == "assistant"
    return read_content(message.get("content"), join(pointer, "content"), of_model=of_model)


def _system(body: Any) -> Iterator[Turn]:
    system = get(body, "system")
    if system is not None:
        yield Turn("system", tuple(read_content(system, "/system", of_model=False)), "/system")
