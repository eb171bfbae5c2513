"""The events of a response that is streamed: named, numbered from 0, one item at a time, no `[DONE]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.model.document import SERVER_SENT, Document
from conformance.model.rendered import IdFactory, pieces

Json = dict[str, Any]
_PADDING = 16


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
    elif kind == "web_search_call":
        for step in ("in_progress", "searching", "completed"):
            yield f"response.web_search_call.{step}", at
    elif kind in ("function_call", "custom_tool_call"):
        name, key = (
            ("function_call_arguments", "arguments") if kind == "function_call" else ("custom_tool_call_input", "input")
        )
        for piece in pieces(item[key]):
            yield f"response.{name}.delta", {**at, "delta": piece}
        yield f"response.{name}.done", {**at, key: item[key]}
    yield "response.output_item.done", {"item": item, "output_index": index}


def _empty(item: Json) -> Json:
    """The item in `added`, without the content of its deltas."""
    blank: Json = {"arguments": "", "input": "", "content": [], "summary": [], "status": "in_progress"}
    if item.get("type") == "web_search_call":
        blank["action"] = {"type": "search"}
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
    return {**item, "encrypted_content": reseal()} if item.get("encrypted_content") else item
