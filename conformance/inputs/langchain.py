"""LangChain's messages, in the inputs and outputs of a LangSmith run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.inputs.messages import Call, Conversation, Message, Result, path_of
from conformance.inputs.native import object_of
from conformance.model.exchange import Exchange
from conformance.model.values import list_of, text_of

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "system": "system", "tool": "tool"}


def exchange(
    run: Mapping[str, Any], history: Sequence[Any], answered: Any, origin: Mapping[str, Any]
) -> Exchange | None:
    """The exchange of a run; None if a message is of an unknown kind."""
    generations = answered.get("generations") if isinstance(answered, Mapping) else None
    replies = generations[0] if isinstance(generations, list) and generations else None
    extra = object_of(run, "extra")
    settings, metadata = object_of(extra, "invocation_params"), object_of(extra, "metadata")
    turns = [_message(each) for each in history]
    answers = (
        [_message(object_of(each, "message")) for each in replies] if isinstance(replies, list) and replies else None
    )
    if any(message is None for message in [*turns, *(answers or [])]):
        return None
    model = settings.get("model") or metadata.get("ls_model_name")
    tools = settings.get("tools")
    return Conversation(
        history=[each for each in turns if each is not None] or None,
        replies=None if answers is None else [each for each in answers if each is not None],
        model=model if isinstance(model, str) else None,
        tools=tools if isinstance(tools, list) else None,
        path=path_of(metadata.get("ls_provider")),
        origin=origin,
    ).exchange()


def _message(value: Any) -> Message | None:
    """A LangChain message, serialised with its constructor; None if it is of another kind."""
    members = object_of(value, "kwargs") or (value if isinstance(value, Mapping) else {})
    role = _ROLES.get(str(members.get("type") or members.get("role")))
    if role is None:
        return None
    if role == "tool":
        return Message(
            role,
            [
                Result(
                    text_of(members.get("tool_call_id")),
                    members.get("content"),
                    text_of(members.get("name")),
                )
            ],
        )
    parts: list[str | Call | Result] = list(_texts(members.get("content")))
    for name in ("tool_calls", "invalid_tool_calls"):  # the arguments of an invalid call are text that is not JSON
        calls = (call for call in list_of(members.get(name)) if isinstance(call, Mapping))
        parts.extend(Call(text_of(call.get("id")), str(call.get("name") or ""), call.get("args")) for call in calls)
    metadata = object_of(members, "response_metadata")
    return Message(role, parts, text_of(metadata.get("finish_reason") or metadata.get("stop_reason")))


def _texts(content: Any) -> Iterator[str]:
    for each in content if isinstance(content, list) else [content]:
        text = each.get("text") if isinstance(each, Mapping) else each
        if isinstance(text, str) and text:
            yield text
