"""Conforming Qwen3 exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

from typing import Any

from conformance.dialects.qwen3.prompt import render
from conformance.model.registry import part_of
from conformance.model.transcript import Reasoning, Text, ToolCall, ToolDefinition, ToolResult, Turn

_NUMBER = {"type": "number"}
_SHAPE = {
    "type": "object",
    "properties": {"latitude": _NUMBER, "longitude": _NUMBER},
    "required": ["latitude", "longitude"],
}
TOOLS = [ToolDefinition("get_weather", "Current weather at a place.", _SHAPE, strict=True)]
_SEOUL = ToolCall(None, "get_weather", {"latitude": 37.57, "longitude": 126.98})
_BUSAN = ToolCall(None, "get_weather", {"latitude": 35.18, "longitude": 129.08})
_USER = Turn("user", (Text("How warm is it in Seoul and in Busan?"),))
_CALLING = Turn("assistant", (Reasoning("I have to look both up."), _SEOUL, _BUSAN))
_RETURNED = Turn("tool", (ToolResult(None, None, {"temperature": 14.2}), ToolResult(None, None, {"temperature": 17.9})))
_FINAL = "14.2 °C in Seoul, 17.9 °C in Busan."
_LATER = Turn("user", (Text("And the day before?"),))

FIRST = render("You are terse.", TOOLS, [_USER])
SECOND = render("You are terse.", TOOLS, [_USER, Turn("assistant", _CALLING.parts[1:]), _RETURNED])
LONGER = render(
    "You are terse.", TOOLS, [_USER, _CALLING, _RETURNED, Turn("assistant", (Text(_FINAL),)), _LATER], thinking=True
)
CALLS = (
    '<tool_call>\n{"name": "get_weather", "arguments": {"latitude": 37.57, "longitude": 126.98}}\n</tool_call>\n'
    '<tool_call>\n{"name": "get_weather", "arguments": {"latitude": 35.18, "longitude": 129.08}}\n</tool_call>'
)
THINKING = "<think>\nI have to look both up.\n</think>\n\n"
_THOUGHTFUL = render("You are terse.", TOOLS, [_USER], thinking=True)
_THOUGHTFUL_SECOND = render("You are terse.", TOOLS, [_USER, _CALLING, _RETURNED], thinking=True)


def exchange(prompt: str, text: str, **options: Any) -> dict[str, Any]:
    """One exchange record: a prompt and the text that answers it, in the host's envelope."""
    made: dict[str, Any] = part_of("openai-completions", "examples").exchange(prompt, text, **options)
    made["request"]["body"]["model"] = "Qwen/Qwen3-8B"
    body, events = made["response"].get("body"), made["response"].get("events", ())
    for each in (body, *(event["data"] for event in events)):
        if isinstance(each, dict):
            each["model"] = "Qwen/Qwen3-8B"
    return made


BASES: dict[str, list[dict[str, Any]]] = {
    "call": [exchange(FIRST, CALLS)],
    "answer": [exchange(SECOND, _FINAL)],
    "run": [exchange(FIRST, CALLS), exchange(SECOND, _FINAL)],
    "stream-call": [exchange(FIRST, CALLS, stream=True)],
    "stream-run": [exchange(FIRST, CALLS, stream=True), exchange(SECOND, _FINAL, stream=True)],
    "thinking-run": [
        exchange(_THOUGHTFUL, THINKING + CALLS),
        exchange(_THOUGHTFUL_SECOND, f"<think>\nNow I know.\n</think>\n\n{_FINAL}"),
    ],
    "later-question": [exchange(LONGER, f"<think>\nAgain.\n</think>\n\n{CALLS}")],
    "cut-off": [exchange(FIRST, CALLS[:30], finish="length")],
}
