"""Results of a server, by the method of the request."""

from __future__ import annotations

from conformance.contract.nodes import Field, Node
from conformance.contract.notation import *
from conformance.dialects.mcp.contract.common import *
from conformance.dialects.mcp.contract.content import CONTENTS, MIME, ONE_BLOCK
from conformance.dialects.mcp.contract.places import STATELESS
from conformance.dialects.mcp.contract.sampling import QUESTIONS
from conformance.dialects.mcp.contract.tools import CALL, LIST

_INCOMPLETE = cite("MCP-M-016", rule="mcp-result-incomplete")
_TYPE = first(
    need(known("complete", "input_required"), _INCOMPLETE, only=STATELESS),
    may(text()),
)
_DONE = obj(resultType=_TYPE, _meta=RESULT_META)
_KEPT = obj(
    _DONE,
    ttlMs=first(need(integer(0), _INCOMPLETE, only=STATELESS), may(integer(0))),
    cacheScope=first(need(word("public", "private"), _INCOMPLETE, only=STATELESS), may(word("public", "private"))),
)
"""A result that a client may cache, from 2026-07-28 on."""
_PAGE = obj(_KEPT, nextCursor=may(text(), CURSOR))

# Handshake --------------------------------------------------------------------------------------------------------
INITIALIZED = obj(
    cite("MCP-H-011", rule="mcp-initialize-result-incomplete"),
    _DONE,
    protocolVersion=need(REVISION, pattern=MALFORMED),
    capabilities=need(SERVER_CAPABILITIES),
    serverInfo=need(IMPLEMENTATION),
    instructions=may(text()),
)
DISCOVERED = obj(
    cite("MCP-M-016", rule="mcp-discover-result-incomplete"),
    _KEPT,
    supportedVersions=need(array(text(1))),
    capabilities=need(SERVER_CAPABILITIES),
    instructions=may(text()),
)

# Prompts and resources --------------------------------------------------------------------------------------------
_NAMED = {"name": need(text(1)), "title": may(text()), "description": may(text()), "icons": ICONS, "_meta": META}
_RESOURCE = {**_NAMED, "mimeType": MIME, "annotations": ANNOTATIONS}
_ARGUMENT = obj(
    name=need(text(1)),
    title=may(text()),
    description=may(text()),
    required=may(boolean),
)
_PROMPT = obj(_NAMED, arguments=may(array(_ARGUMENT)))
PROMPTS = obj(_PAGE, prompts=need(array(_PROMPT)))
PROMPT = obj(
    _DONE,
    description=may(text()),
    messages=need(array(obj(role=need(ROLE), content=ONE_BLOCK))),
)
RESOURCES = obj(_PAGE, resources=need(array(obj(_RESOURCE, uri=need(URI), size=may(integer(0))))))
TEMPLATES = obj(_PAGE, resourceTemplates=need(array(obj(_RESOURCE, uriTemplate=need(URI)))))
READ = obj(_KEPT, contents=need(array(CONTENTS)))
COMPLETED = obj(
    _DONE,
    completion=need(obj(values=need(array(text(), 0, 100)), total=may(integer(0)), hasMore=may(boolean))),
)

# Tasks (2025-11-25) -----------------------------------------------------------------------------------------------
TASK = obj(
    taskId=need(text(1)),
    status=need(word("working", "input_required", "completed", "failed", "cancelled")),
    statusMessage=may(text()),
    createdAt=need(text(1)),
    lastUpdatedAt=need(text(1)),
    ttl=need(integer(0) | null),
    pollInterval=may(integer(0)),
)
BEGUN = obj(_DONE, task=need(TASK))
TASKS = obj(_PAGE, tasks=need(array(TASK)))

# What calls and similar requests may have instead of the result -------------------------------------------------------
ASKING = obj(
    some_of("inputRequests", "requestState", cite=_INCOMPLETE, only=STATELESS),
    _DONE,
    inputRequests=may(QUESTIONS),
    requestState=may(text()),
)


def _or_asking(result: Node) -> Node:
    """A result, or a question to the client; nothing else is known about an unknown type."""
    return cases(
        (is_("resultType", "input_required"), ASKING),
        (is_("resultType", "complete"), result),
        ("resultType", _DONE),
        otherwise=result,
    )


_CALLED = obj(CALL, _DONE)
_LISTED = obj(LIST, _PAGE)
CALLED = cases(
    (is_("resultType", "input_required"), ASKING),
    (is_("resultType", "complete"), _CALLED),
    ("resultType", _DONE),
    ("content", _CALLED),
    ("task", BEGUN),
    otherwise=_CALLED,
)
_LISTENED = obj(
    _DONE,
    _meta=first(
        need(
            obj({f"{KEY}/subscriptionId": need(ID), f"{KEY}/serverInfo": may(IMPLEMENTATION)}),
            only=STATELESS,
        ),
        RESULT_META,
    ),
)
RESULTS: dict[str, Node] = {
    "initialize": INITIALIZED,
    "server/discover": DISCOVERED,
    "tools/list": _LISTED,
    "tools/call": CALLED,
    "prompts/list": PROMPTS,
    "prompts/get": _or_asking(PROMPT),
    "resources/list": RESOURCES,
    "resources/templates/list": TEMPLATES,
    "resources/read": _or_asking(READ),
    "completion/complete": COMPLETED,
    "subscriptions/listen": _LISTENED,
    "tasks/get": obj(_DONE, TASK),
    "tasks/cancel": obj(_DONE, TASK),
    "tasks/list": TASKS,
}
_LISTS = ("tools", "prompts", "resources", "resourceTemplates", "contents", "messages", "content", "supportedVersions")
_UNNAMED = obj(
    _DONE,
    {name: may(array(anything)) for name in _LISTS},
    completion=may(obj()),
    serverInfo=may(obj()),
)
"""A result that no field identifies; the fields that would identify it must not be null."""
_BY_CONTENT = cases(
    ("tools", _LISTED),
    ("prompts", PROMPTS),
    ("resources", RESOURCES),
    ("resourceTemplates", TEMPLATES),
    ("contents", READ),
    ("messages", PROMPT),
    ("completion", COMPLETED),
    ("serverInfo", INITIALIZED),
    ("supportedVersions", DISCOVERED),
    ("content", _CALLED),
    ("tasks", TASKS),
    ("task", BEGUN),
    ("taskId", obj(_DONE, TASK)),
    ("inputRequests", ASKING),
    ("requestState", ASKING),
    otherwise=_UNNAMED,
)
"""The fields of a result identify it where its method is unknown."""


OTHER = "other"
"""The key of methods whose results have a form of their own."""
NO_OBJECT = cite("MCP-A-004", rule="mcp-error-malformed")
AMBIGUOUS = cite("MCP-A-004", rule="mcp-response-ambiguous")


def _row(node: Node, method: str) -> Field:
    return may(node, type=NO_OBJECT, null=AMBIGUOUS, only=when(operation=method))


RESULT = first(
    *(_row(node, method) for method, node in RESULTS.items()),
    _row(_DONE, OTHER),
    may(_BY_CONTENT, type=NO_OBJECT, null=AMBIGUOUS),
)
