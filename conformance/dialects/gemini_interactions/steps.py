"""Steps, which requests, replies and streams share: wire to neutral."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import join
from conformance.model.transcript import Part, Reasoning, Role, Stop, Text, ToolCall, ToolResult, Unknown
from conformance.model.values import get, list_of, text_of

STOPS: dict[str, Stop] = {
    "completed": "end",
    "requires_action": "tool-calls",
    "incomplete": "length",
    "budget_exceeded": "length",
    "requires_continuation": "pause",
    "failed": "error",
    "cancelled": "other",
}
"""The statuses of an interaction that has ended."""
RUNNING = ("in_progress", "queued", "idle")
"""The statuses of one that has not ended: it goes on in the background, or is idle, which no document explains."""
_CALL, _RESULT = "_call", "_result"


def kind_of(step: Any) -> str:
    """The type of a step, of content or of a delta; empty if it has none."""
    return text_of(get(step, "type")) or ""


def role_of(step: Any) -> Role:
    """Whose step it is: results of functions are those of the client's tools, all others but the user's the model's."""
    roles: dict[str, Role] = {"user_input": "user", "function_result": "tool", "": "unknown"}
    return roles.get(kind_of(step), "assistant")


def read_step(step: Any, pointer: str, wire: str | None = None) -> Iterator[Part]:
    """The parts of one step. `wire` is the text of a streamed call's arguments."""
    kind = kind_of(step)
    if kind in ("user_input", "model_output"):
        yield from read_content(step.get("content"), join(pointer, "content"))
    elif kind == "thought":
        texts = [text_of(get(each, "text")) for each in list_of(step.get("summary"))]
        shown = "".join(filter(None, texts)) or None
        yield Reasoning(shown, text_of(step.get("signature")) or None, pointer)
    elif kind.endswith(_CALL):
        own = kind == "function_call"
        yield ToolCall(
            id=text_of(step.get("id")),
            name=text_of(step.get("name")) or (None if own else kind.removesuffix(_CALL)),
            arguments=jsontext.parse(wire) if wire else step.get("arguments", None if own else {}),
            pointer=pointer,
            wire=wire,
            kind="function" if own else "server",
            signature=text_of(step.get("signature")) or None,
        )
    elif kind.endswith(_RESULT):
        own = kind == "function_result"
        failed = step.get("is_error")
        yield ToolResult(
            text_of(step.get("call_id")),
            text_of(step.get("name")) or (None if own else kind.removesuffix(_RESULT)),
            _returned(step.get("result")),
            failed if isinstance(failed, bool) else None,
            pointer,
            "function" if own else "server",
        )
    else:
        yield Unknown(kind or None, step, pointer)


def read_content(content: Any, pointer: str) -> Iterator[Part]:
    """The parts of an array of content."""
    for number, each in enumerate(list_of(content)):
        at, text = join(pointer, number), text_of(get(each, "text"))
        yield Text(text, at) if kind_of(each) == "text" and text is not None else Unknown(kind_of(each), each, at)


def _returned(result: Any) -> Any:
    """What a tool returned: the text of its only content, else all of it."""
    only = result[0] if isinstance(result, list) and len(result) == 1 else None
    text = text_of(get(only, "text")) if kind_of(only) == "text" else None
    return result if text is None else text
