"""Thought signatures of calls, which must be sent back. GEM-C-007, C-008, R-007."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.dialects.gemini.wire import generation, signature_bytes
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Turn


def _version(view: View) -> float | None:
    """The generation of the model, from the URL, or from the reply if the URL has an alias."""
    named = generation(view.model)
    if named is not None or not view.ok:
        return named
    bodies = [event.json for event in view.events] if view.events is not None else [view.response]
    return next(
        (generation(body["modelVersion"]) for body in bodies if isinstance(body, dict) and "modelVersion" in body), None
    )


PLACEHOLDERS = ("skip_thought_signature_validator", "context_engineering_is_the_way_to_go")
"""Documented replacements of a signature, for calls that Gemini 3 did not make."""


def _is_placeholder(signature: str | None) -> bool:
    decoded = signature_bytes(signature) or b""
    return signature in PLACEHOLDERS or any(decoded == each.encode() for each in PLACEHOLDERS)


def current_turn(history: Sequence[Turn]) -> int:
    """The start of the current turn: after the user's last message with more than function responses."""
    for number in range(len(history) - 1, -1, -1):
        if history[number].role == "user":
            return number + 1
    return 0


@rule(
    "gemini-signature-missing",
    scope="request",
    cites=["GEM-C-007", "LCB-C-004"],
)
def signature_missing(view: View) -> Iterator[Hit]:
    """On Gemini 3 the first call of each step of the current turn must have its thought signature.

    The server refuses the request with a 400 that names the call: the run cannot continue. Only the first of parallel
    calls is signed, and turns before the user's last message are not checked. A call that the server sent
    without a signature in this run is the server's fault.
    """
    version = generation(view.model)
    if version is None or version < 3:
        return
    unsigned = [
        (reply.calls[0].name, reply.calls[0].arguments)
        for earlier in view.earlier
        for reply in earlier.replies
        if reply.calls and not reply.calls[0].signature
    ]
    for turn in view.history[current_turn(view.history) :]:
        if turn.role == "assistant" and turn.calls and not turn.calls[0].signature:
            call = turn.calls[0]
            if (call.name, call.arguments) in unsigned:
                continue  # the reply had none either, which gemini-first-call-signature-missing reports
            yield Hit(
                call.pointer,
                f"the call of {call.name} is sent back without its signature",
                "a thoughtSignature",
                "none",
            )


@rule(
    "gemini-signature-changed",
    scope="conversation",
    cites=["GEM-C-007", "GEM-C-008", "LCB-C-004"],
    because="Gemini 3 refuses it; on 2.5 (GEM-C-008) the finding itself is a warning",
)
def signature_changed(view: View) -> Iterator[Hit]:
    """A call must be sent back with the thought signature that it was received with, and no other call with it.

    Gemini 3 refuses a signature that is missing, changed or on another part; 2.5 loses its reasoning. Base64 and
    base64url forms of a signature are equal.
    """
    found = view.continues
    if found is None:
        return
    strict = (_version(view) or 0) >= 3
    for call, echo in found.pairs:
        had, has = signature_bytes(call.signature), signature_bytes(echo.signature or None)
        if had == has or (strict and has is None and echo is found.echo.calls[0]):
            continue  # the rule above reports that the first one is missing
        stand_in = _is_placeholder(echo.signature)
        if had is None and stand_in:
            continue
        if has is None:
            what = "is sent back without its signature"
        elif had is None:
            what = "is sent back with a signature that it did not have"
        else:
            what = "is sent back with a different signature"
        yield Hit(
            echo.pointer,
            f"the call of {call.name} {what}",
            brief(call.signature) if call.signature else "no signature",
            brief(echo.signature) if echo.signature else "no signature",
            severity=None if strict and had is not None and not stand_in else Severity.WARNING,
        )


@rule(
    "gemini-first-call-signature-missing",
    scope="reply",
    cites="GEM-R-007",
)
def first_call_signature_missing(view: View) -> Iterator[Hit]:
    """On Gemini 3 the first call of a reply must have a thought signature.

    Without it no client can send the reply back: the next request is refused.
    """
    if (_version(view) or 0) < 3:
        return
    for turn in view.replies:
        if turn.calls and not turn.calls[0].signature:
            yield Hit(turn.calls[0].pointer, "the first call has no signature", "a thoughtSignature beside it", "none")
