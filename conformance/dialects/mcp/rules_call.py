"""Calls of tools and their results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance import jsontext
from conformance.dialects.mcp.messages import Message, answered, sent
from conformance.dialects.mcp.revision import at_least, stateless
from conformance.dialects.mcp.session import session_of
from conformance.dialects.mcp.shape import Shape, misshapen
from conformance.example import Edit, drop, example, insert, put
from conformance.finding import Hit, Severity
from conformance.jsontext import brief, kind
from conformance.pointer import MISSING
from conformance.rule import rule
from conformance.schema import misfits
from conformance.view import View

_PARAMS = "/4/request/body/params"
_RESULT = "/4/response/body/result"
_AT = "4 response /result"
_M_RESULT = "/0/response/body/result"


def _refused(code: int = -32602) -> Edit:
    error = {"code": code, "message": "Unknown tool: get_wether"}
    return put("/4/response/body", {"jsonrpc": "2.0", "id": 3, "error": error})


def _results(view: View) -> Iterator[tuple[Message, Message, dict[str, Any]]]:
    """Each call with its result, where that is final: a question to the client or a task is none yet."""
    for request, response in answered(view, "tools/call"):
        result = response.result if response is not None else None
        if response is None or result is None or ("task" in result and "content" not in result):
            continue
        if stateless(view) and result.get("resultType", "complete") != "complete":
            continue
        yield request, response, result


@rule(
    "mcp-call-of-unlisted-tool",
    severity=Severity.ERROR,
    scope="conversation",
    basis="documented",
    dialects=["mcp"],
    cites=[
        "MCP-A-022 modelcontextprotocol 2025-11-25/server/tools.mdx",
        "MAP-002 modelcontextprotocol 2025-11-25/server/tools.mdx",
    ],
    conforming=[example("mcp/session"), example("mcp/stateless"), example("mcp/stateless-unknown-tool")],
    violating=[
        example("mcp/session", put(f"{_PARAMS}/name", "get_wether"), _refused(), at="4 request /params/name"),
        example("mcp/session", put(f"{_PARAMS}/name", "clock_now"), _refused(), at="4 request /params/name"),
    ],
)
def mcp_call_of_unlisted_tool(view: View) -> Iterator[Hit]:
    """A call names a tool that the server listed, letter by letter.

    Names are changed on the way to a provider that allows fewer characters; they have to be changed back.
    """
    session = session_of(view)
    for message in sent(view):
        name = message.params.get("name")
        if message.method == "tools/call" and session.lacks(name):
            listed = brief(sorted(session.listing.tools))
            yield message.hit(
                "the server lists no such tool", "params", "name", expected=f"one of {listed}", actual=brief(name)
            )


@rule(
    "mcp-arguments-schema-mismatch",
    severity=Severity.WARNING,
    scope="conversation",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-023 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[example("mcp/session"), example("mcp/stateless")],
    violating=[
        example("mcp/session", drop(f"{_PARAMS}/arguments/longitude"), at="4 request /params/arguments"),
        example("mcp/session", put(f"{_PARAMS}/arguments/latitude", "37.57"), at="4 request /params/arguments"),
        example("mcp/session", drop(f"{_PARAMS}/arguments"), at="4 request /params"),
    ],
)
def mcp_arguments_schema_mismatch(view: View) -> Iterator[Hit]:
    """The arguments of a call fit the `inputSchema` of its tool.

    The model's slip, or a bridge that lost or retyped a value between the provider and the server.
    """
    session = session_of(view)
    for message in sent(view):
        tool = session.tool(message.params.get("name")) if message.method == "tools/call" else None
        found = _misfit(message.params.get("arguments", {}), tool)
        if found is not None:
            where, what = found
            tokens = ["params", *(["arguments"] if "arguments" in message.params else [])]
            text = f"the arguments break the schema at {where or 'the top'}: {what}"
            actual = brief(message.params.get("arguments"))
            yield message.hit(text, *tokens, expected="arguments that fit the schema", actual=actual)


def _misfit(arguments: Any, tool: Mapping[str, Any] | None) -> tuple[str, str] | None:
    schema = tool.get("inputSchema") if tool is not None else None
    if not isinstance(schema, dict) or not isinstance(arguments, dict):
        return None
    return next(misfits(arguments, schema), None)


_RESULT_SHAPE: Shape = {"content": "array", "isError": "?boolean", "_meta": "?object"}
_BLOCKS: Mapping[str, Shape] = {
    "text": {"text": "string"},
    "image": {"data": "string", "mimeType": "string"},
    "audio": {"data": "string", "mimeType": "string"},
    "resource_link": {"uri": "string", "name": "string"},
    "resource": {"resource": "object"},
}


@rule(
    "mcp-call-result-shape",
    severity=Severity.ERROR,
    scope="exchange",
    basis="schema",
    dialects=["mcp"],
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
        example("mcp/session", put(f"{_RESULT}/content", "14.2"), at=f"{_AT}/content"),
        example("mcp/session", drop(f"{_RESULT}/content"), at=_AT),
        example("mcp/session", drop(f"{_RESULT}/content/0/text"), at=f"{_AT}/content/0"),
        example("mcp/session", put(f"{_RESULT}/content/0/text", {"t": 1}), at=f"{_AT}/content/0/text"),
        example("mcp/session", drop(f"{_RESULT}/content/0/type"), at=f"{_AT}/content/0"),
        example("mcp/session", put(f"{_RESULT}/content/0", "14.2"), at=f"{_AT}/content/0"),
        example("mcp/session", put(f"{_RESULT}/content/0", {"type": "image", "data": ""}), at=f"{_AT}/content/0"),
        example("mcp/session", put(f"{_RESULT}/isError", "false"), at=f"{_AT}/isError"),
    ],
)
def mcp_call_result_shape(view: View) -> Iterator[Hit]:
    """`content` of a call's result is an array of typed blocks, and `isError` a boolean.

    A client that validates the result raises instead of handing it to the model, and the call stays open.
    """
    for _, response, result in _results(view):
        yield from misshapen(response, result, _RESULT_SHAPE, "result")
        content = result.get("content")
        for number, block in enumerate(content if isinstance(content, list) else ()):
            at = ("result", "content", number)
            if not isinstance(block, dict):
                yield response.hit("a block is no object", *at, expected="an object", actual=kind(block))
                continue
            yield from misshapen(response, block, {"type": "string+"}, *at)
            name = block.get("type")
            yield from misshapen(response, block, _BLOCKS.get(name, {}) if isinstance(name, str) else {}, *at)


@rule(
    "mcp-structured-content-mismatch",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-025 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    bugs=["IBM/mcp-context-forge#4042"],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless"),
        example("mcp/stateless-failed-call"),
    ],
    violating=[
        example("mcp/session", drop(f"{_RESULT}/structuredContent"), at=_AT),
        example("mcp/session", put(f"{_RESULT}/structuredContent/temperature", "14"), at=f"{_AT}/structuredContent"),
        example(
            "mcp/stateless",
            put("/3/response/body/result/structuredContent", {}),
            at="3 response /result/structuredContent",
        ),
        example(
            "mcp/session-stream",
            put("/4/response/events/1/data/result/structuredContent", [14.2]),
            at="4 response event/1/result/structuredContent",
        ),
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
            yield response.hit("it is no object", *at, expected="an object", actual=kind(value))
        elif isinstance(schema, dict) and result.get("isError") is not True:
            found = ("", "it is missing") if value is MISSING else next(misfits(value, schema), None)
            if found is not None:
                there = at if value is not MISSING else at[:1]
                text = f"it breaks the output schema at {found[0] or 'the top'}: {found[1]}"
                actual = "nothing" if value is MISSING else brief(value)
                yield response.hit(text, *there, expected="content that fits the schema", actual=actual)


@rule(
    "mcp-structured-content-not-mirrored",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
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
        example("mcp/session", put(f"{_RESULT}/content", []), at=f"{_AT}/content"),
        example("mcp/session", put(f"{_RESULT}/content/0/text", '{"temperature": 15}'), at=f"{_AT}/content"),
    ],
)
def mcp_structured_content_not_mirrored(view: View) -> Iterator[Hit]:
    """A text block repeats the structured content.

    Clients that know nothing of structured content give the model the text alone: it must say the same.
    """
    for _, response, result in _results(view):
        value, content = result.get("structuredContent", MISSING), result.get("content")
        if value is MISSING or value is None or not isinstance(content, list) or result.get("isError") is True:
            continue
        texts = [block["text"] for block in content if isinstance(block, dict) and isinstance(block.get("text"), str)]
        if not _mirrored(value, texts):
            yield response.hit(
                "no text says what the structured content says",
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


@rule(
    "mcp-unknown-tool-not-refused",
    severity=Severity.ERROR,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-027 modelcontextprotocol 2025-11-25/server/tools.mdx"],
    conforming=[
        example("mcp/stateless-unknown-tool"),
        example("mcp/session", put(f"{_PARAMS}/name", "get_wether"), _refused()),
    ],
    violating=[
        example("mcp/session", put(f"{_PARAMS}/name", "get_wether"), put(f"{_RESULT}/isError", True), at=_AT),
        example("mcp/session", put(f"{_PARAMS}/name", "get_wether"), _refused(-32000), at="4 response /error/code"),
    ],
)
def mcp_unknown_tool_not_refused(view: View) -> Iterator[Hit]:
    """A call of a tool that does not exist gets a JSON-RPC error, -32602, and no result.

    As a result it looks as if the tool had run and failed, and the model tries it again.
    """
    session = session_of(view)
    for request, response in answered(view, "tools/call"):
        if response is None or not session.lacks(request.params.get("name")):
            continue
        if response.result is not None:
            yield response.hit(
                "a tool that does not exist has a result", "result", expected="error -32602", actual="a result"
            )
        elif response.error is not None and response.error.get("code") != -32602:
            yield response.hit(
                "another code than that of an unknown tool",
                *("error", "code"),
                expected="-32602",
                actual=brief(response.error.get("code")),
            )


@rule(
    "mcp-invalid-arguments-as-error",
    severity=Severity.WARNING,
    scope="exchange",
    basis="documented",
    dialects=["mcp"],
    cites=["MCP-A-028 modelcontextprotocol 2025-11-25/changelog.mdx"],
    conforming=[
        example("mcp/session"),
        example("mcp/stateless-failed-call"),
        example("mcp/session", put(f"{_PARAMS}/name", "get_wether"), _refused()),
    ],
    violating=[
        example("mcp/session", drop(f"{_PARAMS}/arguments/longitude"), _refused(), at="4 response /error"),
    ],
)
def mcp_invalid_arguments_as_error(view: View) -> Iterator[Hit]:
    """From 2025-11-25 on, arguments that do not fit are answered by a result with `isError: true`.

    A result reaches the model, which can then correct its call; an error of the protocol often ends the run.
    """
    if not at_least(view, "2025-11-25"):
        return
    session = session_of(view)
    for request, response in answered(view, "tools/call"):
        tool = session.tool(request.params.get("name"))
        if response is None or response.error is None or response.error.get("code") != -32602:
            continue
        if _misfit(request.params.get("arguments", {}), tool) is not None:
            yield response.hit(
                "the arguments are refused by an error", "error", expected="isError: true", actual="error"
            )
