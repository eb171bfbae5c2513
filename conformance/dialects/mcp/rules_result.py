"""Results of calls: typed blocks, and structured content that keeps its promise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.mcp.messages import Message, answered
from conformance.dialects.mcp.revision import stateless
from conformance.dialects.mcp.session import session_of
from conformance.dialects.mcp.shape import Shape, misshapen
from conformance.judge.example import drop, example, insert, put
from conformance.judge.rule import rule
from conformance.judge.tool_schema import misfits
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import MISSING

_RESULT = "/4/response/body/result"
_AT = "4 response /result"
_M_RESULT = "/0/response/body/result"


def _results(view: View) -> Iterator[tuple[Message, Message, dict[str, Any]]]:
    """Each call with its result, where that is final: a question to the client or a task is none yet."""
    for request, response in answered(view, "tools/call"):
        result = response.result if response is not None else None
        if response is None or result is None or ("task" in result and "content" not in result):
            continue
        if stateless(view) and result.get("resultType", "complete") != "complete":
            continue
        yield request, response, result


_RESULT_SHAPE: Shape = {"content": "array", "isError": "?boolean", "_meta": "?object"}
_BLOCKS: Mapping[str, Shape] = {
    "text": {"text": "string"},
    "image": {"data": "string", "mimeType": "string"},
    "audio": {"data": "string", "mimeType": "string"},
    "resource_link": {"uri": "string", "name": "string"},
    "resource": {"resource": "object"},
}


@rule(
    "mcp-call-result-malformed",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-A-024 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/CallToolResult",
        "MCP-A-024 modelcontextprotocol schema/2025-11-25/schema.json#/$defs/ContentBlock",
    ],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless-failed-call"),
        example("mcp/session", insert(f"{_RESULT}/content/1", {"type": "resource_link", "uri": "a:b", "name": "x"})),
        example("mcp/stateless-call", put(_M_RESULT, {"resultType": "input_required", "inputRequests": {}})),
    ],
    violating=[
        example("mcp/session", put(f"{_RESULT}/content", "14.2")),
        example("mcp/session", drop(f"{_RESULT}/content")),
        example("mcp/session", drop(f"{_RESULT}/content/0/text")),
        example("mcp/session", put(f"{_RESULT}/content/0/text", {"t": 1})),
        example("mcp/session", drop(f"{_RESULT}/content/0/type")),
        example("mcp/session", put(f"{_RESULT}/content/0", "14.2")),
        example("mcp/session", put(f"{_RESULT}/content/0", {"type": "image", "data": ""})),
        example("mcp/session", put(f"{_RESULT}/isError", "false")),
        example(
            "mcp/session",
            insert(f"{_RESULT}/content/1", {"type": "input_text", "text": "x"}),
            at=f"{_AT}/content/1/type",
        ),
    ],
)
def mcp_call_result_malformed(view: View) -> Iterator[Hit]:
    """`content` of a call's result is an array of typed blocks, and `isError` a boolean.

    A client that validates the result raises instead of handing it to the model, and the call stays open.
    """
    for _, response, result in _results(view):
        yield from misshapen(response, result, _RESULT_SHAPE, "result")
        content = result.get("content")
        for number, block in enumerate(content if isinstance(content, list) else ()):
            at = ("result", "content", number)
            if not isinstance(block, dict):
                yield response.hit("a block is not an object", *at, expected="an object", actual=kind(block))
                continue
            yield from misshapen(response, block, {"type": "string+"}, *at)
            name = block.get("type")
            yield from misshapen(response, block, _BLOCKS.get(name, {}) if isinstance(name, str) else {}, *at)
            if isinstance(name, str) and name and name not in _BLOCKS:
                hit = response.hit("unknown block type", *at, "type", actual=name)
                yield dataclasses.replace(hit, expected=" or ".join(_BLOCKS), severity=Severity.WARNING)


@rule(
    "mcp-structured-content-mismatch",
    scope="exchange",
    basis="documented",
    cites=["MCP-A-025 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    bugs=["IBM/mcp-context-forge#4042", "arcade-mcp#817", "tailscale-mcp#101"],
    conforming=[example("mcp/session"), example("mcp/stateless"), example("mcp/stateless-failed-call")],
    violating=[
        example("mcp/session", drop(f"{_RESULT}/structuredContent")),
        example("mcp/session", put(f"{_RESULT}/structuredContent/temperature", "14"), at=f"{_AT}/structuredContent"),
        example("mcp/stateless", put("/3/response/body/result/structuredContent", {})),
        example("mcp/session-stream", put("/4/response/events/1/data/result/structuredContent", [14.2])),
    ],
)
def mcp_structured_content_mismatch(view: View) -> Iterator[Hit]:
    """The result of a tool with an `outputSchema` has `structuredContent` that fits it, unless the call failed.

    Programs read the fields that the schema promises; SDKs raise when they are not there. Up to 2025-11-25 the
    structured content of any tool is an object.
    """
    session = session_of(view)
    for request, response, result in _results(view):
        at = ("result", "structuredContent")
        value = result.get("structuredContent", MISSING)
        tool = session.tool(request.params.get("name"))
        schema = tool.get("outputSchema") if tool is not None else None
        if value is not MISSING and not isinstance(value, dict) and not stateless(view):
            yield response.hit("it is not an object", *at, expected="an object", actual=kind(value))
        elif isinstance(schema, dict) and result.get("isError") is not True:
            found = ("", "it is missing") if value is MISSING else next(misfits(value, schema), None)
            if found is not None:
                there = at if value is not MISSING else at[:1]
                text = f"it is invalid under the output schema at {found[0] or 'the root'}: {found[1]}"
                actual = "nothing" if value is MISSING else brief(value)
                yield response.hit(text, *there, expected="content that is valid under the schema", actual=actual)


@rule(
    "mcp-structured-content-text-missing",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    cites=["MCP-A-026 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless"),
        example(
            "mcp/stateless-call",
            put(f"{_M_RESULT}/structuredContent", {"result": "14.2"}),
            put(f"{_M_RESULT}/content/0/text", "14.2"),
        ),
    ],
    violating=[
        example("mcp/session", put(f"{_RESULT}/content", [])),
        example("mcp/session", put(f"{_RESULT}/content/0/text", '{"temperature": 15}'), at=f"{_AT}/content"),
    ],
)
def mcp_structured_content_text_missing(view: View) -> Iterator[Hit]:
    """A text block repeats the structured content.

    Clients without support for structured content give the model only the text, so it must be the same.
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
    """Whether the texts hold the value: as JSON, or the one plain value that a server wrapped into an object."""
    if any(jsontext.same(jsontext.parse(text), value) for text in texts):
        return True
    if not isinstance(value, dict) or len(value) != 1:
        return False
    inner = next(iter(value.values()))
    wrapped = inner if isinstance(inner, list) else [inner]
    said = [text if isinstance(each, str) else jsontext.parse(text) for each, text in zip(wrapped, texts, strict=False)]
    return jsontext.same(said, wrapped) or _mirrored(inner, texts)
