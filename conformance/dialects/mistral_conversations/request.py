"""Requests: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from conformance.dialects.mistral_conversations.claims import continued
from conformance.dialects.mistral_conversations.entries import read_entry, role_of
from conformance.model.exchange import Request
from conformance.model.pointer import join
from conformance.model.transcript import Ask, Choice, Text, ToolDefinition, Turn
from conformance.model.values import get, list_of, text_of

_CHOICES = {"auto": "auto", "none": "none", "any": "required", "required": "required"}
_CHOICE = "/completion_args/tool_choice"
_KEPT = (ToolDefinition(None, kind="toolset"),)
"""The tools of a conversation, or of an agent, which the server keeps: no request has their names."""


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request; empty if the body is not an object."""
    if not isinstance(body, dict):
        return Ask()
    known = continued(request.path)
    tools = body.get("tools")
    given = tuple(_tools(tools)) if isinstance(tools, list) else None
    kept = known is not None and given is None
    mode = _CHOICES.get(text_of(get(body, "completion_args", "tool_choice")) or "")
    return Ask(
        model=text_of(body.get("model")),
        tools=(*(given or ()), *_KEPT) if kept or body.get("agent_id") is not None else given,
        choice=Choice(mode, (), _CHOICE) if mode is not None else None,  # type: ignore[arg-type]
        history=tuple(_turns(body)),
        stream=body.get("stream") is True,
        partial=known is not None,
        continues=known,
        json_reply=get(body, "completion_args", "response_format", "type") in ("json_object", "json_schema"),
        resumable=known is None and isinstance(body.get("inputs"), list),
    )


def _tools(tools: list[Any]) -> Iterator[ToolDefinition]:
    """The declared functions; a tool that the server runs is named by its type."""
    for number, tool in enumerate(tools):
        kind, given, at = text_of(get(tool, "type")) or "function", get(tool, "function"), join("/tools", number)
        name, about = text_of(get(given, "name")), text_of(get(given, "description"))
        yield ToolDefinition(name, about, get(given, "parameters"), get(given, "strict") is True, kind, at)


def turns_from(body: Any, start: int) -> tuple[Turn, ...] | None:
    """The turns from an entry on that begins one; None where a result answers a call before it."""
    entries = body["inputs"][start:]
    return None if any(role_of(entry) == "tool" for entry in entries[:1]) else tuple(_of_entries(entries, start))


def _turns(body: dict[str, Any]) -> Iterator[Turn]:
    instructions, given = text_of(body.get("instructions")), body.get("inputs")
    if instructions:
        yield Turn("system", (Text(instructions, "/instructions"),), "/instructions")
    if isinstance(given, str):
        yield Turn("user", (Text(given, "/inputs"),), "/inputs")
    else:
        yield from _of_entries(list_of(given), 0)


def _of_entries(entries: list[Any], start: int) -> Iterator[Turn]:
    """Entries of the model in a row are one turn, results in a row another."""
    numbered = ((role_of(entry), join("/inputs", number), entry) for number, entry in enumerate(entries, start))
    for role, group in groupby(numbered, key=lambda each: each[0]):
        members = list(group)
        parts = tuple(part for _, at, entry in members for part in read_entry(entry, at))
        yield Turn(role, parts, members[0][1])
