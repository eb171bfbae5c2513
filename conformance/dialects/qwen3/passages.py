"""The texts of Qwen3 that rows read: the turns of a prompt, the lines of its tools, and the replies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from conformance.dialects.qwen3.claims import START, is_chat, prompt_of
from conformance.dialects.qwen3.parse import OPEN, THINK, Block, End, Piece, Thought, read_block, scan
from conformance.dialects.qwen3.prompt import HEADING, NO_THOUGHT, RESULT_CLOSE, RESULT_OPEN, instructions
from conformance.dialects.qwen3.request import Frame, frames_of, is_broken, results_in, tool_lines
from conformance.dialects.qwen3.tags import unpaired
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.dialects.text.rows import Passage, Span, source
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.transcript import Malformed

ROLES = ("system", "user", "assistant")
_HERMES = re.compile(r"(?i)hermes")
"""Models whose template has a turn of results by itself."""
_THINKER = re.compile(r"(?i)(.*/)?qwen-?3[-:]\d+(\.\d+)?b(-a\d+b)?(-(fp8|awq|gptq\S*|gguf\S*))?$")
"""Models that think unless the prompt turns it off; those with other names (dated, or for code) may not."""


# The prompt ----------------------------------------------------------------------------------------------------------
@source("request")
def turns(view: View) -> Iterator[Passage]:
    """The turns of the prompt, of the kinds of `_KINDS`, of that of their role, and of those of their place."""
    found = frames_of(view.request)
    chat, spans = is_chat(view.request), []
    for number, frame in enumerate(found):
        roles = (*ROLES, "tool") if _HERMES.search(view.model or "") else ROLES
        role = frame.role if frame.role in roles else "unknown role" if frame.role or not frame.closed else "rest"
        kinds = ["turn", role]
        kinds += (kind for kind, is_of in _KINDS.items() if not (chat and kind in _OF_TEMPLATE) and is_of(frame))
        kinds += _of_place(found, number)
        if frame.role == "system" and frame.body in [each.body for each in found[:number]]:
            kinds.append("repeated")
        raw = f"{frame.gap}{START}{frame.role}\n{frame.body}" if frame.role else frame.gap
        spans.append(Span(tuple(kinds), frame.body, raw, str(number), whole=frame.closed))
    if spans:
        yield Passage("/messages" if chat else found[0].at, tuple(spans))


def _of_place(found: Sequence[Frame], number: int) -> Iterator[str]:
    frame, last = found[number], number == len(found) - 1
    rest = frame.role == "" and last and frame.gap == "\n"
    if frame.gap != ("\n" if number else "") and not rest:
        yield "outside text"
    if not frame.closed and not last:
        yield "without its end"


def _thinks(frame: Frame) -> bool:
    return THINK in frame.body and any(isinstance(piece, Thought) and piece.opened for piece in scan(frame.body))


def _half_result(frame: Frame) -> bool:
    """Whether a tag of a result has no counterpart, or a result contains one."""
    results, rest = results_in(frame.body), frame.body
    for result in results:
        rest = rest.replace(result, "", 1)
    opening, closing = rest.count(RESULT_OPEN), rest.count(RESULT_CLOSE)
    return not opening == closing == len(results) or any(RESULT_OPEN in result for result in results)


def _quoted(result: str) -> bool:
    """Whether a result is JSON in quotes."""
    inner = result.strip()
    if not (inner.startswith('"') and inner.endswith('"') and len(inner) > 1):
        return False
    value = jsontext.parse(inner)
    text = inner[1:-1] if isinstance(value, Malformed) else value
    return isinstance(text, str) and isinstance(jsontext.parse(text), (dict, list))


def _other_words(frame: Frame) -> bool:
    """Whether the text around the tools is not the template's."""
    _, heading, rest = frame.body.partition(HEADING)
    return bool(heading) and instructions(tool_lines([frame]) or ()) != heading + rest


_KINDS: Mapping[str, Callable[[Frame], bool]] = {
    "without a line end": lambda frame: bool(frame.role) and frame.broken_line,
    "results": lambda frame: frame.role != "assistant" and RESULT_OPEN in frame.body,
    "half a result": lambda frame: frame.role in ("user", "tool") and _half_result(frame),
    "quoted result": lambda frame: any(map(_quoted, results_in(frame.body))),
    "question": lambda frame: frame.role == "user" and RESULT_OPEN not in frame.body,
    "thoughts": lambda frame: frame.role == "assistant" and _thinks(frame),
    "tools": lambda frame: frame.role == "system" and "<tools>" in frame.body,
    "other instructions": lambda frame: frame.role == "system" and _other_words(frame),
    "open": lambda frame: (
        frame.role == "assistant"
        and not (frame.closed or frame.broken_line)
        and frame.body in ("", NO_THOUGHT, f"{THINK}\n")
    ),
}
"""The kinds of a turn, beside its role and its place."""
_OF_TEMPLATE = ("thoughts", "other instructions")
"""The kinds of what the template writes, which in a chat is the server's affair."""


