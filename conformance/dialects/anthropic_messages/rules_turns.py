"""The order of turns and blocks in a Messages request, and the thinking that is sent back, ANT-C."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.block import messages
from conformance.judge.example import drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Text, ToolResult, Turn

_ANSWER, _RUN = "anthropic-messages/answer", "anthropic-messages/run"
_THINKING, _STREAMED = "anthropic-messages/thinking-run", "anthropic-messages/stream-thinking-run"
_MESSAGES, _ECHO = "/0/request/body/messages", "/1/request/body/messages/1/content"
_TEXT = {"type": "text", "text": "Here they are."}


@rule(
    "messages-result-misplaced",
    scope="request",
    basis="documented",
    cites=["ANT-C-004 nearai/ironclaw#7274", "ANT-C-002 anthropic 2.11 types/message_create_params.py"],
    bugs=["nearai/ironclaw#7274", "QwenLM/qwen-code#8161"],
    conforming=[
        example(_ANSWER),
        example(_ANSWER, insert(f"{_MESSAGES}/2/content/2", _TEXT)),
        example(_ANSWER, insert(f"{_MESSAGES}/3", {"role": "user", "content": "And in Jeju?"})),
    ],
    violating=[
        example(_ANSWER, insert(f"{_MESSAGES}/2/content/0", _TEXT), at="0 request /messages/2/content/1"),
        example(
            _ANSWER,
            insert(f"{_MESSAGES}/2", {"role": "user", "content": "Here they are."}),
            at="0 request /messages/3/content/0",
        ),
    ],
    part="turns",
)
def result_misplaced(view: View) -> Iterator[Hit]:
    """Tool results must come before all other content of the user's message.

    The server expects the results immediately after the calls, and refuses the request.
    """
    for turn in view.ask.history:
        said: Part | None = None
        for part in turn.parts if turn.role == "user" else ():
            if not (isinstance(part, ToolResult) and part.kind == "function"):
                said = said or part
            elif said is not None:
                yield Hit(part.pointer, "a tool result follows other content", "results first", said.pointer)
                break


@rule(
    "messages-text-after-tool-use-unexpected",
    scope="request",
    basis="observed",
    cites=["ANT-C-005 anomalyco/opencode packages/llm/test/fixtures/recordings/anthropic-messages"],
    conforming=[example(_ANSWER), example(_ANSWER, swap(f"{_MESSAGES}/1/content/1", f"{_MESSAGES}/1/content/2"))],
    violating=[
        example(_ANSWER, insert(f"{_MESSAGES}/1/content/3", _TEXT)),
        example(
            _ANSWER, swap(f"{_MESSAGES}/1/content/0", f"{_MESSAGES}/1/content/1"), at="0 request /messages/1/content/1"
        ),
        example(
            _ANSWER,
            insert(f"{_MESSAGES}/2", {"role": "assistant", "content": "Here they are."}),
            at="0 request /messages/2/content",
        ),
    ],
    part="turns",
)
def text_after_tool_use_unexpected(view: View) -> Iterator[Hit]:
    """In the assistant's content, only calls may follow the first call.

    The server treats later blocks as the next message, finds no results there, and refuses the request.
    """
    for turn in view.ask.history:
        if turn.role != "assistant" or not turn.calls:
            continue
        first = next(number for number, part in enumerate(turn.parts) if part is turn.calls[0])
        for part in turn.parts[first:]:
            if isinstance(part, (Text, Reasoning)):
                what = "text" if isinstance(part, Text) else "thinking"
                yield Hit(part.pointer, f"{what} follows a call", "calls only", what)


@rule(
    "messages-first-role-wrong",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    needs_complete=True,
    cites=["ANT-C-011 recorded traffic 518/519"],
    violating=[example(_ANSWER, drop(f"{_MESSAGES}/0"), at="0 request /messages/0/role")],
)
def first_role_wrong(view: View) -> Iterator[Hit]:
    """The first message must have the role user.

    The server accepts some histories without it, but the model does not know the question.
    """
    first, at = next(messages(view.request), ({}, ""))
    if first.get("role") == "assistant":
        yield Hit(join(at, "role"), "the history begins with the assistant", "user", brief(first.get("role")))


@rule(
    "messages-thinking-changed",
    scope="conversation",
    basis="documented",
    cites=["ANT-C-009 anthropic 2.11 types/thinking_block_param.py"],
    bugs=[
        "RooCodeInc/Roo-Code#10351",
        "langgenius/dify#41092",
        "langchain4j/langchain4j#6244",
        "openai/openai-agents-python#4155",
    ],
    conforming=[
        example(_THINKING),
        example(_STREAMED),
        example(_RUN),
        example(
            _THINKING, put("/1/request/body/thinking", {"type": "disabled"}), drop(f"{_ECHO}/1"), drop(f"{_ECHO}/0")
        ),
    ],
    violating=[
        example(_THINKING, put(f"{_ECHO}/0/thinking", "Two calls."), at="1 request /messages/1/content/0"),
        example(_STREAMED, put(f"{_ECHO}/0/signature", ""), at="1 request /messages/1/content/0"),
        example(_THINKING, swap(f"{_ECHO}/0", f"{_ECHO}/1")),
        example(_THINKING, drop(f"{_ECHO}/1"), at="1 request /messages/1"),
        example(_THINKING, drop(f"{_ECHO}/1"), drop(f"{_ECHO}/0"), at="1 request /messages/1"),
        example(_THINKING, swap(f"{_ECHO}/1", f"{_ECHO}/2"), at="1 request /messages/1/content/2"),
    ],
)
def thinking_changed(view: View) -> Iterator[Hit]:
    """Thinking that belongs to a call must be sent back with the result, unmodified and in order.

    The server checks the signature and refuses the request, or the model goes on without its plan.
    """
    found = view.continues
    if found is None or view.earlier[found.earlier].dialect is not view.dialect:
        return
    received, sent = _thinking(found.reply), _thinking(found.echo)
    for one, other in zip(received, sent, strict=False):
        lost_seal = bool(one.signature) and not other.signature
        if one.text != other.text or lost_seal or (one.signature != other.signature and _moved(other, received)):
            what = "signature" if lost_seal and one.text == other.text else "thinking"
            yield Hit(other.pointer, f"the {what} differs from the one in the reply", "the block of the reply")
            return
    if len(sent) > len(received):
        yield Hit(sent[len(received)].pointer, "the reply had no such thinking", "the blocks of the reply")
    elif len(sent) < len(received):
        yield from _left_out(view, found.reply, found.echo, len(received) - len(sent))
    else:
        yield from _displaced(found.reply, found.echo)


def _thinking(turn: Turn) -> list[Reasoning]:
    return [part for part in turn.parts if isinstance(part, Reasoning)]


def _moved(part: Reasoning, received: list[Reasoning]) -> bool:
    """Whether the block is another block of the reply; another rule reports an unknown signature."""
    return any(part.signature == each.signature for each in received)


def _left_out(view: View, reply: Turn, echo: Turn, count: int) -> Iterator[Hit]:
    """Thinking may be dropped after the final answer to its calls, or if thinking is turned off."""
    thinking = view.request.get("thinking") if isinstance(view.request, dict) else None
    thinks = isinstance(thinking, dict) and thinking.get("type") != "disabled"
    current = not any(turn.role == "assistant" for turn in view.ask.history[view.ask.history.index(echo) + 1 :])
    if reply.calls and thinks and current:
        yield Hit(echo.pointer, f"{count} thinking block(s) of the reply are missing", "all thinking of the reply")


def _displaced(reply: Turn, echo: Turn) -> Iterator[Hit]:
    """Blocks at another position among the others, without empty text."""
    received, sent = ([part for part in turn.parts if not _is_blank(part)] for turn in (reply, echo))
    places = [number for number, part in enumerate(received) if isinstance(part, Reasoning)]
    for number, part in enumerate(sent):
        if isinstance(part, Reasoning) and (not places or number != places.pop(0)):
            yield Hit(
                part.pointer, "the thinking is at a different position than in the reply", "the order of the reply"
            )
            return


def _is_blank(part: Part) -> bool:
    return isinstance(part, Text) and not part.text.strip()
