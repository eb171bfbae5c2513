"""Responses requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, Literal

from conformance.dialects.openai_responses.items import read_item, side, type_of
from conformance.dialects.wire_readers import tool_of
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, Role, Text, ToolCall, ToolDefinition, ToolResult, Turn
from conformance.model.values import get, list_of, text_of

_ELSEWHERE = ("additional_tools", "tool_search_output", "item_reference")
"""Types of items that describe the whole request: which tools there are, that the server keeps some."""


def prepares(body: Any) -> bool:
    """Whether a request wants no output, but prepares that of a later one."""
    if not isinstance(body, dict):
        return False
    options = body.get("prompt_cache_options")
    return body.get("generate") is False or (isinstance(options, dict) and options.get("prewarm") is True)


def read_request(body: Any, *, streams: bool = False) -> Ask:
    """The neutral request; empty if the body is not an object. With `streams`, the transport always does.

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
    reader = _Reader(kept=kept or referring)
    return Ask(
        model=text_of(body.get("model")),
        tools=_tools(body),
        choice=read_choice(body.get("tool_choice")),
        parallel=parallel if isinstance(parallel, bool) else None,
        history=reader.read(items),
        stream=streams or body.get("stream") is True,
        partial=kept or referring,
        continues=previous,
        continues_at="/previous_response_id",
        json_reply=_wants_json(body.get("text")),
        resumable=reader.in_order and not any(type_of(item) in _ELSEWHERE for item in list_of(items)),
        stored=body.get("prompt") is not None,
        extra={"instructions": body.get("instructions")},
    )


def _wants_json(text: Any) -> bool:
    return type_of(get(text, "format")) in ("json_object", "json_schema")


def _tools(body: dict[str, Any]) -> tuple[ToolDefinition, ...] | None:
    """The declared tools; those in items of the input count too."""
    found = list(_definitions(body.get("tools"), "/tools"))
    for number, item in enumerate(list_of(body.get("input"))):
        if type_of(item) in ("additional_tools", "tool_search_output"):
            names = {(tool.namespace, tool.name) for tool in found}
            loaded = _definitions(item.get("tools"), join("/input", number, "tools"))
            found.extend(tool for tool in loaded if (tool.namespace, tool.name) not in names)
    return tuple(found) if found or isinstance(body.get("tools"), list) else None


def _definitions(tools: Any, pointer: str, namespace: str | None = None) -> Iterator[ToolDefinition]:
    for number, tool in enumerate(list_of(tools)):
        at = join(pointer, number)
        if isinstance(tool, dict) and tool.get("type") == "namespace":
            yield from _definitions(tool.get("tools"), join(at, "tools"), text_of(tool.get("name")))
        else:
            found = _definition(tool, at)
            yield found if namespace is None else replace(found, namespace=namespace)


def _definition(tool: Any, pointer: str) -> ToolDefinition:
    """A client tool; a hosted tool has no name.

    Of Chat's nested form, only the name is read: the server reads nothing else there either.
    """
    if not isinstance(tool, dict):
        return ToolDefinition(None, pointer=pointer)
    kind = text_of(tool.get("type")) or "function"
    nested = tool.get(kind)
    name = tool.get("name", nested.get("name") if isinstance(nested, dict) else None)
    return tool_of({**tool, "name": name if kind in ("function", "custom") else None}, pointer, kind=kind)


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


def turns_from(body: dict[str, Any], start: int) -> tuple[Turn, ...] | None:
    """The turns from an item on that begins one; None where items refer to what comes before it."""
    items = body["input"][start:]
    if any(type_of(item) in _ELSEWHERE for item in items):
        return None
    reader = _Reader(kept=False)
    turns = reader.read(items, start)
    return turns if reader.in_order and not reader.orphaned else None


class _Reader:
    """Reads the input as turns: the model's items in a row are one turn, outputs in a row another.

    The server finds the call of an output by its id wherever it stands, so an output that comes late joins the
    turn after its call. With `kept`, an output whose call is not here answers what the server keeps, so it comes first.
    `in_order` is whether no output went into a turn before the last; `orphaned` whether one had no call here.
    """

    def __init__(self, *, kept: bool) -> None:
        self.in_order = True
        self.orphaned = False
        self._kept = kept
        self._turns: list[_Turn] = []
        self._asked: dict[str, tuple[_Turn, str]] = {}

    def read(self, items: Any, start: int = 0) -> tuple[Turn, ...]:
        """The turns; `start` is the number of the first item."""
        if isinstance(items, str):
            return (Turn("user", (Text(items, "/input"),), "/input"),)
        turns = self._turns
        for number, item in enumerate(list_of(items), start):
            if type_of(item) == "additional_tools":
                continue
            pointer = join("/input", number)
            role, parts = side(item), list(read_item(item, pointer))
            if role == "tool":
                self._answer(parts, pointer)
                continue
            if role != "assistant" or not turns or turns[-1].role != "assistant":
                turns.append(_Turn(role, pointer))
            turns[-1].parts.extend(parts)
            called = (part for part in parts if isinstance(part, ToolCall) and part.id)
            self._asked.update({part.id or "": (turns[-1], part.kind) for part in called})
        return tuple(Turn(turn.role, tuple(turn.parts), turn.pointer) for turn in turns)

    def _answer(self, parts: list[Part], pointer: str) -> None:
        """Puts an output into the turn after its call; by default where it stands."""
        turns, last = self._turns, len(self._turns) - 1
        result = next((part for part in parts if isinstance(part, ToolResult)), None)
        caller, kind = self._asked.get((result and result.call_id) or "", (None, ""))
        if caller is not None:
            at = next(index for index in range(last, -1, -1) if turns[index] is caller) + 1
            # A function's output may answer a tool of the provider's own that the client runs.
            parts = [replace(part, kind=kind) if isinstance(part, ToolResult) else part for part in parts]
        elif self._kept:
            at = 0
        else:
            at = last if turns and turns[-1].role == "tool" else last + 1
        self.orphaned = self.orphaned or caller is None
        if at > last or turns[at].role != "tool":
            turns.insert(at, _Turn("tool", pointer))
        self.in_order = self.in_order and at == len(turns) - 1
        turns[at].parts.extend(parts)
