"""Conforming ReAct exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

from typing import Any

from conformance.dialects.react.prompt import form, observed
from conformance.model.registry import part_of
from conformance.model.transcript import ToolDefinition

_NUMBER = {"type": "number"}
_SHAPE = {
    "type": "object",
    "properties": {"latitude": _NUMBER, "longitude": _NUMBER},
    "required": ["latitude", "longitude"],
}
TOOLS = [ToolDefinition("get_weather", "Current weather at a place.", _SHAPE)]
QUESTION = "How warm is it in Seoul?"
PROMPT = form(TOOLS, QUESTION)
ACT = 'Thought: I have to look it up.\nAction: get_weather\nAction Input: {"latitude": 37.57, "longitude": 126.98}'
OBSERVED = observed(PROMPT, ACT, '{"temperature": 14.2}')
FINAL = "Now I know the answer.\nFinal Answer: It is 14.2 °C in Seoul."
_ASKED = [{"role": "user", "content": PROMPT}]
_TURNS = [
    {"role": "system", "content": PROMPT.partition("\n\nQuestion: How")[0]},
    {"role": "user", "content": f"Question: {QUESTION}"},
    {"role": "assistant", "content": ACT},
    {"role": "user", "content": 'Observation: {"temperature": 14.2}'},
]


def exchange(messages: list[Any], text: str, **options: Any) -> dict[str, Any]:
    """One exchange record: messages and the text that answers them, in the host's envelope."""
    made: dict[str, Any] = part_of("openai-chat", "examples").exchange(messages, text, stop=["Observation:"], **options)
    return made


_CALL = exchange(_ASKED, ACT)
_STREAM_CALL = exchange(_ASKED, ACT, stream=True)
_SECOND = [{"role": "user", "content": OBSERVED}]

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_CALL],
    "answer": [exchange(_SECOND, FINAL)],
    "run": [_CALL, exchange(_SECOND, FINAL)],
    "stream-call": [_STREAM_CALL],
    "stream-run": [_STREAM_CALL, exchange(_SECOND, FINAL, stream=True)],
    "turns": [exchange(_TURNS, f"Thought: {FINAL}")],
    "cut-off": [exchange(_ASKED, ACT[:50], finish="length")],
}
