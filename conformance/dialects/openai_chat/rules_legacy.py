"""The deprecated `function_call` beside `tool_calls`: one form in a call, its stop reason and its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_chat.message import legacy_call
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join


@rule(
    "chat-function-message-orphaned",
    scope="request",
    cites="OAC-C-007",
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
