"""The two prompts of a ReWOO run, in the original's layout: one for the planner, one for the solver.

The planner's prompt has the tools, the form of a plan and the task. The solver's prompt has the task, the plan with
the evidence below each step, and the task again. The original leaves the steps out there; here they stay, so that
the source of each piece of evidence is clear.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from conformance.dialects.rewoo.lines import EVIDENCE, PLAN, scan
from conformance.dialects.rewoo.references import text_of_value
from conformance.dialects.text.scan import shielded
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Reasoning, ResultOf, Text, ToolCall, ToolDefinition, ToolResult, Turn

BEGIN, INPUT, TASK = "Begin!", " Input: ", "Task: "
_PLANNER = """\
Make a plan that solves the task step by step, before any tool has run. For each step, write why it is taken, and then \
the tool with its input. What the tool returns is kept as evidence under the name of the step, #E1, #E2 and so on; a \
later input can refer to it by that name.

These are the tools:

{tools}

Write in this form:

{plan} why the first step is taken
#E1 = Tool[input]
{plan} why the second step is taken
#E2 = Tool[input with #E1 in it]

{begin} Each plan has one step, on a line of its own. The input is one JSON object, or a reference to evidence.

Task: {task}
"""
_SOLVER = """\
Solve the task with the help of the plan below and the evidence that was found for its steps.

Task: {task}

{steps}

Now answer the task from the evidence, in the words that the user is to read.

Task: {task}
"""


def messages(system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn]) -> list[dict[str, Any]]:
    """A conversation as the messages of its next request: to the planner, or to the solver if there is a plan."""
    found: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    asked = max((number for number, turn in enumerate(history) if turn.role == "user" and turn.text), default=-1)
    found += [{"role": turn.role, "content": turn.text} for turn in history[: max(asked, 0)] if turn.text]
    if asked < 0:
        return found
    task = history[asked].text
    plan = next((turn for turn in history[asked + 1 :] if turn.role == "assistant"), None)
    if plan is None:
        return [*found, {"role": "user", "content": planner(tools, task)}]
    results = [part for turn in history[asked + 1 :] for part in turn.parts if isinstance(part, ToolResult)]
    evidence = {
        call.id or "": text_of_value(result.content)
        for call, result in zip(numbered(plan.calls), results, strict=False)
    }
    return [*found, {"role": "user", "content": solver(task, spoken(plan), evidence)}]


def planner(tools: Iterable[ToolDefinition], task: str) -> str:
    """The prompt that asks for a plan."""
    return _PLANNER.format(tools="\n\n".join(map(_described, tools)), plan=PLAN, begin=BEGIN, task=task)


def _described(tool: ToolDefinition) -> str:
    shape = {"type": "object", "properties": {}} if tool.parameters is None else tool.parameters
    return f"{tool.name}[input]: {tool.description or ''}{INPUT}{json.dumps(shape, ensure_ascii=False)}"


def solver(task: str, plan: str, evidence: Mapping[str, str]) -> str:
    """The prompt that asks for the answer: the unchanged plan, with the evidence below each of its steps."""
    lines: list[str] = []
    for piece in scan(plan.strip()):
        lines.append(piece.raw.strip())
        found = evidence.get(piece.id or "") if piece.kind == "step" else None
        if found is not None:
            lines.append(f"{EVIDENCE}\n{found}")
    return _SOLVER.format(task=task, steps="\n".join(line for line in lines if line))


def spoken(turn: Turn) -> str:
    """A turn of the model as text. Its text before a step is the plan of that step, unless reasoning follows it."""
    if not turn.calls:
        return turn.text
    numbers = iter(numbered(turn.calls))
    lines: list[str] = []
    for part, behind in zip_longest(turn.parts, turn.parts[1:]):
        if isinstance(part, ToolCall):
            call = next(numbers)
            lines.append(f"{call.id} = {call.name}[{_input(call)}]")
        elif isinstance(part, Text) and isinstance(behind, Reasoning):
            lines.append(part.text.strip("\n"))
        elif isinstance(part, (Reasoning, Text)) and part.text:
            lines.append(f"{PLAN} {part.text}")
    return "\n".join(lines)


def numbered(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """The calls, with their positions in the plan as ids if they have no id of that form."""
    found = []
    for number, call in enumerate(calls, 1):
        own = call.id if call.id and call.id.startswith("#E") else f"#E{number}"
        found.append(ToolCall(own, call.name, call.arguments, call.pointer, call.wire, call.kind))
    return found


def _input(call: ToolCall) -> str:
    """The input on one line; an `#E` inside a JSON string is not a reference."""
    if isinstance(call.arguments, ResultOf):
        return f"#E{call.arguments.call + 1}"
    text = argument_text(call)
    return text if call.kind == "custom" else shielded(text.replace("\n", " "), ("#E",))
