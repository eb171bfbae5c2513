"""The token counts of a reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext, values
from conformance.model.finding import Hit
from conformance.model.pointer import get, join
from conformance.model.transcript import Reasoning, ToolCall, Unknown

_NAMES = ("usage", "usageMetadata")
_INPUT = (
    "prompt_tokens",
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "promptTokenCount",
)
"""The members that make up the tokens of a request to Chat Completions or Messages; `promptTokenCount` is all."""
_COUNTING = "ount"
"""What the paths of the endpoints that count tokens have: `count_tokens` and `countTokens`."""
_COUNTS = ("input_tokens", "totalTokens")
_READ = (
    *("messages", "system", "tools", "mcp_servers", "contents", "systemInstruction", "system_instruction"),
    *("cachedContent", "cached_content"),
)
"""The members of a request that have what the model reads."""
_FEW = 50
"""Tokens that a provider may add of its own, so that short requests prove nothing."""
_HOLDERS = ("", "response", "message", "delta")
"""The places of the usage in the wire formats: in the body, or in the reply inside an event."""


@rule(
    "usage-empty",
    scope="reply",
    cites="ANY-008",
    opt_in=True,
)
def usage_empty(view: View) -> Iterator[Hit]:
    """The usage of a reply with calls or text must not be all zero, unless a filter stopped it or code made the calls.

    Clients add it up for budgets and bills, and shorten the history by it: the run seems to cost nothing.
    """
    # A filter may have answered without the model, and what fails may not have come to its counts.
    without = {"filter", "error"} | ({None} if view.streamed else set())
    if not any((turn.calls or turn.text.strip()) and turn.stop not in without for turn in view.replies):
        return
    if any(_is_from_code(view, call) for turn in view.replies for call in turn.calls):
        return
    empty: str | None = None
    for usage, at in _usages(view):
        numbers = list(_numbers(usage))
        if any(numbers):
            return
        if numbers:
            empty = empty or at
    if empty is not None:
        yield Hit(empty, "all token counts are zero", "the tokens that were used", "0")


def _is_from_code(view: View, call: ToolCall) -> bool:
    """Whether code made a call that had run before: the model generated nothing."""
    root: Any = view.response
    pointer = call.pointer
    if pointer.startswith("event/"):
        number, _, pointer = pointer.removeprefix("event/").partition("/")
        root, pointer = (view.events or ())[int(number)].json, f"/{pointer}"
    found = get(root, pointer)
    caller = found.get("caller") if isinstance(found, dict) else None
    return isinstance(caller, dict) and len(caller) > 1  # the model itself is `{"type": "direct"}`


@rule(
    "usage-repeated",
    scope="reply",
    cites="ANY-179",
    opt_in=True,
    about="continuation",
)
def usage_repeated(view: View) -> Iterator[Hit]:
    """A longer request must not have the same token counts as the one that it continues.

    The server counts nothing, and sends a fixed usage: budgets and the shortening of histories rely on it.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier]
    usages = list(_usages(view))
    whole, earlier = _whole(usages), _whole(_usages(before))
    if whole == earlier and any(_numbers(whole)):
        message = f"exchange {before.number} has the same usage"
        yield Hit(usages[0][1], message, "counts of its own", jsontext.brief(whole))


@rule(
    "usage-input-out-of-range",
    scope="reply",
    cites="ANY-189",
    opt_in=True,
    about="continuation",
)
def usage_input_out_of_range(view: View) -> Iterator[Hit]:
    """A longer request must not count as less than half the tokens of the one that it continues.

    The count leaves out a part of the request, such as its history or what came from a cache: budgets rely on it.
    """
    found = view.continues_in_dialect
    if found is None or found.reply.server_parts:
        return
    # The provider leaves out the thoughts of earlier turns of the model once the user speaks again.
    thought = any(isinstance(part, Reasoning) for turn in view.history for part in turn.parts)
    if thought and not view.history[-1].results:
        return
    if any(now != then for now, then in found.repeated):  # a client may shorten earlier results
        return
    parts = (part for turn in view.history for part in turn.parts)
    compacted = any(isinstance(part, Unknown) and part.kind == "compaction" for part in parts)
    if compacted or values.get(view.request, "context_management"):  # the server may leave out what came before
        return
    before = view.earlier[found.earlier]
    if len(view.ask.tools or ()) < len(before.ask.tools or ()) or view.model != before.model:
        return
    usages = list(_usages(view))
    now, then = _input(_whole(usages)), _input(_whole(_usages(before)))
    if now and then and 2 * now < then:
        message = f"the longer request counts {now:g} tokens, that of exchange {before.number} {then:g}"
        yield Hit(usages[0][1], message, f"at least {then:g}", f"{now:g}")


@rule(
    "usage-count-mismatch",
    scope="reply",
    cites="ANY-190",
    opt_in=True,
)
def usage_count_mismatch(view: View) -> Iterator[Hit]:
    """The input tokens of a reply are about as many as the provider counted for the same request before.

    A client that makes its history fit by these counts sends too much, or cuts what would have fitted.
    """
    if any(turn.server_parts for turn in view.replies):  # what these read is added
        return
    paths = (each for each in reversed(view.earlier) if _COUNTING in each.exchange.request.path)
    counts = [each for each in paths if each.endpoint == "count_tokens" and each.ok]
    read = _read_by_model(view) if counts else None
    before = next((each for each in counts if _read_by_model(each) == read), None)
    if before is None:
        return
    usages = list(_usages(view))
    now, then = (
        _input(_whole(usages)),
        next(filter(None, (values.get(before.response, each) for each in _COUNTS)), None),
    )
    if now and isinstance(then, (int, float)) and not then / 2 - _FEW <= now <= then * 2 + _FEW:
        message = f"the request counts {now:g} tokens, exchange {before.number} counted {then:g} for the same one"
        yield Hit(usages[0][1], message, f"about {then:g}", f"{now:g}")


def _read_by_model(view: View) -> list[Any]:
    """The members of a request that have what the model reads; Gemini's may count those of a whole request."""
    body = values.get(view.request, "generateContentRequest") or view.request
    return [values.get(body, each) for each in _READ]


def _input(usage: Mapping[str, Any]) -> float:
    """The tokens of the request, those of a cache included; 0 if they are not known."""
    return sum(each for each in map(usage.get, _INPUT) if isinstance(each, (int, float)))


def _whole(usages: Iterable[tuple[Any, str]]) -> dict[str, Any]:
    """All that a reply states of its usage: of a stream, the last number of each kind."""
    found: dict[str, Any] = {}
    for usage, _ in usages:
        found = usage | found
    return found


def _usages(view: View) -> Iterator[tuple[Any, str]]:
    """The usage of a reply, the last first: a stream has it at its end."""
    bodies = [(view.response, "")] if view.events is None else ((each.json, each.pointer) for each in view.events[::-1])
    for body, at in bodies:
        for name in reversed(_HOLDERS) if isinstance(body, dict) else ():
            holder = body.get(name) if name else body
            for key in reversed(_NAMES) if isinstance(holder, dict) else ():
                if isinstance(holder.get(key), dict):
                    yield holder[key], join(at, *filter(None, (name,)), key)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value
