"""The messages of a prompted conversation: tools described in the system turn, results as records in user turns.

A record repeats the call and adds the tool's result, so that it needs no id.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from conformance.dialects.prompted.parse import RECORD
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.scan import shielded
from conformance.judge.pairing import pair
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Malformed, Text, ToolCall, ToolDefinition, ToolResult, Turn

LIST_OPEN, LIST_CLOSE = "<tool_list>", "</tool_list>"
_INSTRUCTIONS = """\
These tools can be called, one JSON description of each:
{list}

To call a tool, answer with nothing but a block of this form, and one block for each call, in order:
{open}
{{"function_call": {{"name": "the tool's name", "arguments": {{"parameter": "value"}}}}}}
{close}
Name only tools of the list, give every required argument, and write valid JSON. No text stands before, between or \
after the blocks.
What a tool returned comes back to you in a block that holds a `{record}`. Never write such a block yourself.\
"""


def messages(system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn]) -> list[dict[str, Any]]:
    """The whole conversation as messages of a plain chat."""
    instructed = "\n\n".join(filter(None, (system, instructions(tools) if tools else "")))
    found: list[dict[str, Any]] = [{"role": "system", "content": instructed}] if instructed else []
    calls: tuple[ToolCall, ...] = ()
    for turn in history:
        if turn.results:
            found.append(results(_named(calls, turn.results)))
        else:
            found.append({"role": turn.role, "content": spoken(turn)})
        calls = turn.calls
    return found


def instructions(tools: Iterable[ToolDefinition]) -> str:
    """The text of the system turn about the tools and the form of a call."""
    lines = ",\n".join(json.dumps(_described(tool), ensure_ascii=False) for tool in tools)
    listed = f"{LIST_OPEN}\n[{shielded(lines, (OPEN, CLOSE, LIST_CLOSE))}]\n{LIST_CLOSE}"
    return _INSTRUCTIONS.format(list=listed, open=OPEN, close=CLOSE, record=RECORD)


def _described(tool: ToolDefinition) -> dict[str, Any]:
    shape = {"type": "object", "properties": {}} if tool.parameters is None else tool.parameters
    return {"name": tool.name, "description": tool.description or "", "parameters": shape}


def spoken(turn: Turn) -> str:
    """A turn of the model as text: its text, then a block for each call. A truncated call has no end."""
    texts = [part.text for part in turn.parts if isinstance(part, Text)]
    return "\n".join([*texts, *map(_block, turn.calls)])


def _block(call: ToolCall) -> str:
    name = json.dumps(call.name, ensure_ascii=False)
    given = f'"id": {json.dumps(call.id)}, ' if call.id else ""
    begun = f'{{"function_call": {{{given}"name": {name}, "arguments": '
    text = shielded(begun + argument_text(call), (OPEN, CLOSE))
    return f"{OPEN}\n{text}" if isinstance(call.arguments, Malformed) else f"{OPEN}\n{text}}}}}\n{CLOSE}"


def results(answered: Iterable[tuple[ToolCall, Any]]) -> dict[str, Any]:
    """One user turn with the result of each call, a JSON value or a text, in the order of the calls."""
    return {"role": "user", "content": "\n".join(_record(call, value) for call, value in answered)}


def _record(call: ToolCall, response: Any) -> str:
    record = {RECORD: {"name": call.name, "arguments": "?", "response": response}}
    if call.id:
        record[RECORD]["id"] = call.id
    text = json.dumps(record, ensure_ascii=False).replace('"arguments": "?"', f'"arguments": {argument_text(call)}', 1)
    return f"{OPEN}{shielded(text, (OPEN, CLOSE))}{CLOSE}"


def _named(calls: Sequence[ToolCall], given: Sequence[ToolResult]) -> Iterator[tuple[ToolCall, Any]]:
    pairs = {id(result): call for call, result in pair(calls, given).pairs}
    for result in given:
        yield pairs.get(id(result), ToolCall(result.call_id, result.name, {})), result.content
