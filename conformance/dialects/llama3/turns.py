"""Prompts and chats as neutral requests: messages as turns, functions as tool definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from conformance.dialects.llama3.definitions import AT, CHAT_AT, Offer, offer_in, offer_of, without_definitions
from conformance.dialects.llama3.frame import Frame, Message, read_frame
from conformance.dialects.llama3.parse import parse
from conformance.dialects.text.reading import placed, reread
from conformance.model import jsontext
from conformance.model.transcript import Ask, Part, Text, ToolResult, Turn


def read_prompt(ask: Ask, prompt: str) -> Ask:
    """The host's request, with the turns that are in its prompt."""
    offer = offer_of(prompt)
    return replace(ask, tools=offer.tools, history=tuple(_turns(read_frame(prompt), offer)))


def read_chat(ask: Ask, system: str, user: str) -> Ask:
    """The host's request, with the functions in its texts, the calls, and the turns after them as their results."""
    turns: list[Turn] = []
    for turn in ask.history:
        if turn.role == "assistant":
            turns.append(reread(turn, parse))
        elif turn.role in ("user", "unknown") and turns and turns[-1].calls and turn.text:
            texts = (part for part in turn.parts if isinstance(part, Text))
            results = tuple(ToolResult(None, None, part.text, pointer=part.pointer) for part in texts)
            turns.append(Turn("tool", results, turn.pointer))
        else:
            turns.append(turn)
    return replace(ask, tools=offer_in(system, user, CHAT_AT).tools, history=tuple(turns))


def _turns(frame: Frame, offer: Offer) -> Iterator[Turn]:
    """The messages as turns; consecutive results are one turn, because they answer one set of calls."""
    results: list[Part] = []
    asked = False
    for message in frame.messages:
        if message.role == "ipython":
            results.append(ToolResult(None, None, _content(message.body), pointer=AT))
            continue
        if results:
            yield Turn("tool", tuple(results), AT)
            results = []
        words = offer.words if message.role == "user" and not asked else message.body
        asked = asked or message.role == "user"
        yield _turn(message, words)
    if results:
        yield Turn("tool", tuple(results), AT)


def _turn(message: Message, words: str) -> Turn:
    if message.role == "assistant":
        return Turn("assistant", tuple(placed(parse(message.raw), AT)), AT)
    if message.role == "system":
        return Turn("system", (Text(without_definitions(words), AT),), AT)
    text = (Text(words, AT),) if words else ()
    return Turn("user" if message.role == "user" else "unknown", text, AT)


def _content(body: str) -> Any:
    """A result: the text, or the object in which some templates wrap it."""
    value = jsontext.parse(body) if body.startswith("{") else None
    return value if isinstance(value, dict) and value.keys() == {"output"} else body
