"""The texts of an exchange as the host dialect reads them, before a text dialect reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.view import View
from conformance.model.registry import all_dialects
from conformance.model.transcript import Role, Text, Turn


def text_of(value: Any) -> str:
    """The text of a message's content: a string, or text parts one after the other."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(part["text"] for part in value if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def reply_texts(view: View) -> Iterator[tuple[Turn, Text]]:
    """The texts of a reply as the host reads them, each with its turn."""
    host = view.dialect.host
    if host is None:
        return
    reader = all_dialects()[host]
    turns = reader.read_reply(view.response) if view.events is None else reader.read_stream(view.events)
    for turn in turns:
        for part in turn.parts:
            if isinstance(part, Text):
                yield turn, part


def history_texts(view: View, role: Role) -> Iterator[Text]:
    """The texts of one role in a request as the host reads them."""
    host = view.dialect.host
    if host is None:
        return
    ask = all_dialects()[host].read_request(view.exchange.request, view.request)
    for turn in ask.history:
        for part in turn.parts:
            if isinstance(part, Text) and turn.role == role:
                yield part
