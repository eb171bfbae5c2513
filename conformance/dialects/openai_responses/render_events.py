"""The events of a response that is streamed: named, numbered from 0, one item at a time, no `[DONE]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.model.document import SERVER_SENT, Document
from conformance.model.rendered import IdFactory, pieces

Json = dict[str, Any]
_PADDING = 16
_STEPS = {
    "web_search_call": (("in_progress", "searching"), ("completed",)),
    "mcp_list_tools": (("in_progress",), ("completed",)),
    "mcp_call": (("in_progress",), ("completed",)),
    "compaction": ((), ("compacting",)),
}
"""The events about an item of the provider, before and after its texts."""
_TEXTS = {
    "function_call": ("function_call_arguments", "arguments"),
    "custom_tool_call": ("custom_tool_call_input", "input"),
    "mcp_call": ("mcp_call_arguments", "arguments"),
}
"""The event and the field of the text that the model writes into an item."""


def events_for(response: Json, ids: IdFactory, *, padded: bool, reseal: Callable[[], str]) -> Iterator[Document]:
    """The whole stream; `reseal` makes the new `encrypted_content` of reasoning in the last event."""
    begun = {**response, "status": "in_progress", "completed_at": None, "output": [], "usage": None}
    begun |= {"error": None, "incomplete_details": None, "service_tier": "auto"}
    steps: list[tuple[str, Json]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
    ]
    for index, item in enumerate(response["output"]):
        steps += _item(index, item)
    final = {**response, "output": [_resealed(item, reseal) for item in response["output"]]}
    steps.append((f"response.{response['status']}", {"response": final}))
    for number, (name, data) in enumerate(steps):
        if padded and name.endswith(".delta"):
            data = {**data, "obfuscation": ids.id("", max(1, _PADDING - len(data["delta"])))}  # noqa: PLW2901
        ordered = {"type": name, **dict(sorted({**data, "sequence_number": number}.items()))}
        yield Document(ordered, SERVER_SENT, name)


def _item(index: int, item: Json) -> Iterator[tuple[str, Json]]:
    """One item from `added` to `done`."""
    at = {"item_id": item.get("id"), "output_index": index}
    yield "response.output_item.added", {"item": _empty(item), "output_index": index}
    kind = item.get("type")
    if kind == "message":
        for number, part in enumerate(item["content"]):
            yield from _part(part, {**at, "content_index": number})
    elif kind == "reasoning":
        for number, part in enumerate(item["summary"]):
            yield from _summary(part, {**at, "summary_index": number})
    elif kind in _STEPS:
        begun, last = _STEPS[kind]
        yield from ((f"response.{kind}.{step}", at) for step in begun)
        yield from _texts(item, at)
        yield from ((f"response.{kind}.{step}", at) for step in last)
    else:
        yield from _texts(item, at)
    yield "response.output_item.done", {"item": item, "output_index": index}


def _texts(item: Json, at: Json) -> Iterator[tuple[str, Json]]:
    """The text that the model writes into an item, in pieces; of a shell, command by command."""
    kind = item.get("type")
    if kind in _TEXTS:
        name, key = _TEXTS[kind]
        for piece in pieces(item[key]):
            yield f"response.{name}.delta", {**at, "delta": piece}
        yield f"response.{name}.done", {**at, key: item[key]}
    for number, command in enumerate(item["action"]["commands"] if kind == "shell_call" else ()):
        here = {"output_index": at["output_index"], "command_index": number}
        yield "response.shell_call_command.added", {**here, "command": ""}
        for piece in pieces(command):
            yield "response.shell_call_command.delta", {**here, "delta": piece}
        yield "response.shell_call_command.done", {**here, "command": command}


def _empty(item: Json) -> Json:
    """The item in `added`, without the content of its deltas."""
    kind = item.get("type")
    blank: Json = {"content": [], "summary": [], "status": "in_progress"}
    if kind == "program_output":
        return item
    if kind in _TEXTS:
        blank[_TEXTS[kind][1]] = ""
    elif kind == "web_search_call":
        blank["action"] = {"type": "search"}
    elif kind == "shell_call":
        blank["action"] = {**item["action"], "commands": []}
    return {key: blank.get(key, value) for key, value in item.items()}


def _part(part: Json, at: Json) -> Iterator[tuple[str, Json]]:
    yield "response.content_part.added", {**at, "part": {**part, "annotations": [], "text": ""}}
    for piece in pieces(part["text"]):
        yield "response.output_text.delta", {**at, "delta": piece, "logprobs": []}
    for number, each in enumerate(part.get("annotations", ())):
        yield "response.output_text.annotation.added", {**at, "annotation": each, "annotation_index": number}
    yield "response.output_text.done", {**at, "logprobs": [], "text": part["text"]}
    yield "response.content_part.done", {**at, "part": part}


def _summary(part: Json, at: Json) -> Iterator[tuple[str, Json]]:
    yield "response.reasoning_summary_part.added", {**at, "part": {**part, "text": ""}}
    for piece in pieces(part["text"]):
        yield "response.reasoning_summary_text.delta", {**at, "delta": piece}
    yield "response.reasoning_summary_text.done", {**at, "text": part["text"]}
    yield "response.reasoning_summary_part.done", {**at, "part": part}


def _resealed(item: Json, reseal: Callable[[], str]) -> Json:
    sealed = item.get("type") == "reasoning" and item.get("encrypted_content")
    return {**item, "encrypted_content": reseal()} if sealed else item
