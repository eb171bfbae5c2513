"""Tags come in pairs, in the replies and in the turns before; the system's turn is one, and the first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.qwen3.examples import CALLS, SECOND, THINKING
from conformance.dialects.qwen3.parse import CLOSE, END, OPEN, THINK, THOUGHT, Block, Thought, scan
from conformance.dialects.qwen3.prompt import START
from conformance.dialects.qwen3.request import AT, frames, prompt_of
from conformance.dialects.text.host_texts import reply_texts
from conformance.judge.example import change, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_TEMPLATE = "QwenLM/Qwen3 chat template"
_PARSER = "vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py"
_TEXT = "/0/response/body/choices/0/text"
_PROMPT = "/0/request/body/prompt"
_TAG = re.compile(r"</?(?:tool_call|think)>")


def _outside(text: str) -> str:
    """The text without the JSON of its calls, in which a tag is quoted, and without the tags of calls in thoughts."""
    for piece in scan(text):
        if isinstance(piece, Block):
            text = text.replace(piece.body, "", 1)
        elif isinstance(piece, Thought):
            text = text.replace(piece.text, piece.text.replace(OPEN, "").replace(CLOSE, ""), 1)
    return text


def _unpaired(text: str) -> Iterator[str]:
    """The closing tags that close nothing, and thoughts that are opened again or closed before they are opened."""
    opened: list[str] = []
    for tag in _TAG.findall(_outside(text)):
        if tag.startswith("</"):
            if not opened or opened.pop() != tag.replace("/", ""):
                yield tag
                return
        elif tag == THINK and (tag in opened or opened):
            yield tag
            return
        else:
            opened.append(tag)


@rule(
    "qwen3-tag-orphaned",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-001 {_PARSER}", f"QWE-R-007 {_TEMPLATE}"],
    conforming=[
        example("qwen3/call"),
        example("qwen3/thinking-run"),
        example("qwen3/stream-run"),
        example("qwen3/cut-off"),
        example("qwen3/thinking-run", put(_TEXT, f"{THINK}\nI have to write {OPEN} now.\n{THOUGHT}\n\n{CALLS}")),
        example(
            "qwen3/answer", put(_TEXT, f"I have to add.\n{THOUGHT}\n\nIt is 4."), put(_PROMPT, f"{SECOND}{THINK}\n")
        ),
    ],
    violating=[
        example("qwen3/call", put(_TEXT, CALLS.removeprefix(OPEN))),
        example("qwen3/call", put(_TEXT, CALLS.replace(OPEN, "<tool_cal>", 1))),
        example("qwen3/call", put(_TEXT, CALLS + CLOSE)),
        example("qwen3/thinking-run", put(_TEXT, THINK + THINKING + CALLS)),
    ],
)
def qwen3_tag_orphaned(view: View) -> Iterator[Hit]:
    """A closing tag closes what an opening one has opened.

    Without its opening tag a call is text: the user sees JSON, and the tool is never run.
    """
    opened = prompt_of(view.request).rstrip().endswith(THINK)
    for turn, part in reply_texts(view):
        if turn.stop not in ("length", "error"):
            text = f"{THINK}{part.text}" if opened else part.text
            for tag in _unpaired(text):
                yield Hit(part.pointer, f"the tag {tag} stands alone", "tags in pairs", tag)


@rule(
    "qwen3-history-tag-unclosed",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"QWE-Q-001 {_TEMPLATE}"],
    conforming=[example("qwen3/answer"), example("qwen3/thinking-run"), example("qwen3/later-question")],
    violating=[
        example("qwen3/answer", put(_PROMPT, SECOND.replace(f"}}}}\n{CLOSE}{END}", f"}}}}\n{CLOSE}{CLOSE}{END}"))),
        example(
            "qwen3/answer", put(_PROMPT, SECOND.replace("\n</tool_response>", "\n</tool_response></tool_response>", 1))
        ),
    ],
)
def qwen3_history_tag_unclosed(view: View) -> Iterator[Hit]:
    """Tags in the turns so far come in pairs.

    The model learns its form from them, and writes its next call as it finds the last one.
    """
    for frame in frames(prompt_of(view.request)):
        if frame.role == "assistant" and frame.closed:
            for tag in _unpaired(frame.body):
                yield Hit(AT, f"the tag {tag} stands alone in a turn of the model", "tags in pairs", tag)
                return
        elif frame.role == "user" and "\n</tool_response></tool_response>" in frame.body:
            yield Hit(AT, "a result is closed twice", "tags in pairs", "</tool_response>")
            return


@rule(
    "qwen3-system-misplaced",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"QWE-Q-001 {_TEMPLATE}"],
    conforming=[example("qwen3/call"), example("qwen3/answer")],
    violating=[
        example(
            "qwen3/call", change(_PROMPT, f"{START}assistant\n", f"{START}system\nBe terse.{END}\n{START}assistant\n")
        )
    ],
)
def qwen3_system_misplaced(view: View) -> Iterator[Hit]:
    """The system's turn is the first one, and there is one of them.

    The template writes it so; elsewhere the model takes it for something that the user quotes.
    """
    roles = [frame.role for frame in frames(prompt_of(view.request))]
    if "system" in roles[1:]:
        yield Hit(
            AT,
            "a turn of the system comes after another turn",
            "one, and the first",
            f"turn {roles.index('system', 1)}",
        )
