"""Conforming conversations as raw prompts, from which the dialects make their examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conformance.dialects.llama3.names import HOST
from conformance.dialects.llama3.writing import Asked, write_prompt, write_reply
from conformance.model.registry import part_of
from conformance.model.transcript import Text, ToolCall, ToolDefinition, ToolResult, Turn

WEATHER = ToolDefinition(
    "get_weather",
    "Current weather at a place.",
    {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
    },
)
SEARCH = ToolDefinition(
    "brave_search",
    "Search the web.",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
_SEOUL = ToolCall(None, "get_weather", {"latitude": 37.57, "longitude": 126.98})
_FOUND = ToolCall(None, "brave_search", {"query": "opening hours of the night market in Seoul"})
_OPTIONS = {"skip_special_tokens": False, "include_stop_str_in_output": True, "add_special_tokens": False}


def bases(form: Asked, tools: Sequence[ToolDefinition] = (WEATHER,)) -> dict[str, list[dict[str, Any]]]:
    """The conversations in one form: a call, its answer, and both as a run, with and without streaming."""
    user = Turn("user", (Text("How warm is it in Seoul?"),))
    call = Turn("assistant", (_SEOUL,))
    result = Turn("tool", (ToolResult(None, None, '{"temperature": 14.2}'),))
    answer = Turn("assistant", (Text("It is 14.2 °C in Seoul."),))

    def asked(*history: Turn) -> str:
        return write_prompt(form, None, tools, history)

    def record(said: Turn, *history: Turn, stream: bool = False) -> dict[str, Any]:
        return _exchange(asked(*history), write_reply(form, said), stream=stream)

    asks = record(call, user)
    told = record(answer, user, call, result)
    streamed = [record(call, user, stream=True), record(answer, user, call, result, stream=True)]
    found = {
        "call": [asks],
        "answer": [told],
        "run": [asks, told],
        "stream-call": [streamed[0]],
        "stream-answer": [streamed[1]],
        "stream-run": streamed,
        "plain": [record(answer, user)],
        "cut-off": [_exchange(asked(user), "It is 14", finish="length")],
    }
    if SEARCH in tools:
        looks = Turn("user", (Text("How long is the night market open?"),))
        hits = Turn("tool", (ToolResult(None, None, "From 17:30 to 22:30, according to seoul.example."),))
        says = Turn("assistant", (Text("It is open from 17:30 to 22:30."),))
        search = Turn("assistant", (_FOUND,))
        found["search"] = [record(search, looks)]
        found["search-run"] = [record(search, looks), record(says, looks, search, hits)]
        code = Turn("assistant", (ToolCall(None, "code_interpreter", "print(2 ** 10)", kind="custom"),))
        found["code"] = [record(code, looks)]
    return found


def _exchange(prompt: str, text: str, **more: Any) -> dict[str, Any]:
    make: Callable[..., dict[str, Any]] = part_of(HOST, "examples").exchange
    return make(prompt, text, model="meta-llama/Llama-3.1-8B-Instruct", **_OPTIONS, **more)
