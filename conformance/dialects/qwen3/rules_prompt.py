"""The client's text: framed turns, one tool per line, and an open turn of the model at the end."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.qwen3.claims import prompt_of
from conformance.dialects.qwen3.parse import THINK
from conformance.dialects.qwen3.prompt import HEADING, NO_THOUGHT, instructions
from conformance.dialects.qwen3.request import AT, Frame, frames, is_broken, tool_lines
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_TEMPLATE = "QwenLM/Qwen3 chat template"
_ROLES = ("system", "user", "assistant")


def _frames(view: View) -> tuple[Frame, ...]:
    return frames(prompt_of(view.request))


@rule(
    "qwen3-frame-malformed",
    scope="request",
    cites="QWE-Q-001",
)
def qwen3_frame_malformed(view: View) -> Iterator[Hit]:
    """Every turn must be a start token, the role, a line end, the text, an end token and one line end.

    Otherwise the model reads two turns as one, or text that belongs to no turn.
    """
    all_frames = _frames(view)
    for number, frame in enumerate(all_frames):
        last = number == len(all_frames) - 1
        if frame.gap != ("\n" if number else "") and not (frame.role == "" and last and frame.gap == "\n"):
            yield Hit(AT, f"there is text outside of a turn before turn {number}", "one line end", brief(frame.gap))
        elif frame.role and frame.broken_line:
            yield Hit(AT, f"the line end after the role of turn {number} is missing", "a line end", brief(frame.role))
        elif not frame.closed and not last:
            yield Hit(AT, f"turn {number} ({frame.role}) has no end token", "<|im_end|>", "the next turn")
        else:
            continue
        return


@rule(
    "qwen3-role-unknown",
    scope="request",
    cites="QWE-Q-001",
)
def qwen3_role_unknown(view: View) -> Iterator[Hit]:
    """The role of a turn must be system, user or assistant; results of tools belong in a user turn.

    The model was not trained on other roles, and reads them as text.
    """
    for frame in _frames(view):
        if frame.role not in _ROLES and (frame.role or not frame.closed):
            yield Hit(AT, f"a turn has the role {frame.role!r}", " or ".join(_ROLES), frame.role)
            return


@rule(
    "qwen3-turn-line-end-unexpected",
    scope="request",
    cites="QWE-Q-001",
    severity=Severity.WARNING,
    because="the template itself keeps a line end at the end of a text",
)
def qwen3_turn_line_end_unexpected(view: View) -> Iterator[Hit]:
    """The end token of a model's turn must follow its text directly.

    The template writes it this way; with a line end before it, the model reads other tokens than it wrote.
    """
    for frame in _frames(view):
        if frame.role == "assistant" and frame.closed and frame.body.endswith("\n"):
            yield Hit(AT, "there is a line end before the end token", "text<|im_end|>", brief(frame.body[-20:]))
            return


@rule(
    "qwen3-prompt-end-wrong",
    scope="request",
    cites="QWE-Q-004",
)
def qwen3_prompt_end_wrong(view: View) -> Iterator[Hit]:
    """The prompt must end with an open turn of the model, with an empty think block if thinking is off.

    Otherwise the model continues the user's turn, or thinks although thinking is off.
    """
    all_frames = _frames(view)
    if not all_frames:
        return
    last = all_frames[-1]
    bodies = ("", NO_THOUGHT, f"{THINK}\n")
    if last.closed or last.role != "assistant" or last.broken_line or last.body not in bodies:
        found = "a closed turn" if last.closed else f"{last.role}: {last.body[-30:]}"
        yield Hit(AT, "the prompt does not end with an open turn of the model", "<|im_start|>assistant", brief(found))


@rule(
    "qwen3-tool-line-invalid",
    scope="request",
    cites="QWE-Q-002",
)
def qwen3_tool_line_invalid(view: View) -> Iterator[Hit]:
    """Each line between the tools tags must be one complete tool object.

    The model was trained on this form, and reads a list, or an object over several lines, less well.
    """
    for number, line in enumerate(tool_lines(prompt_of(view.request)) or ()):
        if is_broken(line):
            wanted = '{"type": "function", "function": {...}}'
            yield Hit(AT, f"line {number} of the tools is not a tool object", wanted, brief(line))
            return


@rule(
    "qwen3-instructions-mismatch",
    scope="request",
    cites="QWE-Q-002",
    severity=Severity.WARNING,
    because="the statement is about the lines between the tags; Qwen-Agent has a second text around them, for code",
)
def qwen3_instructions_mismatch(view: View) -> Iterator[Hit]:
    """The system turn's text around the tools must be exactly the template's.

    The model was trained on this text; with other text it calls tools less reliably.
    """
    for frame in _frames(view):
        _, heading, rest = frame.body.partition(HEADING)
        if (
            frame.role == "system"
            and heading
            and instructions(tool_lines(prompt_of(view.request)) or ()) != heading + rest
        ):
            yield Hit(AT, "the text around the tools is not the template's", "the template's text", brief(rest))
            return


@rule(
    "qwen3-tool-line-changed",
    scope="conversation",
    cites="QWE-Q-003",
)
def qwen3_tool_line_changed(view: View) -> Iterator[Hit]:
    """A tool must keep all its fields from one prompt of a run to the next.

    If a template drops `strict` or `additionalProperties`, the model sees a different tool.
    """
    found = view.continues
    if found is None:
        return
    before = {_name(line): line for line in tool_lines(prompt_of(view.earlier[found.earlier].request)) or ()}
    for line in tool_lines(prompt_of(view.request)) or ():
        was = before.get(_name(line))
        if was is not None and not jsontext.same(jsontext.parse(was), jsontext.parse(line)):
            yield Hit(AT, f"the declaration of the tool {_name(line)} has changed", brief(was), brief(line))
            return


def _name(line: str) -> str | None:
    value = jsontext.parse(line)
    if isinstance(value, Malformed) or not isinstance(value, dict) or not isinstance(value.get("function"), dict):
        return None
    name = value["function"].get("name")
    return name if isinstance(name, str) else None
