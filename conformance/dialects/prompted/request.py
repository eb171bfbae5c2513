"""Prompted requests: plain chat whose system turn describes the tools and the tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.prompted.claims import system_texts
from conformance.dialects.prompted.parse import RECORD, parse, read_block, scan
from conformance.dialects.prompted.prompt import LIST_CLOSE, LIST_OPEN
from conformance.dialects.text.definitions import find_definitions
from conformance.dialects.text.raw import is_raw
from conformance.dialects.text.reading import merged, placed, reread
from conformance.dialects.wire_readers import function_in, tool_of
from conformance.model import jsontext
from conformance.model.exchange import Request
from conformance.model.registry import layers_of
from conformance.model.transcript import Ask, Malformed, Part, Text, ToolCall, ToolDefinition, ToolResult, Turn
from conformance.model.values import get, text_of

_LIST = re.compile(rf"{LIST_OPEN}\s*(.*?)\s*{LIST_CLOSE}", re.DOTALL)
_OPENED = re.compile(
    r"\s*<([a-z_]{0,30}(?:result|response|output|observation)[a-z_]{0,30})((?:\s+[a-z_]{1,30}=\"[^\"<>]*\")*)\s*>"
)
"""The begin of a result in the tags of another prompt than the one that has records."""
_NAMED = re.compile(r"<(?:tool_)?name>([^<]*)</")
_NAMED_IN_TAG = re.compile(r'\sname="([^"]*)"')
_NAMES = re.compile(r'"name"\s*:\s*"([^"\\]+)"|\bfunction ([\w.-]+)\(|<tool name="([^"]+)"|<name>([^<]+)</name>')


def listed(text: str) -> tuple[str | None, Any]:
    """The tool list of a system text, and its JSON value; None if there is no such list.

    It may be an array, an object on each line, XML or prose; `Malformed` only means that it is not JSON.
    """
    found = _LIST.search(text)
    if found is None and (LIST_OPEN in text or LIST_CLOSE in text):
        return "", Malformed("", "the tags of the list are not a pair")
    if found is None:
        return None, None
    value = jsontext.parse(found[1])
    if isinstance(value, dict):
        return found[1], [value]
    lines = [jsontext.parse(line) for line in found[1].splitlines() if line.strip()] if value is not None else []
    return found[1], lines if lines and all(isinstance(each, dict) for each in lines) else value


def read_tools(body: Any) -> tuple[ToolDefinition, ...] | None:
    """The tools that the system turn describes; only the names of those whose description is not JSON."""
    for text, pointer in system_texts(body):
        _, value = listed(text)
        if isinstance(value, list):
            return tuple(_tool(entry, pointer) for entry in value)
        shown = _without_blocks(text)
        tools = [_tool(entry, pointer) for entry in find_definitions(shown).values]
        known = {tool.name for tool in tools}
        names = dict.fromkeys("".join(match) for match in _NAMES.findall(shown))
        tools += [ToolDefinition(name, pointer=pointer) for name in names if name not in known]
        if tools:
            return tuple(tools)
        if (listed(text)[0] or "").strip():
            return (ToolDefinition(None, kind="toolset", pointer=pointer),)  # tools whose names cannot be read
    return None


def _without_blocks(text: str) -> str:
    """The text without its example calls, whose names are not those of tools."""
    return "".join(piece for piece in scan(text) if isinstance(piece, str))


def _tool(entry: Any, pointer: str) -> ToolDefinition:
    inner = function_in(entry)
    schema = next((key for key in ("parameters", "inputSchema", "input_schema") if get(inner, key) is not None), "")
    return tool_of(inner, pointer, schema=schema, strict=False)


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request: the host's, with the tools, calls and results that are in its text."""
    ask = layers_of("prompted", request)[0].readers.read_request(request, body)
    if is_raw(body):  # how such a prompt separates its turns is nowhere defined
        return replace(ask, tools=read_tools(body), partial=True)
    return replace(ask, tools=read_tools(body), history=tuple(_turns(ask.history)))


