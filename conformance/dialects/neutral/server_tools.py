"""The provider's own tools (a search, a sandbox): their calls and results, which no client makes or answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.transcript import ToolCall, ToolResult, Turn


def _walked(turns: Iterable[Turn]) -> tuple[list[ToolCall], list[ToolResult]]:
    """The server calls without a result, and the results without a call before them.

    A result without the id of its call belongs to the last call.
    """
    calls: dict[int, ToolCall] = {}
    by_id: dict[str | None, list[int]] = {}
    stray: list[ToolResult] = []
    for number, part in enumerate(part for turn in turns for part in turn.parts):
        if isinstance(part, ToolCall) and part.kind == "server":
            by_id.setdefault(part.id, []).append(number)
            calls[number] = part
        elif isinstance(part, ToolResult) and part.kind == "server":
            mine = by_id.get(part.call_id, []) if part.call_id is not None else list(islice(reversed(calls), 1))
            while mine and mine[-1] not in calls:  # a result without an id had it
                mine.pop()
            if mine:
                del calls[mine.pop()]
            else:
                stray.append(part)
    return list(calls.values()), stray


def _stray(result: ToolResult) -> Hit:
    return Hit(
        result.pointer, "no server call before this result lacks a result", "a server call before it", result.call_id
    )


@rule(
    "history-server-result-orphaned",
    scope="conversation",
    cites="ANY-161",
    opt_in=True,
    about="server-tools",
)
def result_without_call(view: View) -> Iterator[Hit]:
    """Every result of a server tool in the history must answer a server call before it.

    Clients that compact a history drop the call but keep its result: the server rejects every later request.
    """
    if not view.partial:
        for result in _walked(view.history)[1]:
            yield _stray(result)


@rule(
    "server-result-orphaned",
    scope="reply",
    cites="ANY-162",
    opt_in=True,
    about="server-tools",
)
def result_stray(view: View) -> Iterator[Hit]:
    """Every result of a server tool in a reply must answer a server call before it, there or in an earlier turn.

    When the reply is sent back, the server rejects the request.
    """
    before = () if view.partial else view.history
    for turn in view.replies:
        here = {part.pointer for part in turn.parts}
        for result in _walked((*before, turn))[1]:
            if result.pointer in here and not view.partial:
                yield _stray(result)


@rule(
    "server-call-result-missing",
    scope="reply",
    cites="ANY-163",
    opt_in=True,
    about="server-tools",
)
def call_without_result(view: View) -> Iterator[Hit]:
    """A reply that ends normally must contain the result of each of its server calls.

    Only a paused reply, or one that waits for the client's tools, may have a server call without a result.
    """
    for turn in view.replies:
        if turn.stop == "end" and not turn.calls:
            for call in _walked([turn])[0]:
                yield Hit(call.pointer, f"the server's call of {call.name} has no result", "its result", None)


@rule(
    "server-call-unanswered",
    scope="conversation",
    cites="ANY-164",
    opt_in=True,
    about="server-tools",
)
def call_unanswered(view: View) -> Iterator[Hit]:
    """Every server call in an earlier turn of the history must have its result in that turn.

    Only the last turn may be paused, and a turn that waits for the client's tools gets its results later.
    """
    spoken = [turn for turn in view.history if turn.role == "assistant"]
    waits = view.history[-1:] == tuple(spoken[-1:])
    for turn in spoken[:-1] if waits else spoken:
        if not turn.calls:
            for call in _walked([turn])[0]:
                yield Hit(call.pointer, f"the server's call of {call.name} has no result", "its result", None)


@rule(
    "server-call-changed",
    scope="conversation",
    cites="ANY-165",
    opt_in=True,
    about="server-tools",
)
def call_changed(view: View) -> Iterator[Hit]:
    """A server call must be sent back unchanged.

    The provider rejects a changed query or id, or the model sees a call that never happened.
    """
    found = view.continues
    if found is None:
        return
    received, echoed = _server_calls(found.reply), _server_calls(found.echo)
    for one, other in zip(received, echoed, strict=len(received) == len(echoed)):
        if len(received) == len(echoed) and not _alike(one, other):
            yield Hit(other.pointer, "this server call differs from the one in the reply", one.name, other.name)


def _server_calls(turn: Turn) -> list[ToolCall]:
    return [part for part in turn.parts if isinstance(part, ToolCall) and part.kind == "server"]


def _alike(one: ToolCall, other: ToolCall) -> bool:
    return one.id == other.id and one.name == other.name and jsontext.same(one.arguments or {}, other.arguments or {})
