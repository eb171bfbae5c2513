"""The prompt of a ReAct conversation, as Qwen-Agent lays it out: one user turn that grows with every step.

It has the tools, the form, the question, and then all thoughts, actions and observations so far; the model
continues at its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from conformance.dialects.react.claims import BEGIN
from conformance.dialects.react.parse import ACTION, FINAL, INPUT, OBSERVATION, STOP, THOUGHT, scan
from conformance.dialects.text.scan import shielded
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Reasoning, Text, ToolCall, ToolDefinition, ToolResult, Turn

QUESTION = "Question:"
ASKED = re.compile(r"(?:Question|New input|Previous conversation history):")
"""What the question begins with, after which the steps follow: of LangChain's chat prompt, too."""
PARAMETERS = " Parameters: "
_FORM = """\
Answer the question as well as you can. These tools are there for you:

{tools}

Write in this form:

Question: the question that you have to answer
Thought: what you think about what to do next
Action: the tool to use, one of [{names}]
Action Input: the arguments of the tool, one JSON object
Observation: what the tool returned
... (Thought, Action, Action Input and Observation come as often as needed)
Thought: now I know the answer
Final Answer: the answer to the question

{begin}

Question: {question}"""


def messages(system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn]) -> list[dict[str, Any]]:
    """The whole conversation as messages of a plain chat. The last question has the prompt and all later steps."""
    asked = max((number for number, turn in enumerate(history) if turn.role == "user" and turn.text), default=-1)
    found: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    found += [{"role": turn.role, "content": turn.text} for turn in history[: max(asked, 0)] if turn.text]
    if asked < 0:
        return found
    content = form(tools, history[asked].text)
    reply = ""
    for turn in history[asked + 1 :]:
        if turn.role == "assistant":
            reply = spoken(turn)
            continue
        for part in turn.parts:
            if isinstance(part, ToolResult):
                text = part.content if isinstance(part.content, str) else json.dumps(part.content, ensure_ascii=False)
                content, reply = observed(content, reply, text), ""
    return [*found, {"role": "user", "content": content}]


def form(tools: Iterable[ToolDefinition], question: str) -> str:
    """The prompt before the first step."""
    tools = list(tools)
    names = ",".join(tool.name or "" for tool in tools)
    described = "\n\n".join(map(_described, tools))
    return _FORM.format(tools=described, names=names, begin=BEGIN, question=question)


def _described(tool: ToolDefinition) -> str:
    shape = {"type": "object", "properties": {}} if tool.parameters is None else tool.parameters
    text = json.dumps(shape, ensure_ascii=False)
    return f"### {tool.name}\n\n{tool.name}: {tool.description or ''}{PARAMETERS}{text} Write them as a JSON object."


def observed(prompt: str, reply: str, observation: str) -> str:
    """The prompt after one more step: the model's text, unchanged, and the tool's result."""
    reply = reply.strip()
    opened = f"\n{THOUGHT}: "
    if prompt.endswith(opened):
        first = scan(reply)[0].label if reply else None
        prompt = prompt.removesuffix(opened) + "\n" if first else prompt
    elif reply:
        prompt += "\n"
    return f"{prompt}{reply}\n{OBSERVATION}: {observation}{opened}"


def spoken(turn: Turn) -> str:
    """A turn of the model as text. Its text before an action is a thought."""
    thoughts = [part.text for part in turn.parts if isinstance(part, Reasoning) and part.text]
    lines = []
    if turn.calls:
        thoughts += [part.text for part in turn.parts if isinstance(part, Text)]
        lines = [line for call in turn.calls for line in _action(call)]
    elif turn.text:
        lines = [f"{FINAL}: {turn.text}"]
    if thoughts:
        lines.insert(0, f"{THOUGHT}: " + "\n".join(thoughts))
    return "\n".join(lines)


def _action(call: ToolCall) -> list[str]:
    written = shielded(argument_text(call), (STOP,)) if call.kind == "function" else str(call.arguments)
    return [f"{ACTION}: {call.name}", f"{INPUT}: {written}"]