@source("request")
def tools(view: View) -> Iterator[Passage]:
    """The lines between the tools tags."""
    found = frames_of(view.request)
    lines = enumerate(tool_lines(found) or ())
    spans = (Span(("broken",) if is_broken(line) else (), line, name=str(number)) for number, line in lines)
    if found:
        yield Passage(found[0].at, tuple(spans))


@source("request")
def earlier_calls(view: View) -> Iterator[Passage]:
    """The calls in the model's earlier turns."""
    for frame in frames_of(view.request):
        if frame.role == "assistant" and frame.closed and OPEN in frame.body:
            blocks = (piece for piece in scan(frame.body) if isinstance(piece, Block))
            yield Passage(frame.at, tuple(Span(() if _is_sound(block) else ("broken",), block.raw) for block in blocks))


def _is_sound(block: Block) -> bool:
    call = read_block(block).call
    return call is not None and block.closed and isinstance(call.arguments, dict)


@source("request")
def earlier_tags(view: View) -> Iterator[Passage]:
    """The tags without a counterpart in earlier turns."""
    for frame in frames_of(view.request):
        tags: list[str] = []
        if frame.role == "assistant" and frame.closed:
            tags = [tag for tag, _ in unpaired(frame.body)]
        elif frame.role == "user" and f"\n{RESULT_CLOSE}{RESULT_CLOSE}" in frame.body:
            tags = [RESULT_CLOSE]
        yield Passage(frame.at, tuple(Span(("tag",), tag, name=tag) for tag in tags))


# The reply -----------------------------------------------------------------------------------------------------------
@source("reply")
def reply(view: View) -> Iterator[Passage]:
    """The replies: thoughts, text, and blocks; an incomplete block at the end of a truncated reply has no fault."""
    for turn, part in reply_texts(view):
        cut = turn.stop in CUT
        yield Passage(part.pointer, tuple(_spans(scan(part.text), cut=cut)), cut, part.text)


def _spans(pieces: Sequence[Piece], *, cut: bool) -> Iterator[Span]:
    last_block = _last(pieces, Block)
    last_thought = _last(pieces, Thought)
    for piece in pieces:
        if isinstance(piece, Block):
            reading = read_block(piece)
            kinds = () if cut and piece is last_block and not piece.closed else _of_block(piece, last_block)
            yield Span(("call", *kinds) if reading.fault is None else kinds, piece.body, name=reading.fault or "")
        elif isinstance(piece, Thought):
            yield Span(("thought",), piece.text, closed=piece.closed or cut or piece is not last_thought)
        elif isinstance(piece, End):
            yield Span(("after the end",) if piece.rest.strip() else (), piece.rest)
        elif piece.strip():
            yield Span(("text",), piece)


def _last(pieces: Iterable[Piece], kind: type[Block | Thought]) -> Piece | None:
    return next((piece for piece in reversed(list(pieces)) if isinstance(piece, kind)), None)


def _of_block(block: Block, last: Piece | None) -> tuple[str, ...]:
    reading = read_block(block)
    given = reading.call.arguments if reading.call else None
    closing = () if block.closed else ("open at the end",) if block is last and reading.fault is None else ("open",)
    if isinstance(reading.json, Malformed):
        return ("no JSON", *closing)
    named = reading.call is not None and reading.call.name and isinstance(given, (dict, str))
    return closing if named else ("no call", *closing)


@source("reply")
def thinking(view: View) -> Sequence[Passage]:
    """The replies of a model that should think."""
    thinks = view.ask.extra.get("thinking") is True and _THINKER.match(view.model or "")
    return reply.read(view) if thinks else ()


@source("reply")
def not_thinking(view: View) -> Sequence[Passage]:
    """The replies to a prompt that turns thinking off."""
    return reply.read(view) if view.ask.extra.get("thinking") is False else ()


@source("reply")
def tags(view: View) -> Iterator[Passage]:
    """The tags without a counterpart in the replies, of those that hide a call, and of surplus ones."""
    opened = prompt_of(view.request).rstrip().endswith(THINK)
    for turn, part in reply_texts(view):
        if turn.stop not in ("length", "error"):
            found = unpaired(f"{THINK}{part.text}" if opened else part.text)
            spans = (Span(("hides a call" if hides else "surplus",), tag, name=tag) for tag, hides in found)
            yield Passage(part.pointer, tuple(spans))
