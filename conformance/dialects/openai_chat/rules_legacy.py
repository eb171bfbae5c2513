"""The deprecated `function_call` beside `tool_calls`: one form in a call, its stop reason and its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_chat.message import legacy_call
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_ANSWER, _CALL, _ONE = "openai-chat/answer", "openai-chat/call", "openai-chat/one-at-a-time"
_MESSAGES, _CHOICE = "/0/request/body/messages", "/0/response/body/choices/0"
_LEGACY = {"name": "get_weather", "arguments": '{"latitude":37.57,"longitude":126.98}'}
_RESULT = {"role": "function", "name": "get_weather", "content": '{"temperature": 17.9}'}


@rule(
    "chat-function-message-orphaned",
    scope="request",
    basis="sdk-type",
    cites=["OAC-C-007 openai 2.54 types/chat/chat_completion_function_message_param.py"],
    conforming=[
        example(
            _ANSWER,
            put(f"{_MESSAGES}/1", {"role": "assistant", "content": None, "function_call": _LEGACY}),
            put(f"{_MESSAGES}/2", _RESULT),
            drop(f"{_MESSAGES}/3"),
        )
    ],
    violating=[example(_ANSWER, put(f"{_MESSAGES}/3", _RESULT))],
)
def function_message_orphaned(view: View) -> Iterator[Hit]:
    """A message of role `function` must answer a `function_call`; an id of `tool_calls` needs a message of role `tool`.

    The server finds no message with the id, and refuses the request.
    """
    body = view.request if isinstance(view.request, dict) else {}
    listed = body.get("messages")
    asked: Any = None
    for number, message in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(message, dict):
            continue
        role = message.get("role")
        if role == "function" and isinstance(asked, dict) and asked.get("tool_calls") and legacy_call(asked) is None:
            yield Hit(
                join("/messages", number),
                "a message of role `function` follows `tool_calls`",
                "a message of role `tool` with the id of the call",
                "role `function`",
                fix="use role `tool` and `tool_call_id`",
            )
        elif role not in ("tool", "function"):
            asked = message


@rule(
    "chat-finish-reason-mismatch",
    scope="reply",
    basis="schema",
    cites=["OAC-R-018 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionResponse"],
    conforming=[
        example(_CALL),
        example(
            _ONE,
            put(f"{_CHOICE}/message/function_call", _LEGACY),
            drop(f"{_CHOICE}/message/tool_calls"),
            put(f"{_CHOICE}/finish_reason", "function_call"),
        ),
    ],
    violating=[
        example(_CALL, put(f"{_CHOICE}/finish_reason", "function_call")),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/7/data/choices/0/finish_reason", "function_call"),
        ),
        example(
            _ONE,
            put(f"{_CHOICE}/message/function_call", _LEGACY),
            drop(f"{_CHOICE}/message/tool_calls"),
            at="0 response /choices/0/finish_reason",
        ),
    ],
)
def finish_reason_mismatch(view: View) -> Iterator[Hit]:
    """The finish reason must name the form of the call: `tool_calls`, or the deprecated `function_call`.

    Clients look for the call in the field that the finish reason names, and do not find it.
    """
    for turn in view.replies:
        forms = {"function_call" if call.pointer.endswith("/function_call") else "tool_calls" for call in turn.calls}
        if turn.stop_wire in ("tool_calls", "function_call") and forms and turn.stop_wire not in forms:
            wanted = next(iter(forms))
            said = f"the calls are in `{wanted}`, but the finish reason is `{turn.stop_wire}`"
            yield Hit(turn.stop_pointer, said, wanted, brief(turn.stop_wire))
