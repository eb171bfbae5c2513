"""The model's text: first thoughts, then text, then calls in closed JSON at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.qwen3.parse import CLOSE, OPEN, Block, End, Piece, Thought, read_block, scan
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text, Turn

_TEMPLATE = "QwenLM/Qwen3 chat template"
_NOUS = "QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py"
_PARSER = "vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py"
_THINKER = re.compile(r"(?i)(.*/)?qwen-?3[-:]\d+(\.\d+)?b(-a\d+b)?(-(fp8|awq|gptq\S*|gguf\S*))?$")
"""Models that think unless the prompt turns it off; those with other names (dated, or for code) may not."""


def _scanned(view: View) -> Iterator[tuple[Turn, Text, tuple[Piece, ...]]]:
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
    cites="QWE-R-001",
)
def qwen3_call_unclosed(view: View) -> Iterator[Hit]:
    """Every call must have its closing tag.

    Some parsers drop the call, others show its text to the user; most still accept the last call of a turn.
    """
    for turn, part, pieces in _scanned(view):
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
    cites="QWE-R-001",
)
def qwen3_call_malformed(view: View) -> Iterator[Hit]:
    """The text between a call's tags must be one JSON value.

    Otherwise the user sees the whole block as text, and the tool never runs.
    """
    for turn, part, pieces in _scanned(view):
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
    cites="QWE-R-002",
)
def qwen3_call_invalid(view: View) -> Iterator[Hit]:
    """A call must be an object with a string `name` and an object `arguments`.

    Parsers look these two keys up, and fail on others.
    """
    for turn, part, pieces in _scanned(view):
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
    scope="reply",
    cites="QWE-R-004",
)
def qwen3_text_after_call_unexpected(view: View) -> Iterator[Hit]:
    """Only further calls may follow a call, and nothing may follow the end token.

    The model continues without the result and invents it; parsers drop the text.
    """
    for _, part, pieces in _scanned(view):
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
    scope="reply",
    cites="QWE-R-005",
    severity=Severity.WARNING,
    because="the statement is about readers, and Qwen-Agent and this suite take no call from it",
)
def qwen3_call_misplaced(view: View) -> Iterator[Hit]:
    """Calls must come after the think block, not inside it.

    A call inside the think block is not a real call: a parser that accepts it runs what the model only considered.
    """
    for _, part, pieces in _scanned(view):
        for piece in pieces:
            if isinstance(piece, Thought) and _CALL.search(piece.text):
                yield Hit(
                    part.pointer, "a call is inside the think block", "calls after the think block", brief(piece.text)
                )
                break


@rule(
    "qwen3-think-unclosed",
    scope="reply",
    cites="QWE-R-007",
)
def qwen3_think_unclosed(view: View) -> Iterator[Hit]:
    """A think block must be closed before the text and the calls.

    Otherwise everything that follows counts as thought, and the calls are lost.
    """
    for turn, part, pieces in _scanned(view):
        thoughts = [piece for piece in pieces if isinstance(piece, Thought)]
        if thoughts and not thoughts[-1].closed and turn.stop not in CUT:
            yield Hit(part.pointer, "the think block is not closed", "</think>", brief(thoughts[-1].text))


@rule(
    "qwen3-think-missing",
    scope="reply",
    cites=["QWE-R-007", "QWE-Q-004"],
    because="QWE-Q-004 is about the prompt; the reply does not show which side left the thoughts out",
)
def qwen3_think_missing(view: View) -> Iterator[Hit]:
    """A thinking model must begin with a think block, unless the prompt ends with an empty one.

    The thoughts were stripped on the way, or the prompt is not the template's.
    """
    if view.ask.extra.get("thinking") is not True or not _THINKER.match(view.model or ""):
        return
    for turn, part, pieces in _scanned(view):
        if not any(isinstance(piece, Thought) for piece in pieces) and turn.stop not in CUT:
            yield Hit(part.pointer, "the reply has no think block", "<think>", brief(part.text[:40]))


@rule(
    "qwen3-think-unexpected",
    scope="reply",
    cites="QWE-Q-004",
    severity=Severity.WARNING,
    because="the statement is about the prompt, which has the empty block; parsers drop another one like any thought",
)
def qwen3_think_unexpected(view: View) -> Iterator[Hit]:
    """A reply to a prompt with an empty think block must not have another one.

    Thinking was disabled to save tokens, and clients do not expect thoughts in the reply.
    """
    if view.ask.extra.get("thinking") is not False:
        return
    for _, part, pieces in _scanned(view):
        if any(isinstance(piece, Thought) for piece in pieces):
            yield Hit(
                part.pointer, "the reply has thoughts although thinking is off", "no think block", brief(part.text[:40])
            )
