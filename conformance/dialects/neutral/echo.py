"""A request sends an earlier reply back unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.continuation import Continuation, spelled
from conformance.judge.echoed_calls import pairs_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Malformed, Reasoning, ToolCall, ToolResult, Turn


def _same_wire(view: View, found: Continuation) -> bool:
    """Whether the reply came from the provider of the request: only there do its ids and signatures have a meaning."""
    earlier = view.earlier[found.earlier]
    return (earlier.dialect is view.dialect) and (earlier.exchange.request.host == view.exchange.request.host)


@rule(
    "echoed-call-changed",
    scope="conversation",
    cites=["ANY-149", "LCB-C-002"],
    about="continuation",
)
def echoed_call_changed(view: View) -> Iterator[Hit]:
    """A call that is sent back must keep its id, name and arguments.

    The model sees a different call than it made; the result no longer matches the provider's stored call.
    """
    found = view.continues
    if found is None:
        return
    for call, echo in found.pairs:
        if call.name != echo.name:
            yield Hit(echo.pointer, "the call is sent back with a different name", call.name, echo.name)
        if not jsontext.same(call.arguments, echo.arguments):
            yield Hit(
                echo.pointer,
                f"the call of {call.name} is sent back with different arguments",
                jsontext.brief(call.arguments),
                jsontext.brief(echo.arguments),
                # Where arguments are a JSON value, malformed ones cannot be sent back unchanged.
                severity=Severity.WARNING if isinstance(call.arguments, Malformed) else None,
            )
        dropped = echo.id is None and view.dialect.optional_ids
        if call.id and call.id != echo.id and not dropped and _same_wire(view, found):
            answered = any(one is echo for _, _, pairing in view.answered for one, _ in pairing.pairs)
            yield Hit(
                echo.pointer,
                f"the call of {call.name} is sent back {'with a different' if echo.id else 'without its'} id",
                call.id,
                echo.id or "no id",
                # With the same new id on the call and on its result, the two still belong together.
                severity=None if echo.id and not answered else Severity.WARNING,
            )


@rule(
    "echoed-calls-mismatch",
    scope="conversation",
    cites="ANY-150",
    about="continuation",
)
def echoed_calls_mismatch(view: View) -> Iterator[Hit]:
    """A reply that is sent back must have the same calls in the same order.

    The model never gets the result of a dropped call, and an added call is one that it never made.
    """
    found = view.continues
    if found is None:
        return
    kept = [id(call) for call, _ in found.pairs]
    echoed = [id(echo) for _, echo in found.pairs]
    later = _sent_later(view, found)
    lost = [call for call in found.reply.calls if id(call) not in kept and call.id not in later]
    added = [echo for echo in found.echo.calls if id(echo) not in echoed]
    # A missing and an added call together are a replaced call, and one of several is lost: no shortened history.
    lost_one = found.pairs and not _are_sent(lost, view, found)
    severity = Severity.ERROR if lost and (added or lost_one) else None
    for echo in added:
        yield Hit(
            echo.pointer, f"the reply had no such call of {echo.name}", "the calls of the reply", severity=severity
        )
    places = [next(place for place, each in enumerate(found.reply.calls) if each is call) for call, _ in found.pairs]
    if places != sorted(places) and not lost and not added:
        yield Hit(
            found.echo.pointer, "the calls are sent back in a different order", "the order of the reply", str(places)
        )
    if found.reply.stop == "pause":  # the provider goes on where it paused, with its own tools
        kept_ids = {each.call_id if isinstance(each, ToolResult) else each.id for each in found.echo.server_parts}
        own = (each for each in found.reply.server_parts if isinstance(each, ToolCall))
        lost += [each for each in own if each.id not in kept_ids]
    if lost and not added:
        names = ", ".join(str(call.id or call.name) for call in lost)
        yield Hit(
            found.echo.pointer, f"call {names} of the reply is missing", "the calls of the reply", severity=severity
        )


def _are_sent(lost: list[ToolCall], view: View, found: Continuation) -> bool:
    """Whether later turns have the calls, as those of a client that sends one call in each turn."""
    return bool(pairs_of(lost, _later_calls(view, found)))


def _sent_later(view: View, found: Continuation) -> set[str | None]:
    """The ids of calls after results of the same reply, in dialects where calls and results may alternate."""
    if not view.dialect.alternates_calls:
        return set()
    return {call.id for call in _later_calls(view, found) if call.id}


def _later_calls(view: View, found: Continuation) -> list[ToolCall]:
    """The calls of the turns after the reply that is sent back."""
    at = next(number for number, turn in enumerate(view.history) if turn is found.echo)
    return [call for turn in view.history[at + 1 :] for call in turn.calls]


@rule(
    "echoed-signature-changed",
    scope="conversation",
    cites="ANY-152",
    opt_in=True,
    about="continuation",
)
def echoed_signature_changed(view: View) -> Iterator[Hit]:
    """A signature on reasoning or on a call that is sent back must be the one that was received.

    The provider verifies it and rejects the request, or loses its reasoning.
    """
    found = view.continues
    if found is None or not _same_wire(view, found):
        return
    received = {spelled(seal) for seal, _ in _seals(found.reply)}
    for seal, pointer in _seals(found.echo):
        if received and spelled(seal) not in received:
            yield Hit(pointer, "the signature differs from the one in the reply", "the signature of the reply")


def _seals(turn: Turn) -> Iterator[tuple[str, str]]:
    for part in turn.parts:
        if isinstance(part, (Reasoning, ToolCall)) and part.signature:
            yield part.signature, part.pointer


@rule(
    "echoed-text-missing",
    scope="conversation",
    cites="ANY-188",
    about="continuation",
)
def echoed_text_missing(view: View) -> Iterator[Hit]:
    """A reply that is sent back must keep the text that it had beside its calls.

    The text is the model's plan for the calls; without it, the model starts to think anew.
    """
    found = view.continues_in_dialect
    if found is None or not (found.pairs and found.reply.text.strip()) or found.echo.text.strip():
        return
    message = "the text of the reply is missing beside its calls"
    yield Hit(found.echo.pointer, message, jsontext.brief(found.reply.text), "no text")
