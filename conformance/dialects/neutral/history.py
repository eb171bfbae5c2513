"""The turns before the last reply: the client sends them again unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from conformance.judge.continuation import instructed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief, same
from conformance.model.transcript import calls_of


@rule(
    "earlier-call-changed",
    scope="conversation",
    cites="ANY-151",
    about="continuation",
)
def earlier_call_changed(view: View) -> Iterator[Hit]:
    """A call of an earlier turn must be sent as in the request before: same id, name and arguments.

    The provider's prompt cache is lost from there on, and the model sees a different call than it made.
    """
    found = view.continues
    if found is None:
        return
    turns, before = zip(*found.repeated, strict=True) if found.repeated else ((), ())
    for now, then in zip(calls_of(turns), calls_of(before), strict=False):
        if not same(now.arguments, then.arguments):
            message = f"the earlier call of {then.name} is sent with different arguments than before"
            yield Hit(now.pointer, message, brief(then.arguments), brief(now.arguments))
        elif now.id != then.id and now.id and then.id:
            yield Hit(
                now.pointer, f"the earlier call of {then.name} is sent with a different id than before", then.id, now.id
            )


@rule(
    "earlier-result-changed",
    scope="conversation",
    cites="ANY-186",
    about="continuation",
)
def earlier_result_changed(view: View) -> Iterator[Hit]:
    """A result of an earlier turn must stay that of its call, and an error if it was one. It may be shortened.

    The model has acted on the result that it saw, and now sees another one for the same call.
    """
    found = view.continues
    for now, then in found.repeated if found is not None else ():
        results = {each.call_id: each for each in now.results if each.call_id is not None}
        pairs = [(results[each.call_id], each) for each in then.results if each.call_id in results]
        changed = [(result, before) for result, before in pairs if not same(result.content, before.content)]
        # What another call still has as its result, such as a note in place of an old one, was not taken from it.
        taken = ((*each, other) for each in changed for _, other in changed if same(each[0].content, other.content))
        for result, before, other in islice(taken, 1):
            message = f"the result of call {result.call_id} is now what that of {other.call_id} was before"
            yield Hit(result.pointer, message, brief(before.content), brief(result.content))
        for result, before in pairs:
            if before.is_error and not result.is_error and same(result.content, before.content):
                message = f"the result of call {result.call_id} was an error in the request before"
                yield Hit(result.pointer, message, "the error, as before", "no error")


@rule(
    "earlier-instructions-missing",
    scope="conversation",
    cites="ANY-187",
    about="continuation",
)
def earlier_instructions_missing(view: View) -> Iterator[Hit]:
    """The system's words that a conversation began with must be in each of its requests; they may change.

    The provider keeps nothing between the requests: the model answers without its instructions from there on.
    """
    found = view.continues_in_dialect
    if found is None or instructed(view.history) or view.ask.stored:
        return
    before = view.earlier[found.earlier].history
    words = "".join(turn.text for turn in before[: instructed(before)]).strip()
    if words and not any(turn.role == "system" for turn in view.history):
        yield Hit(view.history[0].pointer, "the system message of the request before is missing", brief(words), "none")
