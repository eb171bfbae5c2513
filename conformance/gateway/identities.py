"""Follows the ids of calls, and signatures, over a whole run: to the client and back to the upstream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from conformance.gateway.legs import Passed
from conformance.gateway.loss import Difference, Differences, Found, place
from conformance.gateway.reading import LegExchange
from conformance.model.transcript import Reasoning, Text, ToolCall, Turn


def identity_losses(steps: Sequence[Passed]) -> Iterator[Found]:
    """Ids and signatures that are lost, doubled or changed on their way."""
    yield from _id_losses(steps)
    yield from _signature_losses(steps)


def _id_losses(steps: Sequence[Passed]) -> Iterator[Found]:
    """Ids that the client gets twice, and those under which a call comes back to the upstream changed."""
    sent: dict[str, str] = {}
    got: dict[str, str] = {}
    seen: set[str] = set()
    for client, upstream, _ in steps:
        yield from place(_changed(client, upstream, sent, got), "up", client.number, upstream.number)
        sent |= _ids(_calls(upstream))
        got |= _ids(_calls(client))
        yield from place(_repeated(_calls(client), seen), "down", client.number, upstream.number)
        seen |= {call.id for call in _calls(client) if call.id}


def _changed(
    client: LegExchange, upstream: LegExchange, sent: Mapping[str, str], got: Mapping[str, str]
) -> Differences:
    """Calls that the upstream `sent` under another id, unless the client `got` that one and changed it itself."""
    own = {call.id for call in client.history.calls}
    for call in upstream.history.calls:
        before = sent.get(_wording(call))
        by_client = got.get(_wording(call)) == before and call.id in own
        if before and call.id and before != call.id and not by_client:
            what = f"the call of '{call.name}' comes back to the upstream under another id"
            yield Difference("call-id-changed", what, (None, call.pointer), before, call.id)


def _repeated(calls: Sequence[ToolCall], seen: set[str]) -> Differences:
    for number, call in enumerate(calls):
        if call.id and (call.id in seen or call.id in {each.id for each in calls[:number]}):
            what = "the client gets several calls with the same id"
            yield Difference("call-id-duplicate", what, (None, call.pointer), None, call.id)


def _calls(exchange: LegExchange) -> Sequence[ToolCall]:
    return exchange.answer.turn.calls if exchange.answer.turn is not None else ()


def _ids(calls: Sequence[ToolCall]) -> dict[str, str]:
    """The ids by the wording of the calls, of those that are made once."""
    times = Counter(map(_wording, calls))
    return {_wording(call): call.id for call in calls if call.id and times[_wording(call)] == 1}


def _wording(call: ToolCall) -> str:
    return f"{call.name} {call.arguments!r}"


def _signature_losses(steps: Sequence[Passed]) -> Iterator[Found]:
    """Signatures that the client does not get, and those that do not come back to the upstream as it sent them.

    Gateways pack signatures into forms of their own for the client; only what comes back has to be the same.
    """
    for number, (client, upstream, conversation) in enumerate(steps):
        earlier = [each.upstream for each in steps[:number] if each.conversation == conversation]
        yield from place(_not_sent(client, upstream), "down", client.number, upstream.number)
        yield from place(_not_returned(client, upstream, earlier), "up", client.number, upstream.number)


def _not_sent(client: LegExchange, upstream: LegExchange) -> Differences:
    sent = _signatures(upstream.answer.turn)
    if sent and client.answer.turn is not None and not _signatures(client.answer.turn):
        lacking = client.expressible.lacking("signature", _kind(upstream.answer.turn))
        what, before = "the client gets no signature", f"{len(sent)} signatures"
        yield Difference("signature-dropped", what, before=before, lacking=lacking)


def _not_returned(client: LegExchange, upstream: LegExchange, earlier: Sequence[LegExchange]) -> Differences:
    known = {_bytes(signature) for each in earlier for signature in _signatures(each.answer.turn)}
    returned, there = _in_history(client), _in_history(upstream)
    if not known or not returned:
        return
    signature, place = returned[0]
    if not there:
        what = "the signatures do not come back to the upstream"
        yield Difference("signature-dropped", what, (place, None), signature)
    passed = {_bytes(signature) for signature, _ in returned}
    for signature, pointer in there:
        if _bytes(signature) not in known | passed:
            what = "the upstream gets a signature that it did not send"
            yield Difference("signature-changed", what, (place, pointer), None, signature)


def _bytes(signature: str) -> str:
    """A signature in one spelling: JSON libraries write bytes in either alphabet of base64, with or without padding."""
    return signature.translate(str.maketrans("-_", "+/")).rstrip("=")


def _signatures(turn: Turn | None) -> set[str]:
    """The signatures in an answer."""
    parts = turn.parts if turn is not None else ()
    signed = [
        part for part in parts if isinstance(part, Reasoning) or (isinstance(part, ToolCall) and part.kind != "server")
    ]
    return {part.signature for part in signed if part.signature}


def _in_history(exchange: LegExchange) -> list[tuple[str, str]]:
    """The signatures in the history of a request, with their places."""
    return [
        (part.signature, part.pointer)
        for turn in exchange.turns
        for part in turn.parts
        if isinstance(part, (Reasoning, ToolCall)) and part.signature
    ]


def _kind(turn: Turn | None) -> str:
    """Whether the signatures of an answer are those of calls, of reasoning that is shown, or of a text."""
    parts = turn.parts if turn is not None else ()
    if any(isinstance(part, ToolCall) and part.signature for part in parts):
        return "call-signature"
    shown = any(isinstance(part, Reasoning) and part.signature and part.text for part in parts)
    return "reasoning" if shown or not any(isinstance(part, Text) for part in parts) else "text-signature"
