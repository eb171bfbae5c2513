"""Responses requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from conformance.dialects.openai_responses.items import list_of, read_item, side, text_of, type_of
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, Role, Text, ToolCall, ToolDefinition, ToolResult, Turn


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object.

    `instructions` are in `extra` and not a turn: they apply to one request, and agents change them between
    requests of the same conversation.
    """
    if not isinstance(body, dict):
        return Ask()
    parallel = body.get("parallel_tool_calls")
    previous = text_of(body.get("previous_response_id")) or None
    kept = previous is not None or bool(body.get("conversation"))
    items = body.get("input")
    referring = any(type_of(item) == "item_reference" for item in list_of(items))
    return Ask(
        model=text_of(body.get("model")),
        tools=_tools(body),
        choice=read_choice(body.get("tool_choice")),
        parallel=parallel if isinstance(parallel, bool) else None,
        history=tuple(read_turns(items, kept=kept or referring)),
        stream=body.get("stream") is True,
        partial=kept or referring,
        continues=previous,
        continues_at="/previous_response_id",
        json_reply=_wants_json(body.get("text")),
        extra={"instructions": body.get("instructions")},
    )


def _wants_json(text: Any) -> bool:
    form = text.get("format") if isinstance(text, dict) else None
    return type_of(form) in ("json_object", "json_schema")


def _tools(body: dict[str, Any]) -> tuple[ToolDefinition, ...] | None:
    """The declared tools; those in items of the input count too."""
    found = list(_definitions(body.get("tools"), "/tools"))
    for number, item in enumerate(list_of(body.get("input"))):
        if type_of(item) in ("additional_tools", "tool_search_output"):
            names = {tool.name for tool in found}
            loaded = _definitions(item.get("tools"), join("/input", number, "tools"))
            found.extend(tool for tool in loaded if tool.name not in names)
    return tuple(found) if found or isinstance(body.get("tools"), list) else None


def _definitions(tools: Any, pointer: str) -> Iterator[ToolDefinition]:
    for number, tool in enumerate(list_of(tools)):
        at = join(pointer, number)
        if isinstance(tool, dict) and tool.get("type") == "namespace":
            yield from _definitions(tool.get("tools"), join(at, "tools"))
        else:
            yield _definition(tool, at)


def _definition(tool: Any, pointer: str) -> ToolDefinition:
    """A client tool; a hosted tool has no name.

    Of Chat's nested form, only the name is read: the server reads nothing else there either.
    """
    if not isinstance(tool, dict):
        return ToolDefinition(None, pointer=pointer)
    kind = text_of(tool.get("type")) or "function"
    nested = tool.get(kind)
    name = tool.get("name", nested.get("name") if isinstance(nested, dict) else None)
    return ToolDefinition(
        name=text_of(name) if kind in ("function", "custom") else None,
        description=text_of(tool.get("description")),
        parameters=tool.get("parameters"),
        strict=tool.get("strict") is True,
        kind=kind,
        pointer=pointer,
    )


def read_choice(choice: Any) -> Choice | None:
    """`tool_choice` in any of its forms; None if it is absent, unknown, or names a hosted tool."""
    at = "/tool_choice"
    if choice in ("auto", "none", "required"):
        return Choice(choice, pointer=at)
    if not isinstance(choice, dict):
        return None
    kind = choice.get("type")
    if kind == "allowed_tools":
        named = [text_of(tool.get("name")) for tool in list_of(choice.get("tools")) if isinstance(tool, dict)]
        mode: Literal["required", "auto"] = "required" if choice.get("mode") == "required" else "auto"
        if len(named) != len(list_of(choice.get("tools"))) or None in named:
            return Choice(mode, (), at)
        return Choice(mode, tuple(name for name in named if name), at)
    name = text_of(choice.get("name"))
    return Choice("named", (name,), at) if kind in ("function", "custom") and name else None


@dataclass
class _Turn:
    role: Role
    pointer: str
    parts: list[Part] = field(default_factory=list)


def read_turns(items: Any, *, kept: bool) -> Iterable[Turn]:
    """The input as turns: consecutive items of the model are one turn, consecutive outputs another.

    The server finds the call of an output by its id at any place, so a late output joins the turn after its
    call. With `kept`, an output without a call here answers a call that the server stored, so it comes first.
    """
    if isinstance(items, str):
        return (Turn("user", (Text(items, "/input"),), "/input"),)
    turns: list[_Turn] = []
    asked: dict[str, tuple[_Turn, str]] = {}
    for number, item in enumerate(list_of(items)):
        if type_of(item) == "additional_tools":
            continue
        pointer = join("/input", number)
        role, parts = side(item), list(read_item(item, pointer))
        if role == "tool":
            _answer(turns, asked, parts, pointer, kept=kept)
            continue
        if role != "assistant" or not turns or turns[-1].role != "assistant":
            turns.append(_Turn(role, pointer))
        turns[-1].parts.extend(parts)
        asked.update({part.id: (turns[-1], part.kind) for part in parts if isinstance(part, ToolCall) and part.id})
    return tuple(Turn(turn.role, tuple(turn.parts), turn.pointer) for turn in turns)


def _answer(
    turns: list[_Turn], asked: dict[str, tuple[_Turn, str]], parts: list[Part], pointer: str, *, kept: bool
) -> None:
    """Puts an output into the turn after its call, else at its own place."""
    result = next((part for part in parts if isinstance(part, ToolResult)), None)
    caller, kind = asked.get((result and result.call_id) or "", (None, ""))
    if caller is not None:
        at = next(index for index, turn in enumerate(turns) if turn is caller) + 1
        # A function's output may answer a hosted tool that the client runs.
        parts = [replace(part, kind=kind) if isinstance(part, ToolResult) else part for part in parts]
    elif kept:
        at = 0
    else:
        at = len(turns) - 1 if turns and turns[-1].role == "tool" else len(turns)
    if at == len(turns) or turns[at].role != "tool":
        turns.insert(at, _Turn("tool", pointer))
    turns[at].parts.extend(parts)
