"""Results of calls: structured content, and the text that repeats it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import Message, answered
from conformance.dialects.mcp.revision import stateless
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING


def _results(view: View) -> Iterator[tuple[Message, Message, dict[str, Any]]]:
    """Each call with its final result; a question to the client or a task is not final."""
    for request, response in answered(view, "tools/call"):
        result = response.result if response is not None else None
        if response is None or result is None or ("task" in result and "content" not in result):
            continue
        if stateless(view) and result.get("resultType", "complete") != "complete":
            continue
        yield request, response, result


@rule(
    "mcp-structured-content-text-missing",
    scope="exchange",
    side="response",
    cites="MCP-A-026",
)
def mcp_structured_content_text_missing(view: View) -> Iterator[Hit]:
    """A text block should repeat the structured content.

    Clients without support for structured content pass only the text to the model.
    """
    for _, response, result in _results(view):
        value, content = result.get("structuredContent", MISSING), result.get("content")
        if value is MISSING or value is None or not isinstance(content, list) or result.get("isError") is True:
            continue
        texts = [block["text"] for block in content if isinstance(block, dict) and isinstance(block.get("text"), str)]
        if not _mirrored(value, texts):
            yield response.hit(
                "no text block repeats the structured content",
                *("result", "content"),
                expected=brief(value),
                actual=brief(texts),
            )


def _mirrored(value: Any, texts: list[str]) -> bool:
    """Whether the texts have the value: as JSON, or as the one plain value that a server wrapped in an object."""
    if any(jsontext.same(jsontext.parse(text), value) for text in texts):
        return True
    if not isinstance(value, dict) or len(value) != 1:
        return False
    inner = next(iter(value.values()))
    wrapped = inner if isinstance(inner, list) else [inner]
    given = [
        text if isinstance(each, str) else jsontext.parse(text) for each, text in zip(wrapped, texts, strict=False)
    ]
    return jsontext.same(given, wrapped) or _mirrored(inner, texts)
