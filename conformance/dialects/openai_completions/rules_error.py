"""An error in a stream of texts says what a failure's body would."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_completions import shape
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import kind
from conformance.model.pointer import join

_ANSWER = "openai-completions/stream-answer"
_EVENTS = "/0/response/events"
_FAILED = {"error": {"message": "The server is overloaded.", "type": "server_error", "param": None, "code": 503}}


@rule(
    "completions-stream-error-malformed",
    severity=Severity.WARNING,
    scope="stream",
    basis="schema",
    cites=["OAT-S-005 openai/openai-openapi openapi.json#/components/schemas/ErrorResponse"],
    conforming=[example(_ANSWER), example(_ANSWER, put(f"{_EVENTS}/1/data", _FAILED))],
    violating=[
        example(_ANSWER, put(f"{_EVENTS}/1/data", {"error": "overloaded"}), at="0 response event/1/error"),
        example(_ANSWER, put(f"{_EVENTS}/1/data", _FAILED), drop(f"{_EVENTS}/1/data/error/message")),
    ],
)
def stream_error_malformed(view: View) -> Iterator[Hit]:
    """An error in a stream is an object with a message and a type.

    The SDK shows the message; without one the program learns only that something went wrong.
    """
    for event in view.events or ():
        error = event.json.get("error") if isinstance(event.json, dict) else None
        at = join(event.pointer, "error")
        if error is None:
            continue
        if not isinstance(error, dict):
            yield Hit(at, "the error is not an object", "a message and a type", kind(error))
            continue
        found = list(shape.misfits(error, shape.ERROR, at))
        yield from (each.hit for each in found if not each.missing)
        missing = [f"`{key}`" for key in ("message", "type") if key not in error]
        if missing:
            yield Hit(at, f"the error lacks {', '.join(missing)}", "a message and a type")
