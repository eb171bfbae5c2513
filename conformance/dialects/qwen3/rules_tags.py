"""Tags in pairs, in replies and in earlier turns; one system turn, at the beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.qwen3.claims import prompt_of
from conformance.dialects.qwen3.parse import CLOSE, OPEN, THINK, Block, Thought, scan
from conformance.dialects.qwen3.request import AT, frames
from conformance.dialects.text.host_texts import reply_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_TEMPLATE = "QwenLM/Qwen3 chat template"
_PARSER = "vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py"
_TAG = re.compile(r"</?(?:tool_call|think)>")


def _outside(text: str) -> str:
    """The text without the JSON of its calls (tags in it are quoted), and without the tags of calls in thoughts."""
    for piece in scan(text):
        if isinstance(piece, Block):
            text = text.replace(piece.raw, piece.raw.replace(piece.body, "", 1), 1)
        elif isinstance(piece, Thought):
            text = text.replace(piece.text, piece.text.replace(OPEN, "").replace(CLOSE, ""), 1)
    return text


def _unpaired(text: str) -> Iterator[tuple[str, bool]]:
    """The first closing tag without an opening tag, or think tag that is repeated or in the wrong order.

    With it, whether it is behind the JSON of a call, which parsers then do not find.
    """
    opened: list[str] = []
    shown, end = _outside(text), 0
    for found in _TAG.finditer(shown):
        tag, before, end = found[0], shown[end : found.start()], found.end()
        if tag.startswith("</"):
            if not opened or opened.pop() != tag.replace("/", ""):
                yield tag, tag == CLOSE and before.rstrip().endswith("}")
                return
        elif tag == THINK and opened:
            yield tag, False
            return
        else:
            opened.append(tag)


@rule(
    "qwen3-tag-orphaned",
    scope="reply",
    cites=["QWE-R-001", "QWE-R-007"],
    because="vLLM and Qwen-Agent read a call without its opening tag as text; a think tag (QWE-R-007) is a warning",
)
def qwen3_tag_orphaned(view: View) -> Iterator[Hit]:
    """Every closing tag must have its opening tag.

    Without it, a call is text: the user sees JSON, and the tool never runs. A surplus tag beside a whole call, or one
    of thoughts, is a warning: parsers find the call.
    """
    opened = prompt_of(view.request).rstrip().endswith(THINK)
    for turn, part in reply_texts(view):
        if turn.stop not in ("length", "error"):
            text = f"{THINK}{part.text}" if opened else part.text
            for tag, hides_call in _unpaired(text):
                weaker = None if hides_call else Severity.WARNING
                yield Hit(part.pointer, f"the tag {tag} has no counterpart", "tags in pairs", tag, severity=weaker)


@rule(
    "qwen3-history-tag-unclosed",
    scope="request",
    cites="QWE-Q-001",
    severity=Severity.WARNING,
    because="the statement is about the frame of a turn, which is complete",
)
def qwen3_history_tag_unclosed(view: View) -> Iterator[Hit]:
    """The tags in earlier turns must be in pairs.

    The model imitates them in its next call.
    """
    for frame in frames(prompt_of(view.request)):
        if frame.role == "assistant" and frame.closed:
            for tag, _ in _unpaired(frame.body):
                yield Hit(AT, f"the tag {tag} has no counterpart in a model's turn", "tags in pairs", tag)
                return
        elif frame.role == "user" and "\n</tool_response></tool_response>" in frame.body:
            yield Hit(AT, "a result has two closing tags", "tags in pairs", "</tool_response>")
            return


@rule(
    "qwen3-system-misplaced",
    scope="request",
    cites="QWE-Q-001",
    severity=Severity.WARNING,
    because="each turn is complete; the template itself writes a later system message, but no tools and none twice",
)
def qwen3_system_misplaced(view: View) -> Iterator[Hit]:
    """There should be only one system turn, at the beginning.

    The template writes the tools there; the model may read a later one as a quotation of the user's. A later one with a
    text of its own is an info: the template writes those, too.
    """
    turns = frames(prompt_of(view.request))
    number = next((number for number, each in enumerate(turns) if number and each.role == "system"), None)
    if number is not None:
        later = turns[number].body
        repeated = "<tools>" in later or later in [each.body for each in turns[:number]]
        yield Hit(
            AT,
            "a system turn follows another turn",
            "one, at the beginning",
            f"turn {number}",
            severity=None if repeated else Severity.INFO,
        )
