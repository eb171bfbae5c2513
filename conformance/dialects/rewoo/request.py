"""ReWOO requests: plain chat whose text asks for a plan, or for the answer to a plan with its evidence.

The tools are in the planner's prompt only. The solver's prompt is read as a conversation: the task, the plan, and the
evidence as results of its steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.rewoo.claims import (
    BEGIN,
    CLOSING_LINE,
    PLAN_LINE,
    STEP_LINE,
    Role,
    prompts,
    role_of,
)
from conformance.dialects.rewoo.lines import Piece, scan
from conformance.dialects.rewoo.parse import parse
from conformance.dialects.text.reading import placed, reread
from conformance.model.exchange import Request
from conformance.model.registry import layers_of
from conformance.model.transcript import Ask, Part, Text, ToolDefinition, ToolResult, Turn, Unknown

_HEAD = re.compile(r"^(?:\(\d+\)[ \t]*)?([\w.-]+)\[[^\]\n]*\]:[ \t]*", re.MULTILINE)
_SCHEMA = re.compile(r"\s*Input: (?=\{)")
_DECODER = json.JSONDecoder()


def asked(body: Any) -> Role | None:
    """The role that the request addresses, by its last such text."""
    return next((role for role, _, _ in reversed(list(prompts(body)))), None)


def read_tools(body: Any) -> tuple[ToolDefinition, ...] | None:
    """The tools of the planner's prompt; the solver's names no tools."""
    for role, text, pointer in prompts(body):
        begin = BEGIN.search(text)
        if role == "planner" and begin is not None:
            found = tuple(_tools(text[: begin.start()], pointer))
            if found:
                return found
    return None


def _tools(text: str, pointer: str) -> Iterator[ToolDefinition]:
    heads = list(_HEAD.finditer(text))
    for number, head in enumerate(heads):
        limit = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        description = text[head.end() : limit].partition("\n\n")[0].rstrip()
        schema = None
        found = _SCHEMA.search(description)
        if found is not None:
            try:
                schema, _ = _DECODER.raw_decode(description, found.end())
                description = description[: found.start()]
            except (ValueError, RecursionError):
                schema = None
        yield ToolDefinition(head[1], description, schema, pointer=pointer)


def read_request(request: Request, body: Any) -> Ask:
    """The neutral request: the host's, with the tools, plan and evidence that are in its text."""
    ask = layers_of("rewoo", request)[0].readers.read_request(request, body)
    return replace(ask, tools=read_tools(body), history=tuple(_turns(ask.history)))


def _turns(history: tuple[Turn, ...]) -> Iterator[Turn]:
    planned = False
    for turn in history:
        if turn.role == "assistant":
            read = reread(turn, parse)
            planned = bool(read.calls)
            yield read
            continue
        if not any(isinstance(part, Text) and role_of(part.text) for part in turn.parts):
            yield turn
            continue
        for part in turn.parts:
            role = role_of(part.text) if isinstance(part, Text) else None
            if not isinstance(part, Text) or role is None or (role == "planner" and turn.role == "system"):
                yield replace(turn, parts=(part,))
            elif role == "planner":
                yield _user(task_of(part.text, role), part.pointer)
            else:
                yield from _solved(part, planned=planned)


def _user(text: str, pointer: str) -> Turn:
    return Turn("user", (Text(text, pointer),), pointer)


def task_of(text: str, role: Role) -> str:
    """The task at the end of a prompt: the text after the paragraph that asks for the plan or for the answer."""
    beginning = BEGIN.search(text) if role == "planner" else _closing(text)
    if beginning is None and role == "planner":
        return text.rpartition("\nTask:")[2].strip() if "\nTask:" in text else ""
    rest = text[beginning.end() :] if beginning is not None else ""
    return rest.partition("\n\n")[2].strip().removeprefix("Task:").removesuffix("Response:").strip()


def steps_of(text: str) -> str:
    """The plan and the evidence in a solver's prompt."""
    begins = [line.search(text) for line in (PLAN_LINE, STEP_LINE)]
    begin = min((found.start() for found in begins if found is not None), default=0)
    end = _closing(text)
    return text[begin : end.start() if end else len(text)]


def _closing(text: str) -> re.Match[str] | None:
    """The start of the last paragraph that asks for the answer; evidence may have such text too."""
    return next(reversed(list(CLOSING_LINE.finditer(text))), None)


def _solved(part: Text, *, planned: bool) -> Iterator[Turn]:
    """A solver's prompt as turns, without the plan if an earlier turn of the model has it."""
    plan_lines: list[str] = []
    results: list[Part] = []
    for piece, text in evidence_blocks(steps_of(part.text)):
        if text is None:
            plan_lines.append(piece.raw if piece.raw.endswith("\n") else f"{piece.raw}\n")
        else:
            results.append(ToolResult(piece.id, None, text))
    plan: tuple[Part, ...] = tuple(placed(parse("".join(plan_lines)), part.pointer))
    if not any(piece.kind == "step" for piece in scan("".join(plan_lines))):
        results = [Unknown("Evidence", each.content) for each in results if isinstance(each, ToolResult)]
    if not planned:
        yield _user(task_of(part.text, "solver"), part.pointer)
        yield Turn("assistant", plan, part.pointer)
    if results:
        yield Turn("tool", tuple(placed(results, part.pointer)), part.pointer)


def evidence_blocks(text: str) -> Iterator[tuple[Piece, str | None]]:
    """The pieces of a plan with evidence; a piece of evidence has its text and the id of its step.

    Evidence belongs to the step above it, unless it names another one.
    """
    step: str | None = None
    open_evidence: Piece | None = None
    lines: list[str] = []
    for piece in scan(text):
        if open_evidence is not None and piece.kind in ("text", "broken"):
            lines.append(piece.raw)
            continue
        if open_evidence is not None:
            yield open_evidence, "".join(lines).strip()
            open_evidence = None
        if piece.kind == "evidence":
            open_evidence, lines = replace(piece, id=piece.id or step), [piece.text]
            continue
        step = piece.id if piece.kind == "step" else None if piece.kind == "plan" else step
        yield piece, None
    if open_evidence is not None:
        yield open_evidence, "".join(lines).strip()
