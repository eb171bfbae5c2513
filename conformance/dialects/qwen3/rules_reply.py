"""The model's text: first thoughts, then text, then calls in closed JSON at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.qwen3.examples import CALLS, THINKING
from conformance.dialects.qwen3.parse import CLOSE, OPEN, Block, End, Piece, Thought, read_block, scan
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.example import change, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text, Turn

_TEMPLATE = "QwenLM/Qwen3 chat template"
_NOUS = "QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py"
_PARSER = "vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py"
_TEXT = "/0/response/body/choices/0/text"
_CHUNK = "/0/response/events/{}/data/choices/0/text"
_AT_STREAM = "0 response event/0/choices/0/text"
_THINKER = re.compile(r"(?i)(.*/)?qwen-?3[-:]\d+(\.\d+)?b(-a\d+b)?(-(fp8|awq|gptq\S*|gguf\S*))?$")
"""Models that think unless the prompt turns it off; those with other names (dated, or for code) may not."""


def _said(view: View) -> Iterator[tuple[Turn, Text, tuple[Piece, ...]]]:
    for turn, part in reply_texts(view):
        yield turn, part, scan(part.text)


def _whole(turn: Turn, pieces: tuple[Piece, ...]) -> list[Block]:
    """The blocks, without the incomplete one of a truncated reply."""
    blocks = [piece for piece in pieces if isinstance(piece, Block)]
    return blocks[:-1] if blocks and turn.stop in CUT and not blocks[-1].closed else blocks


_CALL = re.compile(rf"{OPEN}\s*\{{.*{CLOSE}", re.DOTALL)
"""A complete call; the tags alone may be part of a thought."""


@rule(
    "qwen3-call-unclosed",
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-001 {_PARSER}"],
    bugs=["jundot/omlx#3153"],
    conforming=[example("qwen3/call"), example("qwen3/stream-call"), example("qwen3/cut-off")],
    violating=[
        example("qwen3/call", put(_TEXT, CALLS.removesuffix(f"\n{CLOSE}"))),
        example("qwen3/call", put(_TEXT, CALLS.replace(f"\n{CLOSE}", "", 1))),
        example("qwen3/stream-call", change(_CHUNK.format(2), f"\n{CLOSE}", ""), at=_AT_STREAM),
    ],
)
def qwen3_call_unclosed(view: View) -> Iterator[Hit]:
    """Every call must have its closing tag.

    Some parsers drop the call, others show its text to the user; most still accept the last call of a turn.
    """
    for turn, part, pieces in _said(view):
        blocks = _whole(turn, pieces)
        for number, block in enumerate(blocks):
            if not block.closed:
                last = number == len(blocks) - 1
                severity = Severity.WARNING if last and read_block(block).fault is None else None
                yield Hit(part.pointer, "a call is not closed", CLOSE, brief(block.body), severity=severity)
                break


@rule(
    "qwen3-call-malformed",
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-001 {_PARSER}"],
    bugs=["vllm-project/vllm#45167", "vllm-project/vllm#55848"],
    conforming=[
        example("qwen3/call"),
        example("qwen3/call", put(_TEXT, CALLS.replace("37.57", f'"{CLOSE}"'))),
        example("qwen3/cut-off"),
    ],
    violating=[
        example("qwen3/call", put(_TEXT, CALLS.replace('"name"', "name", 1))),
        example("qwen3/call", put(_TEXT, f"{OPEN}\nget_weather\n{CLOSE}")),
        example("qwen3/call", put(_TEXT, CALLS.replace("}}\n", "}\n", 1))),
        example("qwen3/stream-call", put(_CHUNK.format(1), ""), at=_AT_STREAM),
    ],
)
def qwen3_call_malformed(view: View) -> Iterator[Hit]:
    """The text between a call's tags must be one JSON value.

    Otherwise the user sees the whole block as text, and the tool never runs.
    """
    for turn, part, pieces in _said(view):
        for block in _whole(turn, pieces):
            reading = read_block(block)
            if isinstance(reading.json, Malformed):
                yield Hit(
                    part.pointer, f"a call is not valid JSON: {reading.fault}", "one JSON object", brief(block.body)
                )
                break


@rule(
    "qwen3-call-invalid",
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-002 {_NOUS}"],
    bugs=["vllm-project/vllm#16214", "kekzl/imp#1038"],
    conforming=[example("qwen3/call"), example("qwen3/thinking-run")],
    violating=[
        example("qwen3/call", put(_TEXT, CALLS.replace('"arguments"', '"parameters"', 1))),
        example("qwen3/call", put(_TEXT, CALLS.replace('"get_weather"', "7", 1))),
        example("qwen3/call", put(_TEXT, CALLS.replace('{"latitude": 37.57, "longitude": 126.98}', "[37.57]"))),
        example("qwen3/call", put(_TEXT, f'{OPEN}\n["get_weather"]\n{CLOSE}')),
    ],
)
def qwen3_call_invalid(view: View) -> Iterator[Hit]:
    """A call must be an object with a string `name` and an object `arguments`.

    Parsers look these two keys up, and fail on others.
    """
    for turn, part, pieces in _said(view):
        for block in _whole(turn, pieces):
            reading = read_block(block)
            if isinstance(reading.json, Malformed):
                continue
            given = reading.call.arguments if reading.call else None
            if reading.call is None or not reading.call.name or not isinstance(given, (dict, str)):
                yield Hit(
                    part.pointer, "a call has no valid name or arguments", "name and arguments", brief(block.body)
                )
                break


@rule(
    "qwen3-text-after-call-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-004 {_NOUS}"],
    conforming=[example("qwen3/call"), example("qwen3/call", put(_TEXT, f"I will look both up.\n{CALLS}<|im_end|>"))],
    violating=[
        example("qwen3/call", put(_TEXT, f"{CALLS}\nIt is 20 °C in both.")),
        example("qwen3/call", put(_TEXT, f"{CALLS}<|im_end|>\n<|im_start|>user\nThanks!")),
    ],
)
def qwen3_text_after_call_unexpected(view: View) -> Iterator[Hit]:
    """Only further calls may follow a call, and nothing may follow the end token.

    The model continues without the result and invents it; parsers drop the text.
    """
    for _, part, pieces in _said(view):
        called = False
        for piece in pieces:
            if isinstance(piece, Block):
                called = called or read_block(piece).fault is None
                continue
            rest = piece.rest if isinstance(piece, End) else piece if isinstance(piece, str) and called else ""
            if rest.strip():
                yield Hit(
                    part.pointer, "text follows a call or the end token", "the end of the turn", brief(rest.strip())
                )
                break


@rule(
    "qwen3-call-misplaced",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-005 {_NOUS}"],
    violating=[example("qwen3/thinking-run", put(_TEXT, f"<think>\n{CALLS}\n</think>\n\nWarm."))],
)
def qwen3_call_misplaced(view: View) -> Iterator[Hit]:
    """Calls must come after the think block, not inside it.

    A call inside the think block is not a real call: a parser that accepts it runs what the model only considered.
    """
    for _, part, pieces in _said(view):
        for piece in pieces:
            if isinstance(piece, Thought) and _CALL.search(piece.text):
                yield Hit(
                    part.pointer, "a call is inside the think block", "calls after the think block", brief(piece.text)
                )
                break


@rule(
    "qwen3-think-unclosed",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-007 {_TEMPLATE}"],
    conforming=[example("qwen3/thinking-run"), example("qwen3/call")],
    violating=[example("qwen3/thinking-run", put(_TEXT, THINKING.replace("</think>", "") + CALLS))],
)
def qwen3_think_unclosed(view: View) -> Iterator[Hit]:
    """A think block must be closed before the text and the calls.

    Otherwise everything that follows counts as thought, and the calls are lost.
    """
    for turn, part, pieces in _said(view):
        thoughts = [piece for piece in pieces if isinstance(piece, Thought)]
        if thoughts and not thoughts[-1].closed and turn.stop not in CUT:
            yield Hit(part.pointer, "the think block is not closed", "</think>", brief(thoughts[-1].text))


@rule(
    "qwen3-think-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-R-007 {_TEMPLATE}", f"QWE-Q-004 {_TEMPLATE}"],
    conforming=[
        example("qwen3/thinking-run"),
        example("qwen3/call"),
        example("qwen3/thinking-run", put(_TEXT, CALLS), put("/0/request/body/model", "Qwen/Qwen3-8B-Instruct-2507")),
    ],
    violating=[example("qwen3/thinking-run", put(_TEXT, CALLS))],
)
def qwen3_think_missing(view: View) -> Iterator[Hit]:
    """A thinking model must begin with a think block, unless the prompt ends with an empty one.

    The thoughts were stripped on the way, or the prompt is not the template's.
    """
    if view.ask.extra.get("thinking") is not True or not _THINKER.match(view.model or ""):
        return
    for turn, part, pieces in _said(view):
        if not any(isinstance(piece, Thought) for piece in pieces) and turn.stop not in CUT:
            yield Hit(part.pointer, "the reply has no think block", "<think>", brief(part.text[:40]))


@rule(
    "qwen3-think-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"QWE-Q-004 {_TEMPLATE}"],
    conforming=[example("qwen3/call"), example("qwen3/thinking-run")],
    violating=[example("qwen3/call", put(_TEXT, THINKING + CALLS))],
)
def qwen3_think_unexpected(view: View) -> Iterator[Hit]:
    """A reply to a prompt with an empty think block must not have another one.

    Thinking was disabled to save tokens, and clients do not expect thoughts in the reply.
    """
    if view.ask.extra.get("thinking") is not False:
        return
    for _, part, pieces in _said(view):
        if any(isinstance(piece, Thought) for piece in pieces):
            yield Hit(
                part.pointer, "the reply has thoughts although thinking is off", "no think block", brief(part.text[:40])
            )
