"""Requests and notifications, by their method: those of a client, and those of a server."""

from __future__ import annotations

from conformance.contract.nodes import Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.mcp.contract.common import *
from conformance.dialects.mcp.contract.places import STATELESS, TASKS
from conformance.dialects.mcp.contract.results import TASK
from conformance.dialects.mcp.contract.sampling import ANSWER, CREATE_MESSAGE, ELICIT, TASK_ASKED

VERSION = need(word("2.0"), cite("MCP-A-001", rule="mcp-jsonrpc-version-wrong"))
_ID = need(ID, cite("MCP-A-002", rule="mcp-request-id-invalid"))
_NO_ID = may(Foreign("no id: notifications get no response"), cite("MCP-A-005", rule="mcp-notification-id-unexpected"))
_NO_META = cite("MCP-M-014", rule="mcp-request-meta-incomplete")


def _request(node: Node, *, asked: bool = True) -> Object:
    """A request with these parameters, which it must have if one of them is required."""
    usual = need(node) if asked else may(node)
    return obj(PARAMS, jsonrpc=VERSION, id=_ID, params=first(need(node, missing=_NO_META, only=STATELESS), usual))


def _params(*parts: Object, **rows: object) -> Object:
    return obj({"_meta": REQUEST_META}, *parts, **rows)  # type: ignore[arg-type]


def _question(node: Node, *, asked: bool = True) -> Object:
    """A request of a server. Revisions without sessions have no such requests and no rows for them."""
    return obj(PARAMS, jsonrpc=VERSION, id=_ID, params=need(node) if asked else may(node))


def _notice(node: Object | None = None) -> Object:
    """A notification with these parameters."""
    params = may(obj(_meta=NOTICE_META)) if node is None else need(obj(node, _meta=NOTICE_META))
    return obj(PARAMS, jsonrpc=VERSION, id=_NO_ID, params=params)


_META = may(PLAIN_META)
_PLAIN = _request(_params(), asked=False)
_PAGE = _request(_params(cursor=may(text())), asked=False)
_BY_URI = _params(uri=need(URI))
_TASK = _request(_params(taskId=need(text(1))))
_AGAIN = {"inputResponses": may(mapping(ANSWER)), "requestState": may(text())}
_FILTER = need(
    obj(
        toolsListChanged=may(boolean),
        promptsListChanged=may(boolean),
        resourcesListChanged=may(boolean),
        resourceSubscriptions=may(array(URI)),
    )
)
_CANCELLED = _notice(obj(requestId=first(may(ID, only=TASKS), need(ID)), reason=may(text())))
_PROGRESS = _notice(
    obj(
        progressToken=need(ID),
        progress=need(number()),
        total=may(number()),
        message=may(text()),
    )
)
_OWN_TASK = _question(obj(taskId=need(text(1)), _meta=_META))
_BOTH = {
    "notifications/cancelled": _CANCELLED,
    "notifications/progress": _PROGRESS,
    "notifications/tasks/status": _notice(TASK),
}
_OTHER = obj(
    PARAMS,
    jsonrpc=VERSION,
    method=need(text(1)),
    id=may(ID, cite("MCP-A-002", rule="mcp-request-id-invalid")),
    params=may(obj(_meta=may(obj()))),
)
"""A request or a notification of an extension."""
_ENVELOPE_CITES = {**PARAMS, "itself": NO_MESSAGE}
_TOOL_CALL = obj(
    _params(),
    _AGAIN,
    name=need(text(1), cite("MCP-A-022")),
    arguments=may(mapping(), cite("MCP-A-022")),
    task=TASK_ASKED,
)
_REF = by(
    {
        "ref/prompt": obj(name=need(text(1)), title=may(text())),
        "ref/resource": obj(uri=need(URI)),
    }
)
CLIENT = by_some(
    "method",
    {
        "initialize": _request(
            _params(
                protocolVersion=need(REVISION, cite("MCP-H-010"), pattern=MALFORMED),
                capabilities=need(CLIENT_CAPABILITIES),
                clientInfo=need(IMPLEMENTATION),
            )
        ),
        "server/discover": _PLAIN,
        "subscriptions/listen": _request(_params(notifications=_FILTER)),
        "tools/list": _PAGE,
        "tools/call": _request(_TOOL_CALL),
        "prompts/list": _PAGE,
        "prompts/get": _request(obj(_params(), _AGAIN, name=need(text(1)), arguments=may(mapping(text())))),
        "resources/list": _PAGE,
        "resources/templates/list": _PAGE,
        "resources/read": _request(obj(_BY_URI, _AGAIN)),
        "resources/subscribe": _request(_BY_URI),
        "resources/unsubscribe": _request(_BY_URI),
        "completion/complete": _request(
            _params(
                ref=need(_REF),
                argument=need(obj(name=need(text(1)), value=need(text()))),
                context=may(obj(arguments=may(mapping(text())))),
            )
        ),
        "logging/setLevel": _request(_params(level=need(LEVEL))),
        "ping": _PLAIN,
        "tasks/get": _TASK,
        "tasks/result": _TASK,
        "tasks/cancel": _TASK,
        "tasks/list": _PAGE,
        "notifications/initialized": _notice(),
        "notifications/roots/list_changed": _notice(),
        **_BOTH,
    },
    _ENVELOPE_CITES,
    otherwise=_OTHER,
)
SERVER = by_some(
    "method",
    {
        "sampling/createMessage": _question(obj(CREATE_MESSAGE, _meta=_META)),
        "elicitation/create": _question(ELICIT),
        "roots/list": _question(obj(_meta=_META), asked=False),
        "ping": _question(obj(_meta=_META), asked=False),
        "tasks/get": _OWN_TASK,
        "tasks/result": _OWN_TASK,
        "tasks/cancel": _OWN_TASK,
        "tasks/list": _question(obj(cursor=may(text()), _meta=_META), asked=False),
        "notifications/message": _notice(obj(level=need(LEVEL), logger=may(text()), data=need(anything))),
        "notifications/resources/updated": _notice(obj(uri=need(URI))),
        "notifications/resources/list_changed": _notice(),
        "notifications/prompts/list_changed": _notice(),
        "notifications/tools/list_changed": _notice(),
        "notifications/elicitation/complete": _notice(obj(elicitationId=need(text(1)))),
        "notifications/subscriptions/acknowledged": _notice(obj(notifications=_FILTER)),
        **_BOTH,
    },
    _ENVELOPE_CITES,
    otherwise=_OTHER,
)
