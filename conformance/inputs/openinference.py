"""The messages of a span of OpenInference's conventions, which Phoenix and Arize collect.

The attributes are flat (`llm.input_messages.0.message.role`), nested, or lists of objects whose keys have dots; so they
are in OTLP, in Phoenix's spans as JSON, and in its tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.messages import Call, Conversation, Message, Result, path_of
from conformance.inputs.native import word_of


def conversation_of(attributes: Mapping[str, Any], origin: Mapping[str, Any]) -> Conversation:
    """The conversation of a span that has messages."""
    span = _get(_nested(attributes), "llm")
    tools = [native.value_of(_get(each, "tool", "json_schema")) for each in _items(_get(span, "tools"))]
    model = _get(span, "model_name")
    settings = native.value_of(_get(span, "invocation_parameters"))
    if not tools and isinstance(settings, Mapping) and isinstance(settings.get("tools"), list):
        tools = settings["tools"]
    history, replies = ([*map(_message, _items(_get(span, name)))] for name in ("input_messages", "output_messages"))
    return Conversation(
        history=history or None,
        replies=replies or None,
        model=model if isinstance(model, str) else None,
        tools=tools or None,
        path=path_of(_get(span, "system") or _get(span, "provider")),
        origin=origin,
    )


def _message(value: Any) -> Message:
    message = _get(value, "message")
    role, text = str(_get(message, "role") or "assistant"), _get(message, "content")
    if role in ("tool", "function"):
        name = _get(message, "name")
        return Message("tool", [Result(word_of(_get(message, "tool_call_id")), text, word_of(name))])
    parts: list[str | Call | Result] = [text] if isinstance(text, str) and text else []
    for each in _items(_get(message, "contents")):
        part = _get(each, "message_content")
        parts.append(str(_get(part, "text")) if _get(part, "text") is not None else f"({_get(part, 'type')})")
    for each in _items(_get(message, "tool_calls")):
        call = _get(each, "tool_call")
        asked = _get(call, "function", "arguments")
        parts.append(Call(word_of(_get(call, "id")), str(_get(call, "function", "name") or ""), asked))
    return Message("system" if role == "developer" else role, parts)


def _nested(value: Any) -> Any:
    """The value with each dotted key as an object in an object."""
    if isinstance(value, list):
        return [_nested(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[str, Any] = {}
    for key, each in value.items():
        *path, last = str(key).split(".")
        place = found
        for name in path:
            inner = place.setdefault(name, {})
            place = inner if isinstance(inner, dict) else place
        new, old = _nested(each), place.get(last)
        place[last] = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
    return found


def _items(value: Any) -> Iterator[Any]:
    """The items of a list, or of an object whose keys are their numbers."""
    if isinstance(value, Mapping):
        yield from (value[key] for key in sorted((key for key in value if key.isdecimal()), key=int))
    elif isinstance(value, list):
        yield from value


def _get(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
