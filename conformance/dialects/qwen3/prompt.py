"""A conversation as one prompt, as the chat template of Qwen3 writes it.

The tools are in the system turn, one JSON object per line; results of one turn share one user turn; the model's
thoughts are kept after the last question and dropped before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from conformance.dialects.qwen3.claims import START
from conformance.dialects.qwen3.parse import CLOSE, END, OPEN, THINK, THOUGHT
from conformance.dialects.text.scan import shielded
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Malformed, Reasoning, Text, ToolCall, ToolDefinition, ToolResult, Turn

TOOLS_OPEN, TOOLS_CLOSE = "<tools>", "</tools>"
RESULT_OPEN, RESULT_CLOSE = "<tool_response>", "</tool_response>"
NO_THOUGHT = f"{THINK}\n\n{THOUGHT}\n\n"
"""The template's text before the model's turn if thinking is off."""

HEADING = "# Tools\n"
# This text is part of the wire: the template is fixed, and the models are trained on exactly this text.
_TOOLS = f"""\
{HEADING}
You may call one or more functions to assist with the user query.

You are provided with function signatures within {TOOLS_OPEN}{TOOLS_CLOSE} XML tags:
{TOOLS_OPEN}{{lines}}
{TOOLS_CLOSE}

For each function call, return a json object with function name and arguments within {OPEN}{CLOSE} XML tags:
{OPEN}
{{{{"name": <function-name>, "arguments": <args-json-object>}}}}
{CLOSE}"""


def render(
    system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn], *, thinking: bool = False
) -> str:
    """The prompt, up to the model's open turn. Without `thinking` it ends with an empty think block."""
    instructed = "\n\n".join(filter(None, (system, _listed(tools) if tools else "")))
    asked = max((number for number, turn in enumerate(history) if turn.role == "user" and turn.text), default=-1)
    turns = [_frame("system", instructed)] if instructed else []
    for number, turn in enumerate(history):
        if turn.role == "assistant":
            turns.append(_frame("assistant", spoken(turn, thoughts=number > asked)))
        elif turn.results:
            turns.append(_frame("user", "\n".join(map(_result, turn.results))))
        else:
            turns.append(_frame(turn.role, turn.text))
    return "".join((*turns, f"{START}assistant\n", "" if thinking else NO_THOUGHT))


def _frame(role: str, body: str) -> str:
    return f"{START}{role}\n{body}{END}\n"


def _listed(tools: Iterable[ToolDefinition]) -> str:
    return instructions(shielded(tool_line(tool), (START, END, TOOLS_CLOSE)) for tool in tools)


def instructions(lines: Iterable[str]) -> str:
    """The template's text about tools, around their lines."""
    return _TOOLS.format(lines="".join(f"\n{line}" for line in lines))


def tool_line(tool: ToolDefinition) -> str:
    """The complete tool object on one line."""
    shape = {"type": "object", "properties": {}} if tool.parameters is None else tool.parameters
    function = {"name": tool.name, "description": tool.description or "", "parameters": shape}
    if tool.strict:
        function["strict"] = True
    return json.dumps({"type": "function", "function": function}, ensure_ascii=False)


def spoken(turn: Turn, *, thoughts: bool = True) -> str:
    """A turn of the model as text. A truncated call has no end."""
    return "".join(_pieces(turn, thoughts=thoughts))


def _pieces(turn: Turn, *, thoughts: bool) -> Iterator[str]:
    for part in turn.parts:
        if isinstance(part, Reasoning) and thoughts and part.text is not None:
            yield f"{THINK}\n{part.text}\n{THOUGHT}\n\n"
    text = "".join(part.text for part in turn.parts if isinstance(part, Text))
    yield text
    for number, call in enumerate(turn.calls):
        yield "\n" if text or number else ""
        yield _call(call)


def _call(call: ToolCall) -> str:
    name = json.dumps(call.name, ensure_ascii=False)
    text = shielded(f'{{"name": {name}, "arguments": {argument_text(call)}', (START, END))
    return f"{OPEN}\n{text}" if isinstance(call.arguments, Malformed) else f"{OPEN}\n{text}}}\n{CLOSE}"


def _result(result: ToolResult) -> str:
    text = result.content if isinstance(result.content, str) else json.dumps(result.content, ensure_ascii=False)
    return f"{RESULT_OPEN}\n{text}\n{RESULT_CLOSE}"
