"""Characters and bytes that were lost in transmission: in the model's text, and between the events of a stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import sse
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text

_BROKEN = "\ufffd"
_OUTSIDE = re.compile(r"\n(?!(?:data|event|id|retry)(?::|\n|\Z)|:|\n|\Z)[^\n]*")
"""A line that is neither a field of the standard, nor a comment, nor blank."""


@rule(
    "text-replacement-character-unexpected",
    scope="reply",
    cites="ANY-131",
)
def text_replacement_character_unexpected(view: View) -> Iterator[Hit]:
    """The text of a reply must not contain U+FFFD, unless the request does.

    It replaces a character whose bytes were split between two chunks: the user sees a broken word,
    and the history repeats it.
    """
    if view.dialect.host is not None:
        return  # already reported for the host, which has the same text
    for turn in view.replies:
        for part in turn.parts:
            if not isinstance(part, Text) or _BROKEN not in part.text or turn.stop in ("length", "filter"):
                continue
            if _BROKEN in _asked(view):
                return
            place = part.text.index(_BROKEN)
            around = part.text[max(0, place - 20) : place + 20]
            yield Hit(
                part.pointer,
                "the text contains U+FFFD instead of a character",
                "the original character",
                brief(around),
            )


def _asked(view: View) -> str:
    """The request's values as JSON text, with non-ASCII characters unescaped."""
    return view.request.text if isinstance(view.request, Malformed) else json.dumps(view.request, ensure_ascii=False)


@rule(
    "stream-text-misplaced",
    scope="stream",
    cites=["ANY-108", "ANY-010"],
)
def stream_text_misplaced(view: View) -> Iterator[Hit]:
    """Every line of a stream must be a field of an event, a comment or blank.

    Parsers silently drop any other line: part of the reply, or its stop reason, is lost.
    """
    response = view.exchange.response
    text = response.body.text
    if not response.is_event_stream or not text:
        return
    if len(view.events or ()) > len(response.events):
        return  # the dialect knows this line, such as an error without a field name
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    stray = _OUTSIDE.search(f"\n{text}")
    if stray is not None:
        before = sum(1 for _ in sse.events(text[: stray.start()]))
        yield Hit(
            f"event/{before - 1}" if before else None,
            "a line after this event is not a field of any event"
            if before
            else "a line before the first event is not a field of any event",
            "data, event, id, retry, or a comment",
            brief(stray.group()[1:]),
        )
