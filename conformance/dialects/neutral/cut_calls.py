"""Calls of a reply that was cut off."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Malformed


@rule(
    "cut-call-result-unexpected",
    scope="conversation",
    cites="ANY-006",
    opt_in=True,
    about="continuation",
)
def cut_call_result_unexpected(view: View) -> Iterator[Hit]:
    """The last call of a reply that was cut off at its token limit must not get a result, unless that is an error.

    Its arguments end where the limit struck: a client that repairs them runs something the model did not ask for. A
    client that sends broken arguments back as they came has run nothing, and its result can state that.
    """
    found = view.continues
    if found is None or found.reply.stop != "length" or not found.reply.calls:
        return
    last = found.reply.calls[-1]
    cut = next((echo for call, echo in found.pairs if call is last), None)
    if cut is None or (isinstance(last.arguments, Malformed) and cut.wire == last.wire):
        return
    for turn, _, pairing in view.answered:
        if turn is not found.echo:
            continue
        for call, result in pairing.pairs:
            if call is cut and result.is_error is not True:
                yield Hit(
                    result.pointer,
                    f"the reply was cut off inside the call of {call.name or call.id}, which has a result",
                    "no result: a larger token limit, or a result that reports the error",
                    result.call_id or result.name,
                )
