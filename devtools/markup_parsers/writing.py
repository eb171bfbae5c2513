"""Writes calls in a markup, as its published template writes them: from the patterns by which we read it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from conformance.dialects.text.markup.grammar import rows

Called = tuple[str, Mapping[str, Any]]
"""The name and the arguments of a call."""

_HEADER = "<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>"
ROLE_HEADER = " to=functions.{name}<|channel|>commentary json<|message|>"
"""The header that the template writes, with the recipient before the channel; the documents have both."""


def written(markup: str, calls: Sequence[Called]) -> str:
    """The calls of one turn."""
    row = rows()[markup]
    joined: str = row.get("joined", "")
    each = [_call(row, number, *call) for number, call in enumerate(calls)]
    if "section" not in row:
        text = joined.join(each)
        return text.removeprefix("<|start|>assistant") if "messages" in row else text
    middle: str = f"{row['separator']} ".join(each) if "separator" in row else joined.join(each)
    around = row["section"]
    at = around.index("{calls}")
    return joined.join(["".join(around[:at]), middle, "".join(around[at + 1 :])])


def _call(row: Mapping[str, Any], number: int, name: str, arguments: Mapping[str, Any]) -> str:
    identity = {"id": f"call{number:05}"} if "separator" in row and row["section"][0] == "[TOOL_CALLS]" else {}
    slots = {
        "name": name,
        "kind": "function",
        "id": f"functions.{name}:{number}",
        "arguments": json.dumps(arguments, ensure_ascii=False),
        "object": json.dumps({"name": name, "arguments": arguments, **identity}, ensure_ascii=False),
    }
    made: list[str] = []
    for item in (each if isinstance(each, str) else each[0] for each in row["call"]):
        if item == "{parameters}":
            made += (_parameter(row, *each) for each in arguments.items())
        elif item != "{option}":
            made.append(_filled(item, slots))
    joined: str = row.get("joined", "")
    return (_HEADER.format(name=name) if "messages" in row else "") + joined.join(made)


def _parameter(row: Mapping[str, Any], key: str, value: Any) -> str:
    string = isinstance(value, str)
    words = {json.dumps(word): text for text, word in row.get("words", {}).items()}
    literal = value if string else json.dumps(value, ensure_ascii=False)
    slots = {"key": key, "value": literal if string else words.get(literal, literal), "string": str(string).lower()}
    joined: str = "" if any("{value}\n" in item for item in row["parameter"]) else row.get("joined", "")
    return joined.join(_filled(item, slots) for item in row["parameter"])


def _filled(item: str, slots: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: slots[slot[1]], item)


def schemas(calls: Iterable[Called]) -> dict[str, Any]:
    """The schemas of tools that accept the calls, by the tools' names."""
    found: dict[str, Any] = {}
    for name, arguments in calls:
        properties = found.setdefault(name, {"type": "object", "properties": {}})["properties"]
        properties |= {key: _schema(value) for key, value in arguments.items()}
    return found


def _schema(value: Any) -> dict[str, Any]:
    return {"type": "array", "items": {}} if isinstance(value, list) else {"type": _type(value)}


def _type(value: Any) -> str:
    if value is None or isinstance(value, (bool, str)):
        return {bool: "boolean", str: "string"}.get(type(value), "null")
    return {int: "integer", float: "number"}.get(type(value), "object")
