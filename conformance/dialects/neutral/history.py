"""The turns before the last reply: the client sends them again unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any

from conformance.judge.continuation import instructed
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.exchange import is_broken
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, parse, same
from conformance.model.transcript import ToolResult, Turn, calls_of

_MOST = 0.9
"""A text that is shorter than this share of what it was is a shortened one."""


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
    """A result of an earlier turn must stay as it was for its call, and an error if it was one. It may be shortened.

    The model has acted on the result that it saw, and now sees another one for the same call.
    """
    found = view.continues
    for now, then in found.repeated if found is not None else ():
        pairs = _paired(now, then)
        changed = [(result, before) for result, before in pairs if not same(result.content, before.content)]
        # What another call still has as its result, such as a note in place of an old one, was not taken from it.
        taken = ((*each, other) for each in changed for _, other in changed if same(each[0].content, other.content))
        exchanged = list(islice(taken, 1))
        for result, before, other in exchanged:
            message = f"the result{_of(result)} is now what that{_of(other) or ' of another call'} was before"
            yield Hit(result.pointer, message, brief(before.content), brief(result.content))
        for result, before in () if exchanged else changed:
            if _is_altered(result.content, before.content):
                message = f"the result{_of(result)} has other values than in the request before"
                yield Hit(
                    result.pointer, message, brief(before.content), brief(result.content), severity=Severity.WARNING
                )
        for result, before in pairs:
            if before.is_error and not result.is_error and same(result.content, before.content):
                message = f"the result{_of(result)} was an error in the request before"
                yield Hit(result.pointer, message, "the error, as before", "no error")


def _paired(now: Turn, then: Turn) -> list[tuple[ToolResult, ToolResult]]:
    """The results of the same calls, by their ids; by their order, where they have none."""
    if all(each.call_id is None for each in (*now.results, *then.results)):
        return list(zip(now.results, then.results, strict=False))
    results = {each.call_id: each for each in now.results if each.call_id is not None}
    return [(results[each.call_id], each) for each in then.results if each.call_id in results]


def _of(result: ToolResult) -> str:
    return "" if result.call_id is None else f" of call {result.call_id}"


def _is_altered(now: Any, then: Any) -> bool:
    """Whether a result has another value than before, and not less of it, or a note in its place.

    Of JSON, a number differs; of a text, more than half of what it was is there, at its ends.
    """
    now, then = _value(now), _value(then)
    if isinstance(now, dict) and isinstance(then, dict):
        return any(_is_altered(now[key], then[key]) for key in now.keys() & then.keys())
    if isinstance(now, list) and isinstance(then, list):
        return len(now) == len(then) and any(map(_is_altered, now, then))
    if isinstance(now, str) and isinstance(then, str):
        if now in then or then in now or len(now) < _MOST * len(then):
            return False
        return _begun_alike(now, then) + _begun_alike(now[::-1], then[::-1]) >= len(then) / 2
    return isinstance(now, (int, float)) and isinstance(then, (int, float)) and not same(now, then)


def _begun_alike(one: str, other: str) -> int:
    """How many characters at their beginning two texts have in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _value(content: Any) -> Any:
    """The JSON in a text that is an object or an array; else the content itself."""
    found = parse(content) if isinstance(content, str) and content.lstrip()[:1] in ("{", "[") else content
    return content if is_broken(found) else found


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
