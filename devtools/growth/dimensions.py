"""The dimensions of an exchange that can grow, found in the conforming examples of a dialect."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from conformance.judge.proofs.example import Example, base_names, rendered
from conformance.model.pointer import get, join, without_numbers
from conformance.model.registry import all_dialects

Record = dict[str, Any]
_IDS = ("id", "call_id", "tool_call_id", "tool_use_id", "item_id", "name", "response_id", "toolCallId")
_TEXTS = ("content", "text", "arguments", "prompt", "partial_json", "input", "delta", "output", "instructions")
UNITS = {
    "tool_call open": "<tool_call>",
    "tool_call begun": '<tool_call>{"name":',
    "tool_call": '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>',
    "tool_call closed": "</tool_call>",
    "tool_response": "<tool_response>\n1\n</tool_response>",
    "function_call open": "<function_call>",
    "function_call begun": '<function_call>{"name":',
    "function_call": '<function_call>{"name": "f", "arguments": {}}</function_call>',
    "ReAct step": "Thought: x\nAction: f\nAction Input: {}\nObservation: 1\n",
    "ReAct action": "Action: f\n",
    "ReAct thought": "Thought: ",
    "ReAct input": "Action Input: {",
    "ReWOO step": "Plan: x\n#E1 = f[x]\n",
    "ReWOO variable": "#E1 ",
    "python_tag": "<|python_tag|>",
    "header": "<|start_header_id|>user<|end_header_id|>\n\nx<|eot_id|>",
    "turn": "<|im_start|>user\nx<|im_end|>\n",
    "think open": "<think>",
    "think": "<think>x</think>",
    "function tag": "<function=f>{",
    "brackets": "[",
    "braces": '{"a":',
    "quotes": '"',
    "backslashes": "\\",
    "call text": "f(a=1), ",
    "fence": "```json\n{}\n",
    "spaces": " ",
    "newlines": "\n",
    "letters": "a",
    "pairs": "a=b&",
    "surrogates": "\U0001f600",
    "keys": "sk-",
    "angle": "<",
}
"""Texts that some reader of a dialect looks for, complete and cut off."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """What grows. `records` makes the exchanges, as objects of exchange JSONL, with `n` more of it."""

    name: str
    dialect: str
    records: Callable[[int], list[Record]]


def dimensions(dialect: str) -> Iterator[Dimension]:
    """Every dimension of the dialect's examples; those that differ only in the position of an item count once."""
    seen: set[str] = set()
    for base in base_names(dialect):
        name = f"{dialect}/{base}"
        for kind, make in _of_document(Example(name).document()):
            if kind not in seen:
                seen.add(kind)
                yield Dimension(f"{name}: {kind}", dialect, partial(_records, make))


def all_dimensions() -> Iterator[Dimension]:
    """The dimensions of all dialects."""
    for dialect in all_dialects():
        yield from dimensions(dialect)


def _records(make: _Make, n: int) -> list[Record]:
    return [rendered(record) for record in make(n)]


_Make = Callable[[int], list[Record]]


def _of_document(document: list[Record]) -> Iterator[tuple[str, _Make]]:
    for number in range(len(document)):
        for root in (f"/{number}/request/body", f"/{number}/response/body", f"/{number}/response/events"):
            value = get(document, root)
            side = root.split("/", 2)[2]
            if isinstance(value, (dict, list)):
                for place, inner in _walk(value, root):
                    kind = f"{side} {without_numbers(place[len(root) :])}"
                    yield from _of_value(document, place, inner, kind)
                if isinstance(value, dict) and "jsonrpc" in value:
                    yield f"{side} batch", _batch(document, root)


def _walk(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    yield place, value
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in parts:
        yield from _walk(inner, join(place, key))


def _of_value(document: list[Record], place: str, value: Any, kind: str) -> Iterator[tuple[str, _Make]]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            label = _label(item)
            yield f"{kind} same {label}", _longer(document, place, number, number + 1, named=False)
            yield f"{kind} distinct {label}", _longer(document, place, number, number + 1, named=True)
            if number:
                pair = f"{_label(value[number - 1])}, {label}"
                yield f"{kind} pairs {pair}", _longer(document, place, number - 1, number + 1, named=True)
    elif isinstance(value, dict):
        yield f"{kind} keys", _wider(document, place)
        yield f"{kind} deep", _deeper(document, place)
    elif isinstance(value, str) and place.rpartition("/")[2] in _TEXTS:
        for name, unit in UNITS.items():
            yield f"{kind} text {name}", _texts(document, place, unit)
        yield f"{kind} duplicate keys", _duplicates(document, place)
        if place.endswith("/content"):
            yield f"{kind} same part", _parts(document, place)


def _label(item: Any) -> str:
    if isinstance(item, dict):
        reported = [str(item[key]) for key in ("role", "type", "event", "method") if isinstance(item.get(key), str)]
        data = item.get("data")
        if isinstance(data, dict):
            reported.append(_label(data))
        return " ".join(reported) or ",".join(sorted(item))
    return type(item).__name__


def _longer(document: list[Record], place: str, first: int, last: int, *, named: bool) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        items = get(whole, place)
        block = json.dumps(items[first:last])
        copies = [
            item for k in range(n) for item in (_renamed(json.loads(block), f"-{k}") if named else json.loads(block))
        ]
        items[last:last] = copies
        return whole

    return make


def _renamed(value: Any, suffix: str) -> Any:
    """The value with another id in each field that has one."""
    if isinstance(value, dict):
        return {
            key: inner + suffix if key in _IDS and isinstance(inner, str) else _renamed(inner, suffix)
            for key, inner in value.items()
        }
    return [_renamed(each, suffix) for each in value] if isinstance(value, list) else value


def _wider(document: list[Record], place: str) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        get(whole, place).update({f"x_{number:05}": number for number in range(n)})
        return whole

    return make


def _deeper(document: list[Record], place: str) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        value: Any = 1
        for _ in range(min(n, 900)):
            value = [value]
        get(whole, place)["x_deep"] = [value] * max(1, n // 900)
        return whole

    return make


def _texts(document: list[Record], place: str, unit: str) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        holder, _, key = place.rpartition("/")
        inside = get(whole, holder)
        inside[int(key) if isinstance(inside, list) else key] += unit * n
        return whole

    return make


def _parts(document: list[Record], place: str) -> _Make:
    """A content that is a text becomes a list of parts."""

    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        holder, _, key = place.rpartition("/")
        inside = get(whole, holder)
        inside[int(key) if isinstance(inside, list) else key] = [{"type": "text", "text": f"x{k}"} for k in range(n)]
        return whole

    return make


def _duplicates(document: list[Record], place: str) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        holder, _, key = place.rpartition("/")
        inside = get(whole, holder)
        inside[int(key) if isinstance(inside, list) else key] = (
            "{" + ",".join(f'"k{number}": 1' for number in [*range(n)] * 2) + "}"
        )
        return whole

    return make


def _batch(document: list[Record], place: str) -> _Make:
    def make(n: int) -> list[Record]:
        whole = copy.deepcopy(document)
        holder = get(whole, place.rpartition("/")[0])
        body = json.dumps(holder["body"])
        holder["body"] = [{**json.loads(body), "id": number} for number in range(n)]
        return whole

    return make
