"""An error in a Chat stream says what a failure's body would."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_chat import shape
from conformance.dialects.openai_chat.stream import error_of
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import kind
from conformance.model.pointer import join

_ANSWER = "openai-chat/stream-answer"
_EVENTS = "/0/response/events"
_SCHEMAS = "openai/openai-openapi openapi.json#/components/schemas"
_FAILED = {"error": {"message": "The server is overloaded.", "type": "server_error", "param": None, "code": None}}


@rule(
    "chat-stream-error-malformed",
    severity=Severity.WARNING,
    scope="stream",
    basis="schema",
    cites=[f"OAC-S-015 {_SCHEMAS}/ErrorResponse", "OAC-S-015 openai 2.54 _streaming.py"],
    conforming=[
        example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), *[drop(f"{_EVENTS}/3")] * 3),
        example("openai-chat/stream-run"),
    ],
    violating=[
        example(_ANSWER, put(f"{_EVENTS}/2/data", {"error": "overloaded"}), at="0 response event/2/error"),
        example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), drop(f"{_EVENTS}/2/data/error/message")),
        example(_ANSWER, put(f"{_EVENTS}/2/data", _FAILED), put(f"{_EVENTS}/2/data/error/type", 500)),
    ],
)
def stream_error_malformed(view: View) -> Iterator[Hit]:
    """An error in a stream says what the body of a failure says: message, type, param and code.

    The SDK shows the message; without one the program learns only that something went wrong.
    """
    for event in view.events or ():
        error, at = error_of(event), join(event.pointer, "error")
        if error is None:
            continue
        if not isinstance(error, dict):
            yield Hit(at, "the error is no object", "message, type, param and code", kind(error))
            continue
        found = list(shape.misfits(error, shape.ERROR, at))
        yield from (each.hit for each in found if not each.missing)
        missing = [f"`{each.field}`" for each in found if each.missing]
        if missing:
            yield Hit(at, f"the error lacks {', '.join(missing)}", "message, type, param and code")
