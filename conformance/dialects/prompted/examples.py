"""Conforming prompted exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects.prompted.prompt import instructions
from conformance.model.registry import part_of
from conformance.model.transcript import ToolDefinition

_NUMBER = {"type": "number"}
_SHAPE = {
    "type": "object",
    "properties": {"latitude": _NUMBER, "longitude": _NUMBER},
    "required": ["latitude", "longitude"],
}
SYSTEM = instructions([ToolDefinition("get_weather", "Current weather at a place.", _SHAPE)])
CALLS = (
    '<function_call>\n{"function_call": {"name": "get_weather", "arguments": {"latitude": 37.57, "longitude": 126.98}}}'
    "\n</function_call>\n"
    '<function_call>\n{"function_call": {"name": "get_weather", "arguments": {"latitude": 35.18, "longitude": 129.08}}}'
    "\n</function_call>"
)
_ANSWER = "14.2 °C in Seoul, 17.9 °C in Busan."


def record(arguments: Any, response: Any, name: str = "get_weather") -> str:
    """A completed call with its result."""
    value = {"function_call_record": {"name": name, "arguments": arguments, "response": response}}
    return f"<function_call>{json.dumps(value, ensure_ascii=False)}</function_call>"


RECORDS = [
    record({"latitude": 37.57, "longitude": 126.98}, {"temperature": 14.2}),
    record({"latitude": 35.18, "longitude": 129.08}, {"temperature": 17.9}),
]
_ASKED = [
    {"role": "system", "content": SYSTEM},
    {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
]
_ANSWERED = [{"role": "assistant", "content": CALLS}, {"role": "user", "content": "\n".join(RECORDS)}]


def exchange(messages: list[Any], text: str, **options: Any) -> dict[str, Any]:
    """One exchange record: messages and the text that answers them, in the host's envelope."""
    made: dict[str, Any] = part_of("openai-chat", "examples").exchange(messages, text, **options)
    return made


_CALL = exchange(_ASKED, CALLS)
_STREAM_CALL = exchange(_ASKED, CALLS, stream=True)
_FINAL = exchange([*_ASKED, *_ANSWERED], _ANSWER)

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_CALL],
    "answer": [_FINAL],
    "run": [_CALL, _FINAL],
    "stream-call": [_STREAM_CALL],
    "stream-run": [_STREAM_CALL, exchange([*_ASKED, *_ANSWERED], _ANSWER, stream=True)],
    "split-records": [
        exchange([*_ASKED, _ANSWERED[0], *({"role": "user", "content": each} for each in RECORDS)], _ANSWER)
    ],
    "cut-off": [exchange(_ASKED, CALLS[:150], finish="length")],
}
