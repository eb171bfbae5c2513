"""The provider's own tools (a search, a sandbox): their calls and results, which no client makes or answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.judge.example import Edit, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import ToolCall, ToolResult, Turn

_ANTHROPIC, _GEMINI = "anthropic-messages/answer", "gemini/answer"
_RUN = "anthropic-messages/run"
_USE = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}}
_FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
_TOLD = {"type": "text", "text": "High at nine."}
_CODE = {"executableCode": {"language": "PYTHON", "code": "print(7)"}}
_RAN = {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "7\n"}}
_ASKED = {"role": "user", "content": "When is the tide high?"}
_THANKS = {"role": "user", "content": "And low?"}
_REPLY = "/0/response/body/content"
_PARTS = "/0/response/body/candidates/0/content/parts"
_MESSAGES = "/0/request/body/messages"
_LATER = "/1/request/body/messages"


def _history(*blocks: Any, path: str = _MESSAGES) -> Any:
    return put(path, [_ASKED, {"role": "assistant", "content": [*blocks]}, _THANKS])


def _carried(use: Any) -> tuple[Edit, ...]:
    """A server call with its result in a reply, and what the next request carries back of it."""
    back = f"{_LATER}/1/content/0"
    return insert(f"{_REPLY}/0", _FOUND), insert(f"{_REPLY}/0", _USE), insert(back, _FOUND), insert(back, use)


def _walked(turns: Iterable[Turn]) -> tuple[list[ToolCall], list[ToolResult]]:
    """The server calls that stay without a result, and the results without a call before them.

    Where a result does not say which call it belongs to, it is the last one's.
    """
    calls: list[ToolCall] = []
    stray: list[ToolResult] = []
    for part in (part for turn in turns for part in turn.parts):
        if isinstance(part, ToolCall) and part.kind == "server":
            calls.append(part)
        elif isinstance(part, ToolResult) and part.kind == "server":
            mine = [call for call in calls if part.call_id in (None, call.id)]
            if mine:
                calls.remove(mine[-1])
            else:
                stray.append(part)
    return calls, stray


def _stray(result: ToolResult) -> Hit:
    return Hit(result.pointer, "no call before this result is without one", "a server call before it", result.call_id)


@rule(
    "history-server-result-orphaned",
    severity=Severity.ERROR,
    scope="conversation",
    basis="observed",
    dialects=("anthropic-messages", "gemini", "openai-responses"),
    cites=[
        "ANT-C-003 anthropics/claude-code#65726",
        "GEM-C-006 recorded traffic",
        "OAR-C-002 recorded traffic 24/24",
    ],
    bugs=["anthropics/claude-code#65726"],
    conforming=[
        example(_ANTHROPIC, _history(_USE, _FOUND, _TOLD)),
        example("gemini/run"),
        example("openai-responses/run"),
    ],
    violating=[
        example(_ANTHROPIC, _history(_FOUND, _TOLD), at="0 request /messages/1/content/0"),
        example(_ANTHROPIC, _history(_FOUND, _USE), at="0 request /messages/1/content/0"),
        example(_ANTHROPIC, _history(_USE, _FOUND, _FOUND), at="0 request /messages/1/content/2"),
    ],
)
def result_without_call(view: View) -> Iterator[Hit]:
    """Every result of a server tool that is sent back answers one server call before it.

    Clients that compact a history drop the call and keep its result: the server refuses every request from then on.
    """
    if not view.partial:
        for result in _walked(view.history)[1]:
            yield _stray(result)


@rule(
    "server-result-orphaned",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    dialects=("anthropic-messages", "gemini", "openai-responses"),
    cites=[
        "ANT-R-004 recorded traffic 87/87",
        "GEM-R-003 recorded traffic 8/8",
        "OAR-R-003 recorded traffic 8/8",
    ],
    conforming=[
        example(_ANTHROPIC, put(_REPLY, [_USE, _FOUND, _TOLD])),
        example(_GEMINI, put(_PARTS, [_CODE, _RAN, {"text": "7"}])),
    ],
    violating=[
        example(_ANTHROPIC, put(_REPLY, [_FOUND, _TOLD]), at="0 response /content/0"),
        example(
            _GEMINI,
            put(_PARTS, [_RAN, _CODE]),
            at="0 response /candidates/0/content/parts/0/codeExecutionResult",
        ),
    ],
)
def result_stray(view: View) -> Iterator[Hit]:
    """Every result of a server tool in a reply answers one server call before it, here or in an earlier turn.

    Sent back as it is, the reply makes the next request one that the server refuses.
    """
    before = () if view.partial else view.history
    for turn in view.replies:
        here = {part.pointer for part in turn.parts}
        for result in _walked((*before, turn))[1]:
            if result.pointer in here and not view.partial:
                yield _stray(result)


@rule(
    "server-call-result-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    dialects=("anthropic-messages",),
    cites=["ANT-R-004 recorded traffic 84/84"],
    conforming=[
        example(_ANTHROPIC, put(_REPLY, [_USE, _FOUND, _TOLD])),
        example(_ANTHROPIC, put(_REPLY, [_USE]), put("/0/response/body/stop_reason", "pause_turn")),
    ],
    violating=[
        example(_ANTHROPIC, put(_REPLY, [_USE, _TOLD]), at="0 response /content/0"),
    ],
)
def call_without_result(view: View) -> Iterator[Hit]:
    """A reply that ends on its own shows the result of every server call in it.

    Only a reply that was paused, or that waits for the client's tools, may leave one open.
    """
    for turn in view.replies:
        if turn.stop == "end" and not turn.calls:
            for call in _walked([turn])[0]:
                yield Hit(call.pointer, f"the server's call of {call.name} has no result", "its result", None)


@rule(
    "server-call-unanswered",
    severity=Severity.WARNING,
    scope="conversation",
    basis="observed",
    dialects=("anthropic-messages",),
    cites=["ANT-C-001 recorded traffic 54/54"],
    conforming=[
        example(_ANTHROPIC, _history(_USE, _FOUND, _TOLD)),
        example(_ANTHROPIC, put(_MESSAGES, [_ASKED, {"role": "assistant", "content": [_USE]}])),
    ],
    violating=[
        example(_ANTHROPIC, _history(_USE, _TOLD), at="0 request /messages/1/content/0"),
        example(_ANTHROPIC, _history(_USE, _USE, _FOUND), at="0 request /messages/1/content/0"),
    ],
)
def call_unanswered(view: View) -> Iterator[Hit]:
    """Every server call in an earlier turn that is sent back has its result in that turn.

    The last turn may be one that was paused, and a turn that waits for the client's tools gets its results later.
    """
    spoken = [turn for turn in view.history if turn.role == "assistant"]
    waits = view.history[-1:] == tuple(spoken[-1:])
    for turn in spoken[:-1] if waits else spoken:
        if not turn.calls:
            for call in _walked([turn])[0]:
                yield Hit(call.pointer, f"the server's call of {call.name} has no result", "its result", None)


@rule(
    "server-call-changed",
    severity=Severity.WARNING,
    scope="conversation",
    basis="observed",
    dialects=("anthropic-messages", "gemini"),
    cites=["ANT-C-010 recorded traffic 54/54", "GEM-C-004 recorded traffic"],
    conforming=[
        example(_RUN, *_carried(_USE)),
        example("gemini/run"),
    ],
    violating=[
        example(_RUN, *_carried({**_USE, "input": {"query": "ebb"}}), at="1 request /messages/1/content/0"),
        example(_RUN, *_carried({**_USE, "name": "web_fetch"}), at="1 request /messages/1/content/0"),
    ],
)
def call_changed(view: View) -> Iterator[Hit]:
    """A server call is sent back as the reply said it.

    What the provider ran is sealed: another query or id is refused, or read as something that never happened.
    """
    found = view.continues
    if found is None:
        return
    said, echoed = _server_calls(found.reply), _server_calls(found.echo)
    for one, other in zip(said, echoed, strict=len(said) == len(echoed)):
        if len(said) == len(echoed) and not _alike(one, other):
            yield Hit(other.pointer, "this server call is not what the reply said", one.name, other.name)


def _server_calls(turn: Turn) -> list[ToolCall]:
    return [part for part in turn.parts if isinstance(part, ToolCall) and part.kind == "server"]


def _alike(one: ToolCall, other: ToolCall) -> bool:
    return one.id == other.id and one.name == other.name and jsontext.same(one.arguments or {}, other.arguments or {})
