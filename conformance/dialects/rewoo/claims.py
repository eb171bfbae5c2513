"""Which requests are ReWOO's: a chat or a raw prompt that asks for a plan, or for the answer to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from conformance.dialects.text.raw import instructions, native_tools, raw_prompt

HOST = "openai-chat"
BEGIN = re.compile(r"^Begin!", re.MULTILINE)
STEP_LINE = re.compile(r"^[ \t]*#E\d+[ \t]*=", re.MULTILINE)
PLAN_LINE = re.compile(r"^[ \t]*Plan(?:[ \t]+\d+)?[ \t]*:", re.MULTILINE)
_EVIDENCE_LINE = re.compile(r"^[ \t]*Evidence\b[^:\n]*:", re.MULTILINE)
ORDER = "(Plan, #E1, Plan, #E2"
"""How the planner's prompt shows the order of a plan, also where it does not end in `Begin!`."""
CLOSING = r"(?<=\n)[ \t]*\n(?=Now [^\n]*(?:solve|answer))"
"""The end of plan and evidence in a solver's prompt: the next paragraph asks for the answer."""
CLOSING_LINE = re.compile(CLOSING)

Role = Literal["planner", "solver"]


def role_of(text: str) -> Role | None:
    """The role that a text addresses: it shows the form of a plan, or has a plan with its evidence; else None.

    Two of the three kinds of lines make a solver's prompt, so that one without its plan is still judged.
    """
    if CLOSING_LINE.search(text) is not None and BEGIN.search(text) is None:
        lines = sum(line.search(text) is not None for line in (PLAN_LINE, STEP_LINE, _EVIDENCE_LINE))
        return "solver" if lines > 1 else None
    if ORDER in text or ("#E1" in text and "Plan" in text and BEGIN.search(text)):
        return "planner"
    return None


def prompts(body: Any) -> Iterator[tuple[Role, str, str]]:
    """The texts to the planner or to the solver: role, text and pointer."""
    raw = raw_prompt(body)
    for text, pointer in (*instructions(body, "system", "developer", "user"), *([raw] if raw is not None else ())):
        role = role_of(text)
        if role is not None:
            yield role, text, pointer


def announced(body: Any) -> bool:
    """Whether the request has no native tools, and asks for a plan or for the answer to one."""
    return not native_tools(body) and next(prompts(body), None) is not None
