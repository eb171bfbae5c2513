"""Compares what only the whole run shows: ids of calls and signatures, on their way to the client and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.gateway.ledger import Notes
from conformance.gateway.legs import Answered, Step, signatures_of
from conformance.gateway.rounds import history_of
from conformance.judge.view import View
from conformance.model.transcript import Reasoning, Text, ToolCall

Annotate = Callable[[View, Answered, str], Notes]
"""The notes for an exchange of the client and one of the upstream, in a direction."""


def compare_ids(steps: Sequence[Step], notes: Annotate) -> None:
    """Notes ids that the client gets twice, and those under which a call comes back to the upstream changed."""
    seen: set[str] = set()
    issued: dict[str, str] = {}
    given: dict[str, str] = {}
    for step in steps:
        if step.client is None or not step.upstream:
            continue
        upstream = step.upstream[-1]
        for call in history_of(upstream.view).calls:
            told = issued.get(_says(call))
            by_client = given.get(_says(call)) == told and call.id in {
                each.id for each in history_of(step.client).calls
            }
            if told and call.id and told != call.id and not by_client:
                what = f"the call of {call.name} comes back to the upstream under another id"
                notes(step.client, upstream, "up").lost("call-id-changed", what, (None, call.pointer), told, call.id)
        sent = upstream.view.replies[0].calls if upstream.view.replies else ()
        issued.update({_says(call): call.id for call in sent if call.id and _once(call, sent)})
        got = step.client.replies[0].calls if step.client.replies else ()
        given.update({_says(call): call.id for call in got if call.id and _once(call, got)})
        for call in got:
            if call.id and call.id in seen:
                what = "the client gets several calls with the same id"
                notes(step.client, upstream, "down").lost(
                    "call-id-duplicate", what, (None, call.pointer), None, call.id
                )
            elif call.id:
                seen.add(call.id)


def _says(call: ToolCall) -> str:
    return f"{call.name} {call.arguments!r}"


def _once(call: ToolCall, calls: Sequence[ToolCall]) -> bool:
    return sum(_says(each) == _says(call) for each in calls) == 1


def compare_signatures(steps: Sequence[Step], notes: Annotate) -> None:
    """Notes signatures that the client does not get, and those that do not come back to the upstream as it sent them.

    Gateways pack signatures into forms of their own for the client; only what comes back has to be the same.
    """
    whole = [step for step in steps if step.client is not None and step.upstream]
    for number, step in enumerate(whole):
        client, upstream = step.client, step.upstream[-1]
        assert client is not None  # noqa: S101 - as above
        sent = signatures_of([upstream.view])
        if sent and client.replies and not signatures_of([client]):
            here = notes(client, upstream, "down")
            kind = _kind(upstream.view)
            if here.expressible("signature", kind):
                here.lost("signature-dropped", "the client gets no signature", before=f"{len(sent)} signatures")
        earlier = [each for each in whole[:number] if each.conversation == step.conversation]
        _back(client, upstream, earlier, notes)


def _back(client: View, upstream: Answered, earlier: Sequence[Step], notes: Annotate) -> None:
    known = set(map(_bytes, signatures_of([each.upstream[-1].view for each in earlier])))
    returned = _in_history(client)
    passed = {_bytes(signature) for signature, _ in returned}
    if not known or not returned:
        return
    there = _in_history(upstream.view)
    told = notes(client, upstream, "up")
    place = returned[0][1]
    if not there:
        told.lost("signature-dropped", "the signatures do not come back to the upstream", (place, None), returned[0][0])
    for signature, pointer in there:
        if _bytes(signature) not in known | passed:
            told.lost(
                "signature-changed",
                "the upstream gets a signature that it did not send",
                (place, pointer),
                None,
                signature,
            )


def _bytes(signature: str) -> str:
    """A signature in one spelling: JSON libraries write bytes in either alphabet of base64, with or without padding."""
    return signature.translate(str.maketrans("-_", "+/")).rstrip("=")


def _in_history(view: View) -> list[tuple[str, str]]:
    """The signatures in the history of a request, with their places."""
    return [
        (part.signature, part.pointer)
        for turn in view.history
        for part in turn.parts
        if isinstance(part, (Reasoning, ToolCall)) and part.signature
    ]


def _kind(view: View) -> str:
    """Whether the signatures of an answer are those of calls, of reasoning that is shown, or of a text."""
    parts = [part for turn in view.replies[:1] for part in turn.parts]
    if any(isinstance(part, ToolCall) and part.signature for part in parts):
        return "call-signature"
    shown = any(isinstance(part, Reasoning) and part.signature and part.text for part in parts)
    return "reasoning" if shown or not any(isinstance(part, Text) for part in parts) else "text-signature"
