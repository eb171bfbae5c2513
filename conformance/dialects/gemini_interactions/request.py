"""Requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.gemini_interactions.steps import kind_of, read_content, read_step, role_of
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Part, Role, Text, ToolDefinition, Turn
from conformance.model.values import get, list_of, text_of

_MODES = {"auto": "auto", "validated": "auto", "none": "none", "any": "required"}
_CHOICE = "/generation_config/tool_choice"


def read_request(body: Any) -> Ask:
    """The neutral request; empty if the body is not an object.

    `system_instruction` is in `extra` and not a turn: it applies to one interaction, and the server does not keep it.
    """
    if not isinstance(body, dict):
        return Ask()
    previous = text_of(body.get("previous_interaction_id")) or None
    tools = body.get("tools")
    declared = {text_of(get(each, "name")) for each in list_of(tools)}
    loaded = tuple({tool.name: tool for tool in _loaded(body.get("input")) if tool.name not in declared}.values())
    return Ask(
        model=text_of(body.get("model")),
        tools=(*read_tools(tools, kept=previous is not None), *loaded) if isinstance(tools, list) else loaded or None,
        choice=read_choice(get(body, "generation_config", "tool_choice")),
        history=tuple(_turns(body.get("input"))),
        stream=body.get("stream") is True,
        partial=previous is not None,
        continues=previous if body.get("continuation_token") is None else None,  # it goes on with that reply itself
        continues_at="/previous_interaction_id",
        json_reply=_wants_json(body),
        resumable=isinstance(body.get("input"), list) and not loaded,
        extra={"system_instruction": body.get("system_instruction")},
    )


def _wants_json(body: dict[str, Any]) -> bool:
    form = body.get("response_format")
    kinds = [get(each, "mime_type") for each in ([form] if isinstance(form, dict) else list_of(form))]
    return "application/json" in [*kinds, body.get("response_mime_type")]


def read_tools(tools: list[Any], at: str = "/tools", *, kept: bool = False) -> Iterator[ToolDefinition]:
    """The declared functions, among them the client's search for tools; a tool that Google runs has no name.

    With `kept`, earlier turns are with the server, and functions that the client has found in them.
    """
    for number, tool in enumerate(tools):
        searches = kind_of(tool) == "tool_search" and get(tool, "execution") == "client"
        own = kind_of(tool) in ("function", "") or searches
        yield ToolDefinition(
            name=text_of(get(tool, "name")) or ("tool_search" if searches else None) if own else None,
            description=text_of(get(tool, "description")),
            parameters=get(tool, "parameters") if own else None,
            kind="toolset" if searches and kept else kind_of(tool) or "function",
            pointer=join(at, number),
        )


def _loaded(given: Any) -> Iterator[ToolDefinition]:
    """The functions that the client's search has found: it returns them as results."""
    for number, step in enumerate(list_of(given)):
        if kind_of(step) == "function_result":
            found = [each if kind_of(each) == "function" else None for each in list_of(get(step, "result"))]
            definitions = read_tools(found, join("/input", number, "result"))
            yield from (tool for each, tool in zip(found, definitions, strict=True) if each is not None)


def read_choice(choice: Any) -> Choice | None:
    """The tool choice: a mode, or a mode for some of the functions."""
    allowed = get(choice, "allowed_tools")
    names = tuple(filter(None, map(text_of, list_of(get(allowed, "tools")))))
    mode = _MODES.get(text_of(choice) or text_of(get(allowed, "mode")) or ("auto" if allowed else ""))
    if mode == "required" and names:
        return Choice("named", names, _CHOICE)
    return Choice(mode, (), _CHOICE) if mode in ("auto", "none", "required") else None  # type: ignore[arg-type]


def turns_from(body: Any, start: int) -> tuple[Turn, ...] | None:
    """The turns from a step on that begins one; None where a result answers a call before it."""
    steps = body["input"][start:]
    return None if any(role_of(step) == "tool" for step in steps[:1]) else tuple(_turns(steps, start))


def _turns(given: Any, start: int = 0) -> Iterator[Turn]:
    """A text, one piece of content, an array of content, or steps.

    Steps of the model in a row are one turn, results in a row another; a result joins those of the turn after its call.
    """
    if isinstance(given, str):
        yield Turn("user", (Text(given, "/input"),), "/input")
    elif isinstance(given, dict):
        at = "/input"
        yield Turn("user", tuple(replace(part, pointer=at) for part in read_content([given], at)), at)
    elif given and not any(_is_step(each) for each in list_of(given)):
        yield Turn("user", tuple(read_content(given, "/input")), "/input")
    else:
        yield from _of_steps(list_of(given), start)


def _is_step(each: Any) -> bool:
    kind = kind_of(each)
    return kind in ("user_input", "model_output", "thought") or kind.endswith(("_call", "_result"))


def _of_steps(steps: list[Any], start: int) -> Iterator[Turn]:
    turns: list[tuple[Role, str, list[Part]]] = []
    for number, step in enumerate(steps, start):
        at, role = join("/input", number), role_of(step)
        if not turns or turns[-1][0] != role:
            turns.append((role, at, []))
        turns[-1][2].extend(read_step(step, at))
    for role, at, parts in turns:
        yield Turn(role, tuple(parts), at)
