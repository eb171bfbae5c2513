"""Datasets of conversations for training or evaluation: `{"messages": […], "tools": […]}`, one a line.

Each is a fragment: the last message, if it is the assistant's, is judged as a reply to those before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.inputs import native
from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.model.exchange import Exchange


def _detect(value: Any) -> bool:
    messages = native.value_of(value.get("messages")) if isinstance(value, dict) else None
    return (
        isinstance(messages, list)
        and bool(messages)
        and all(isinstance(each, dict) and isinstance(each.get("role"), str) for each in messages)
        and not any("contents" in each for each in messages)  # the messages of Microsoft's framework
        and not isinstance(value.get("model"), str)
    )


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        rows = record.value if isinstance(record.value, list) else [record.value]
        for number, row in enumerate(rows):
            if _detect(row):
                source = record.source if len(rows) == 1 else f"{record.source}:{number}"
                messages = [_with_text(each) for each in native.value_of(row["messages"])]
                tools = native.value_of(row.get("tools"))
                reply = messages[-1] if messages[-1]["role"] == "assistant" else None
                asked = {"messages": messages[:-1] if reply else messages, **({"tools": tools} if tools else {})}
                origin = {"source": source, "group": f"{path}#{source}#{number}"}
                found = native.exchange(asked, reply, settings=frozenset({"tools"}), **origin)
                if found is not None:
                    yield found


def _with_text(message: dict[str, Any]) -> dict[str, Any]:
    """The message with the arguments of its calls as text: chat templates take them as objects, too."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [_call(each) for each in calls]}


def _call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), dict):
        return call
    return {**call, "function": {**function, "arguments": json.dumps(function["arguments"], ensure_ascii=False)}}


FORMAT = Format(
    name="dataset",
    title='conversations of datasets: {"messages": […], "tools": […]}',
    detect=_detect,
    read=_read,
    lacks=MESSAGES_ONLY,
    fallback=True,
)
