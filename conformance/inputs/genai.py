"""The messages of a span of OpenTelemetry's GenAI conventions, in each place that a version of the conventions uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.inputs import native
from conformance.inputs.messages import Call, Conversation, Message, Result, path_of
from conformance.inputs.native import word_of
from conformance.inputs.otlp import Event, Span
from conformance.model.values import list_of, text_of

_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
_OLD = re.compile(r"gen_ai\.(prompt|completion)\.(\d+)\.(.+)")
_OLD_TOOL = re.compile(r"llm\.request\.functions\.(\d+)\.(name|description|parameters)")


def conversation_of(span: Span, origin: Mapping[str, Any]) -> Conversation | None:
    """The conversation of a span; None if it has no messages."""
    attributes = dict(span.attributes)
    for event in span.events:
        if event.name == "gen_ai.client.inference.operation.details":
            attributes |= event.attributes
    history, replies = _of_attributes(attributes)
    if history is None and replies is None:
        history, replies = _of_events(span.events)
    if history is None and replies is None:
        history, replies = _of_old_attributes(attributes)
    if history is None and replies is None:
        return None
    finish = attributes.get("gen_ai.response.finish_reasons")
    if replies and len(replies) == 1 and replies[0].stop is None and isinstance(finish, list) and finish:
        replies = [Message(replies[0].role, replies[0].parts, str(finish[0]))]
    return Conversation(
        history=history or None,
        replies=replies or None,
        model=text_of(attributes.get("gen_ai.request.model")),
        tools=_tools(attributes),
        path=path_of(attributes.get("gen_ai.provider.name") or attributes.get("gen_ai.system")),
        origin=origin,
    )


_Sides = tuple[list[Message] | None, list[Message] | None]


def _of_attributes(attributes: Mapping[str, Any]) -> _Sides:
    """`gen_ai.input.messages` and `gen_ai.output.messages`: lists of messages with parts, or JSON text of them."""
    sides: list[list[Message] | None] = []
    for name in ("input", "output"):
        messages = native.value_of(attributes.get(f"gen_ai.{name}.messages"))
        sides.append(list(_messages(messages)) if isinstance(messages, list) else None)
    rules = native.value_of(attributes.get("gen_ai.system_instructions"))
    if rules and sides[0] is not None:
        sides[0].insert(0, Message("system", list(_parts(rules if isinstance(rules, list) else [rules]))))
    return sides[0], sides[1]


def _messages(messages: Sequence[Any]) -> Iterator[Message]:
    for each in messages:
        if isinstance(each, Mapping):
            parts = each.get("parts")
            yield Message(
                str(each.get("role") or "user"),
                list(_parts(parts)) if isinstance(parts, list) else list(_of_chat(each)),
                word_of(each.get("finish_reason")),
            )


def _parts(parts: Sequence[Any]) -> Iterator[str | Call | Result]:
    for part in parts:
        if isinstance(part, str):
            yield part
        if not isinstance(part, Mapping):
            continue
        kind = part.get("type")
        if kind == "tool_call":
            yield Call(word_of(part.get("id")), str(part.get("name") or ""), part.get("arguments"))
        elif kind == "tool_call_response":
            yield Result(
                word_of(part.get("id")),
                part.get("response", part.get("result")),
                word_of(part.get("name")),
            )
        elif kind == "text":
            yield str(part.get("content") or "")
        elif kind not in ("reasoning", "thinking"):
            yield f"({kind})"  # such as an image: its presence matters, not its content


def _of_events(events: Sequence[Event]) -> _Sides:
    """Events with one message each, of which the last ones are choices."""
    history, replies = [], []
    for event in events:
        body = event.body if isinstance(event.body, Mapping) else _body(event.attributes)
        found = _EVENT.fullmatch(event.name)
        if found is not None:
            role = str(body.get("role") or found[1])
            if found[1] == "tool":
                history.append(Message("tool", [Result(word_of(body.get("id")), body.get("content"))]))
            else:
                history.append(Message(role if role != "developer" else "system", list(_of_chat(body))))
        elif event.name == "gen_ai.choice":
            message = native.value_of(body.get("message"))
            reply = message if isinstance(message, Mapping) else {**body, "content": message or body.get("content")}
            replies.append(Message("assistant", list(_of_chat(reply)), word_of(body.get("finish_reason"))))
    return history or None, replies or None


def _body(attributes: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body of an event that has it in its attributes, as a whole or by member."""
    whole = native.value_of(attributes.get("gen_ai.event.content"))
    return whole if isinstance(whole, Mapping) else attributes


def _of_chat(message: Mapping[str, Any]) -> Iterator[str | Call | Result]:
    """The parts of a message of Chat Completions."""
    content = native.value_of(message.get("content"))
    if message.get("role") == "tool":
        yield Result(word_of(message.get("tool_call_id", message.get("id"))), content)
        return
    for each in content if isinstance(content, list) else [message.get("content")]:
        text = each.get("text", each.get("content")) if isinstance(each, Mapping) else each
        if isinstance(text, str) and text:
            yield text
    calls = native.value_of(message.get("tool_calls"))
    for call in list_of(calls):
        if isinstance(call, Mapping):
            inner = call.get("function")
            function = inner if isinstance(inner, Mapping) else call
            yield Call(word_of(call.get("id")), str(function.get("name") or ""), function.get("arguments"))


def _of_old_attributes(attributes: Mapping[str, Any]) -> _Sides:
    """`gen_ai.prompt.0.role`, `gen_ai.completion.0.tool_calls.0.name`: one attribute for each member."""
    found: dict[str, dict[int, dict[str, Any]]] = {"prompt": {}, "completion": {}}
    for key, value in attributes.items():
        name = _OLD.fullmatch(key)
        if name is not None:
            found[name[1]].setdefault(int(name[2]), {})[name[3]] = value
    history = [_old(found["prompt"][number]) for number in sorted(found["prompt"])]
    replies = [_old({"role": "assistant", **found["completion"][number]}) for number in sorted(found["completion"])]
    return history or None, replies or None


def _old(members: Mapping[str, Any]) -> Message:
    calls: dict[str, dict[str, Any]] = {}
    for key, value in members.items():
        if key.startswith("tool_calls."):
            _, number, name = key.split(".", 2)
            calls.setdefault(number, {})[name] = value
    message = {**members, "tool_calls": [calls[number] for number in sorted(calls)]}
    return Message(str(members.get("role") or "user"), list(_of_chat(message)), word_of(members.get("finish_reason")))


def _tools(attributes: Mapping[str, Any]) -> Sequence[Any] | None:
    definitions = native.value_of(attributes.get("gen_ai.tool.definitions", attributes.get("gen_ai.request.tools")))
    if isinstance(definitions, list):
        return definitions
    old: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        found = _OLD_TOOL.fullmatch(key)
        if found is not None:
            old.setdefault(int(found[1]), {})[found[2]] = native.value_of(value)
    return [old[number] for number in sorted(old)] or None
