"""The turns before the last reply: what was sent before is sent again as it was."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import Edit, example, insert
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import calls_of

_SEOUL, _BUSAN = "call_a1B2c3D4e5F6g7H8i9J0k1L2", "call_m3N4o5P6q7R8s9T0u1V2w3X4"
_ANSWER = "14.2 °C in Seoul, 17.9 °C in Busan."


def _asked_again(first: str = _SEOUL, latitude: float = 37.57) -> Edit:
    """A third exchange: the run so far, and another question."""
    calls = [
        _call(first, f'{{"latitude": {latitude}, "longitude": 126.98}}'),
        _call(_BUSAN, '{"latitude": 35.18, "longitude": 129.08}'),
    ]
    messages = [
        {"role": "user", "content": "How warm is it in Seoul and in Busan?"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": first, "content": '{"temperature": 14.2}'},
        {"role": "tool", "tool_call_id": _BUSAN, "content": '{"temperature": 17.9}'},
        {"role": "assistant", "content": _ANSWER},
        {"role": "user", "content": "Which of them is nearer?"},
    ]
    request = {
        "method": "POST",
        "url": "https://api.openai.com/v1/chat/completions",
        "headers": {"content-type": "application/json", "authorization": "Bearer REDACTED"},
        "body": {"model": "gpt-4o-mini", "messages": messages},
    }
    return insert("/2", {"request": request, "response": {"status": 503, "headers": {}, "body": ""}})


def _call(call_id: str, arguments: str) -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": "get_weather", "arguments": arguments}}


@rule(
    "earlier-call-changed",
    severity=Severity.ERROR,
    scope="conversation",
    basis="documented",
    cites=[
        "OAC-C-005 recorded traffic 129/129",
        "ANT-C-010 recorded traffic 158/158",
        "GEM-C-004 google-genai 2.34 google/genai/types.py FunctionCall.id",
        "OAR-C-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
    ],
    conforming=[example("openai-chat/run", _asked_again()), example("gemini/run"), example("mcp/stateless")],
    violating=[
        example("openai-chat/run", _asked_again("call_new"), at="2 request /messages/1/tool_calls/0"),
        example("openai-chat/run", _asked_again(latitude=38.0), at="2 request /messages/1/tool_calls/0"),
    ],
)
def earlier_call_changed(view: View) -> Iterator[Hit]:
    """A call of an earlier turn is sent again as the request before sent it: its id, its name, its arguments.

    The cache of the provider is lost from there on, and the model reads that it asked for something else.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier].history
    for now, then in zip(calls_of(view.history[: len(before)]), calls_of(before), strict=False):
        if not same(now.arguments, then.arguments):
            message = f"the earlier call of {then.name} comes back with other arguments"
            yield Hit(now.pointer, message, brief(then.arguments), brief(now.arguments))
        elif now.id != then.id and now.id and then.id:
            yield Hit(now.pointer, f"the earlier call of {then.name} comes back with another id", then.id, now.id)
