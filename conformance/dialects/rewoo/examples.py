"""Conforming ReWOO exchanges, the bases of every example of this dialect. The words are ours."""

from __future__ import annotations

from typing import Any

from conformance.dialects.rewoo.prompt import planner, solver
from conformance.model.registry import part_of
from conformance.model.transcript import ToolDefinition


def _shape(**properties: str) -> dict[str, Any]:
    told = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": told, "required": list(properties)}


TOOLS = [
    ToolDefinition("geocode", "Coordinates of a place.", _shape(place="string")),
    ToolDefinition("get_weather", "Current weather at a place.", _shape(latitude="number", longitude="number")),
]
TASK = "How warm is it in Seoul?"
PROMPT = planner(TOOLS, TASK)
PLAN = 'Plan: I have to look it up.\n#E1 = get_weather[{"latitude": 37.57, "longitude": 126.98}]'
CHAIN = "Plan: First the place.\n#E1 = geocode[Seoul]\nPlan: Then its weather.\n#E2 = get_weather[#E1]"
EVIDENCE = {"#E1": '{"temperature": 14.2}'}
CHAIN_EVIDENCE = {"#E1": '{"latitude": 37.57, "longitude": 126.98}', "#E2": '{"temperature": 14.2}'}
SOLVE = solver(TASK, PLAN, EVIDENCE)
SOLVE_CHAIN = solver(TASK, CHAIN, CHAIN_EVIDENCE)
FINAL = "It is 14.2 °C in Seoul."
_ASKED = [{"role": "user", "content": PROMPT}]
_SECOND = [{"role": "user", "content": SOLVE}]
_THIRD = [{"role": "user", "content": SOLVE_CHAIN}]
_ORIGINAL = SOLVE.replace('#E1 = get_weather[{"latitude": 37.57, "longitude": 126.98}]\n', "")


def exchange(messages: list[Any], text: str, **options: Any) -> dict[str, Any]:
    """One exchange record: messages and the text that answers them, in the host's envelope."""
    made: dict[str, Any] = part_of("openai-chat", "examples").exchange(messages, text, **options)
    return made


_CALL = exchange(_ASKED, PLAN)
_STREAM_CALL = exchange(_ASKED, PLAN, stream=True)

BASES: dict[str, list[dict[str, Any]]] = {
    "call": [_CALL],
    "answer": [exchange(_SECOND, FINAL)],
    "run": [_CALL, exchange(_SECOND, FINAL)],
    "chain": [exchange(_ASKED, CHAIN)],
    "chain-answer": [exchange(_THIRD, FINAL)],
    "chain-run": [exchange(_ASKED, CHAIN), exchange(_THIRD, FINAL)],
    "stream-call": [_STREAM_CALL],
    "stream-answer": [exchange(_SECOND, FINAL, stream=True)],
    "stream-run": [_STREAM_CALL, exchange(_SECOND, FINAL, stream=True)],
    "turns": [exchange([*_ASKED, {"role": "assistant", "content": PLAN}, *_SECOND], FINAL)],
    "without-steps": [exchange([{"role": "user", "content": _ORIGINAL}], FINAL)],
    "cut-off": [exchange(_ASKED, PLAN[:40], finish="length")],
}
