"""Results of calls: structured content, and the text that repeats it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.messages import Message, answered
from conformance.dialects.mcp.revision import stateless
from conformance.dialects.mcp.session import session_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, NotExercised
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits


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
    "mcp-structured-content-mismatch",
    scope="exchange",
    side="response",
    cites="MCP-A-025",
)
def mcp_structured_content_mismatch(view: View) -> Iterator[Hit]:
    """The result of a tool with an `outputSchema` must have `structuredContent` that is valid under it.

    Programs read the fields that the schema promises; SDKs raise if they are missing. A failed call needs none.
    """
    session = session_of(view)
    allowance = Allowance()
    for request, response, result in _results(view):
        at = ("result", "structuredContent")
        value = result.get("structuredContent", MISSING)
        tool = session.tool(request.params.get("name"))
        schema = tool.get("outputSchema") if tool is not None else None
        if value is not MISSING and not isinstance(value, dict) and not stateless(view):
            continue  # up to 2025-11-25 it is an object: that is for the contract
        if isinstance(schema, dict) and result.get("isError") is not True:
            try:
                found = ("", "it is missing") if value is MISSING else next(misfits(value, schema, allowance), None)
            except NotExercisedError as reason:
                yield NotExercised(None, str(reason))
                continue
            if found is not None:
                there = at if value is not MISSING else at[:1]
                text = f"structuredContent is invalid under the output schema at {found[0] or 'the root'}: {found[1]}"
                actual = "nothing" if value is MISSING else brief(value)
                yield response.hit(text, *there, expected="content that is valid under the schema", actual=actual)


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
