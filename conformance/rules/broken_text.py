"""Characters and bytes that were lost on the way: in what the model says, and between the events that carry it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from conformance.judge.example import Edit, change, drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import sse
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text

_BROKEN = "\ufffd"
_ANSWER = "openai-chat/stream-answer"
_TEXT = "/0/response/body/choices/0/message/content"
_OUTSIDE = re.compile(r"\n(?!(?:data|event|id|retry)(?::|\n|\Z)|:|\n|\Z)[^\n]*")
"""A line that is no field of the standard, no comment, and not blank."""
_EVENT = (
    'data: {"candidates": [{"content": {"parts": [{"text": "14.2"}], "role": "model"}, "finishReason": "STOP"}], '
    '"usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 1}, '
    '"modelVersion": "gemini-2.0-flash", "responseId": "a"}\n\n'
)

_ERROR = '{"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}'


def _sent(text: str) -> tuple[Edit, Edit]:
    """The edits that make a text the body of a streamed response."""
    return drop("/0/response/events"), put("/0/response/body", text)


@rule(
    "text-replacement-character-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-S-016 openclaw/openclaw#110642",
        "ANT-S-005 openclaw/openclaw#110642",
        "GEM-S-006 openclaw/openclaw#110642",
        "OAR-S-012 openclaw/openclaw#110642",
    ],
    bugs=["kekzl/imp#1554", "openclaw/openclaw#115536", "openclaw/openclaw#110642", "eliza#30904"],
    conforming=[
        example("openai-chat/answer"),
        example(_ANSWER),
        example("openai-chat/answer", put(_TEXT, "14.\ufffd"), put("/0/request/body/messages/0/content", "\ufffd?")),
        example("openai-chat/cut-off", change(_TEXT, "in", "\ufffd")),
    ],
    violating=[
        example("openai-chat/answer", change(_TEXT, "°", "\ufffd\ufffd"), at="0 response /choices/0/message/content"),
        example(
            _ANSWER,
            change("/0/response/events/1/data/choices/0/delta/content", "°", "\ufffd\ufffd"),
            at="0 response event/1/choices/0/delta/content",
        ),
        example(
            "anthropic-messages/answer",
            change("/0/response/body/content/0/text", "°", "\ufffd"),
            at="0 response /content/0",
        ),
    ],
)
def text_replacement_character_unexpected(view: View) -> Iterator[Hit]:
    """No U+FFFD stands in the text of a reply, unless the request held one.

    It is what is left of a character whose bytes were cut apart between two chunks: the user reads a broken word,
    and the history carries it on.
    """
    if view.dialect.host is not None:
        return  # the carrier's own reading of the same text has said it
    for turn in view.replies:
        for part in turn.parts:
            if not isinstance(part, Text) or _BROKEN not in part.text or turn.stop in ("length", "filter"):
                continue
            if _BROKEN in _asked(view):
                return
            place = part.text.index(_BROKEN)
            around = part.text[max(0, place - 20) : place + 20]
            yield Hit(part.pointer, "the text holds a broken character", "the character that was cut", brief(around))


def _asked(view: View) -> str:
    """The request's values as text in which characters stand for themselves."""
    return view.request.text if isinstance(view.request, Malformed) else json.dumps(view.request, ensure_ascii=False)


@rule(
    "stream-text-misplaced",
    severity=Severity.WARNING,
    scope="stream",
    basis="documented",
    cites=[
        "OAC-S-002 WHATWG HTML standard section 9.2.6",
        "ANT-S-002 WHATWG HTML standard section 9.2.6",
        "GEM-S-001 WHATWG HTML standard section 9.2.6",
        "OAR-S-004 WHATWG HTML standard section 9.2.6",
        "MCP-A-008 WHATWG HTML standard section 9.2.6",
    ],
    conforming=[
        example("openai-chat/stream-call"),
        example("anthropic-messages/stream-call"),
        example("gemini/stream-call", *_sent(f": keep-alive\n\nid: 1\nretry: 3000\n{_EVENT}")),
        example("gemini/stream-call", *_sent(f"{_EVENT}{_ERROR}")),
    ],
    violating=[
        example("gemini/stream-call", *_sent(f"{_EVENT}Internal Server Error"), at="0 response event/0"),
        example("gemini/stream-call", *_sent(f"{_EVENT}dta: {{}}\n\n"), at="0 response event/0"),
        example("gemini/stream-call", *_sent(f"HTTP/1.1 200 OK\n{_EVENT}"), at="0 response"),
    ],
)
def stream_text_misplaced(view: View) -> Iterator[Hit]:
    """Every line of a stream is a field of an event or a comment, to the last byte.

    Readers drop any other line without a word: a piece of the reply, or the reason why it ends, is lost.
    """
    response = view.exchange.response
    text = response.body.text
    if not response.is_event_stream or not text:
        return
    if len(view.events or ()) > len(response.events):
        return  # the dialect knows what stands there: Gemini's bare error
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    stray = _OUTSIDE.search(f"\n{text}")
    if stray is not None:
        before = sum(1 for _ in sse.events(text[: stray.start()]))
        yield Hit(
            f"event/{before - 1}" if before else None,
            "a line follows that belongs to no event" if before else "a line before the first event belongs to none",
            "data, event, id, retry, or a comment",
            brief(stray.group()[1:]),
        )
