"""Revision 2026-07-28: every request stands for itself, and says what a session used to know."""

from __future__ import annotations

import base64
import binascii
import dataclasses
from collections.abc import Iterator

from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.dialects.mcp.revision import CAPABILITIES, CLIENT, HEADER, VERSION, stateless
from conformance.dialects.mcp.shape import Shape, misshapen
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_META = "/0/request/body/params/_meta"
_HEADERS = "/0/request/headers"
_RESULT = "/1/response/body/result"


@rule(
    "mcp-request-meta-incomplete",
    scope="request",
    basis="schema",
    cites=[
        "MCP-M-014 modelcontextprotocol schema/2026-07-28/schema.json#/$defs/RequestMetaObject",
        "MCP-M-014 modelcontextprotocol 2026-07-28/basic/index.mdx",
    ],
    conforming=[
        example("mcp/stateless"),
        example("mcp/stateless-call", drop(f"{_META}/io.modelcontextprotocol~1clientInfo")),
    ],
    violating=[
        example("mcp/stateless-call", put(_META, {})),
        example("mcp/stateless-call", drop(_META)),
        example("mcp/stateless-call", drop(f"{_META}/io.modelcontextprotocol~1clientCapabilities")),
        example("mcp/stateless-call", put(f"{_META}/io.modelcontextprotocol~1clientCapabilities", [])),
        example("mcp/stateless", drop("/1/request/body/params")),
    ],
)
def mcp_request_meta_incomplete(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, `_meta` of every request must have the revision and the client's capabilities.

    The server knows nothing else about the client, and refuses the request as malformed.
    """
    if not stateless(view):
        return
    for message in sent(view):
        if not message.is_request:
            continue
        params = message.value.get("params")
        wanted = f"{VERSION} and {CAPABILITIES}"
        if not isinstance(params, dict):
            yield message.hit("the request has no revision", expected=wanted, actual="no parameters")
        elif not isinstance(params.get("_meta"), dict):
            yield message.hit("the request has no revision", "params", expected=wanted, actual="no `_meta`")
        else:
            missing = [key for key in (VERSION, CAPABILITIES) if key not in message.meta]
            if missing:
                found = f"no {' and no '.join(missing)}"
                yield message.hit("`_meta` lacks what is required", "params", "_meta", expected=wanted, actual=found)
            types: Shape = {VERSION: "?string+", CAPABILITIES: "?object", CLIENT: "?object"}
            yield from misshapen(message, message.meta, types, "params", "_meta")


_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@rule(
    "mcp-header-body-mismatch",
    scope="exchange",
    basis="documented",
    cites=["MCP-M-015 modelcontextprotocol 2026-07-28/basic/transports/streamable-http.mdx"],
    conforming=[
        example("mcp/stateless"),
        example("mcp/stateless-call", put(f"{_HEADERS}/mcp-name", "=?base64?Z2V0X3dlYXRoZXI=?=")),
        example("mcp/stateless-call", drop(f"{_HEADERS}/mcp-method"), complete=False),
    ],
    violating=[
        example("mcp/stateless-call", put(f"{_HEADERS}/mcp-name", "get_time")),
        example("mcp/stateless-call", drop(f"{_HEADERS}/mcp-name")),
        example("mcp/stateless-call", put(f"{_HEADERS}/mcp-method", "Tools/call")),
        example("mcp/stateless-call", drop(f"{_HEADERS}/mcp-method")),
        example("mcp/stateless-call", put(f"{_HEADERS}/mcp-protocol-version", "2025-11-25")),
        example("mcp/stateless-call", drop(f"{_HEADERS}/mcp-protocol-version")),
        example("mcp/stateless-call", put("/0/request/body/params/name", "get_time"), at="0 request"),
    ],
)
def mcp_header_body_mismatch(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, the headers repeat the revision, the method and the name that are in the body.

    Gateways route by the headers, servers act by the body: where the two differ, the check and the deed are about
    two different things. The server has to refuse the request.
    """
    if not stateless(view):
        return
    headers = view.exchange.request.headers
    for message in sent(view):
        if not message.is_request:
            continue
        for name, wanted in _mirrored(message):
            header = headers.get(name)
            if header is None and not view.complete:
                continue
            if _decoded(header) != wanted:
                found = header if header is not None else "no such header"
                yield Hit(None, f"{name} differs from the body", f"{name}: {wanted}", found, side="request")


def _mirrored(message: Message) -> Iterator[tuple[str, str]]:
    """Each header that repeats a part of the body, with that part; what the body lacks is another finding."""
    pairs = [(HEADER, message.meta.get(VERSION)), ("mcp-method", message.method)]
    if message.method in _NAMES:
        pairs.append(("mcp-name", message.params.get(_NAMES[message.method])))
    for name, value in pairs:
        if isinstance(value, str) and value:
            yield name, value


def _decoded(header: str | None) -> str | None:
    """A header's value, which is in base64 where plain ASCII cannot hold it."""
    if header is None or not (header.startswith("=?base64?") and header.endswith("?=")):
        return header
    try:
        return base64.b64decode(header[9:-2], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return header


_CACHEABLE = frozenset(
    {
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "resources/read",
    }
)


@rule(
    "mcp-result-incomplete",
    scope="exchange",
    basis="schema",
    cites=[
        "MCP-M-016 modelcontextprotocol schema/2026-07-28/schema.json#/$defs/Result",
        "MCP-M-016 modelcontextprotocol 2026-07-28/server/utilities/caching.mdx",
    ],
    conforming=[
        example("mcp/stateless"),
        example("mcp/session"),
        example("mcp/stateless-call", put("/0/response/body/result", {"resultType": "input_required"})),
    ],
    violating=[
        example("mcp/stateless-call", drop("/0/response/body/result/resultType")),
        example("mcp/stateless", put(f"{_RESULT}/resultType", True)),
        example("mcp/stateless", drop(f"{_RESULT}/ttlMs")),
        example("mcp/stateless", put(f"{_RESULT}/ttlMs", -1)),
        example("mcp/stateless", put(f"{_RESULT}/cacheScope", "none")),
        example("mcp/stateless", drop("/0/response/body/result/cacheScope")),
        example("mcp/stateless", put(f"{_RESULT}/resultType", "partial")),
    ],
)
def mcp_result_incomplete(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, a result says its `resultType`, and one that may be kept says for how long and for whom.

    A client takes an unknown type for an invalid answer; a list without its scope may end in somebody else's cache.
    """
    if not stateless(view):
        return
    for request, response in answered(view):
        result = response.result if response is not None else None
        if response is None or result is None:
            continue
        yield from misshapen(response, result, {"resultType": "string+"}, "result")
        name = result.get("resultType")
        if isinstance(name, str) and name and name not in ("complete", "input_required"):
            text = "unknown result type, unless an extension defines it"
            hit = response.hit(text, "result", "resultType", expected="complete or input_required", actual=brief(name))
            yield dataclasses.replace(hit, severity=Severity.WARNING)
        if request.method not in _CACHEABLE or result.get("resultType", "complete") != "complete":
            continue
        yield from misshapen(response, result, {"ttlMs": "integer", "cacheScope": "string"}, "result")
        age, scope = result.get("ttlMs"), result.get("cacheScope")
        if isinstance(age, int) and age < 0:
            yield response.hit("the time to live is negative", "result", "ttlMs", expected="0 or more", actual=str(age))
        if isinstance(scope, str) and scope not in ("public", "private"):
            wanted = "public or private"
            yield response.hit("unknown cache scope", "result", "cacheScope", expected=wanted, actual=brief(scope))


@rule(
    "mcp-discover-result-incomplete",
    scope="exchange",
    basis="schema",
    cites=["MCP-M-016 modelcontextprotocol schema/2026-07-28/schema.json#/$defs/DiscoverResult"],
    violating=[
        example("mcp/stateless", drop("/0/response/body/result/supportedVersions")),
        example("mcp/stateless", put("/0/response/body/result/capabilities", [])),
        example(
            "mcp/stateless",
            put("/0/response/body/result/supportedVersions/0", "2025-11-25"),
            at="0 response /result/supportedVersions",
        ),
    ],
)
def mcp_discover_result_incomplete(view: View) -> Iterator[Hit]:
    """The result of `server/discover` has the server's capabilities and revisions, the request's own among them.

    The client picks its revision from the list: with a different one than the server meant, every request is refused.
    """
    for request, response in answered(view, "server/discover"):
        result = response.result if response is not None else None
        if response is None or result is None:
            continue
        yield from misshapen(response, result, {"supportedVersions": "array", "capabilities": "object"}, "result")
        versions, asked = result.get("supportedVersions"), request.meta.get(VERSION)
        if isinstance(versions, list) and asked not in versions:
            at = ("result", "supportedVersions")
            yield response.hit(
                "the request's revision is missing in the list", *at, expected=brief(asked), actual=brief(versions)
            )


@rule(
    "mcp-server-request-unsupported",
    scope="exchange",
    basis="documented",
    cites=["MCP-M-017 modelcontextprotocol 2026-07-28/basic/transports/streamable-http.mdx"],
    conforming=[
        example("mcp/stateless-stream"),
        example(
            "mcp/session-stream",
            put("/4/response/events/0/data", {"jsonrpc": "2.0", "id": "s1", "method": "roots/list"}),
        ),
    ],
    violating=[
        example(
            "mcp/stateless-stream",
            put("/0/response/events/0/data", {"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage"}),
        )
    ],
)
def mcp_server_request_unsupported(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, a server sends no requests: what it wants to know is in a result of type `input_required`.

    The client cannot answer, and the server waits.
    """
    if not stateless(view):
        return
    for message in received(view):
        if message.is_request:
            yield message.hit(
                "the server sends a request", expected="a notification or the response", actual=message.method
            )