def _turns(history: tuple[Turn, ...]) -> Iterator[Turn]:
    """The host's turns with their text read; consecutive user turns with records are one turn of results."""
    read: list[Turn] = []
    open_results: list[Part] = []
    for turn in history:
        parts = tuple(_parts(turn)) if turn.role == "user" else ()
        if any(isinstance(part, ToolResult) for part in parts):
            if not open_results:
                read.append(Turn("tool", (), turn.pointer))
                _call_again(read, turn)
            open_results.extend(parts)
            read[-1] = replace(read[-1], parts=tuple(open_results))
            continue
        bare = turn.role == "user" and not open_results and bool(read and read[-1].calls) and turn.text.strip()
        open_results = []
        if bare:
            read.append(Turn("tool", tuple(placed(_results_in(bare), turn.parts[0].pointer)), turn.pointer))
        elif turn.role == "assistant":
            read.extend(_split(reread(turn, parse)))
        else:
            read.append(turn)
    yield from read


def _parts(turn: Turn) -> Iterator[Part]:
    """The parts of a user's turn: records as results, everything else unchanged."""
    for part in turn.parts:
        if not isinstance(part, Text) or RECORD not in part.text:
            yield part
            continue
        pieces: list[Part] = []
        for piece in scan(part.text):
            record = None if isinstance(piece, str) else read_block(piece).record
            if record is not None:
                pieces.append(_result(record))
            elif (text := piece if isinstance(piece, str) else piece.raw).strip():
                pieces.append(Text(text.strip()))
        yield from placed(merged(pieces), part.pointer)


def _result(record: dict[str, Any]) -> ToolResult:
    return ToolResult(text_of(record.get("id")), text_of(record.get("name")), record.get("response"))


def tagged(text: str) -> list[tuple[str, str | None]] | None:
    """The pairs of tags that a stripped text consists of, each whole with the name in it; None if it has more."""
    found: list[tuple[str, str | None]] = []
    place = 0
    while place < len(text):
        opened = _OPENED.match(text, place)
        end = -1 if opened is None else text.find(f"</{opened[1]}>", opened.end())
        if opened is None or end < 0:
            return None
        start, place = place, end + len(opened[1]) + len("</>")
        name = _NAMED_IN_TAG.search(opened[2])
        found.append((text[start:place].strip(), name[1] if name else _name_in(text[opened.end() : end])))
    return found


def _results_in(text: str) -> list[ToolResult]:
    """The results in a text: one in each pair of tags, by the name in it, or the text as one."""
    return [ToolResult(None, name, whole) for whole, name in tagged(text) or [(text, None)]]


def _name_in(text: str) -> str | None:
    value = jsontext.parse(text)
    if isinstance(value, dict):
        return text_of(value.get("name"))
    found = _NAMED.search(text)
    return found and found[1].strip()


def _call_again(read: list[Turn], results: Turn) -> None:
    """If the model's turn before the results has no call, the records are read as the calls too.

    DeepChat sends only the record, and leaves the call out of the model's turn.
    """
    before = read[-2] if len(read) > 1 else None
    if before is None or before.role != "assistant" or before.calls:
        return
    calls: list[Part] = []
    for part in results.parts:
        for piece in scan(part.text) if isinstance(part, Text) else ():
            record = None if isinstance(piece, str) else read_block(piece).record
            if record is not None:
                calls.append(ToolCall(None, text_of(record.get("name")), record.get("arguments"), part.pointer))
    read[-2] = replace(before, parts=(*before.parts, *calls))


def _split(turn: Turn) -> list[Turn]:
    """Splits a model's turn that continues after its calls: the later text is a turn after their results."""
    last = max((number for number, part in enumerate(turn.parts) if isinstance(part, ToolCall)), default=None)
    if last is None or turn.role != "assistant":
        return [turn]
    rest = [part for part in turn.parts[last + 1 :] if isinstance(part, Text)]
    if not rest:
        return [turn]
    result = ToolResult(None, None, rest[0].text, pointer=rest[0].pointer)
    return [replace(turn, parts=turn.parts[: last + 1]), Turn("tool", (result,), turn.pointer)]
