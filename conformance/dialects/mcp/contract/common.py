"""What messages of MCP have in several places: names of programs, icons, capabilities, `_meta`."""

from __future__ import annotations

import dataclasses
from typing import Any

from conformance.contract import notation
from conformance.contract.citation import Citation, Citations
from conformance.contract.nodes import Field, Node
from conformance.contract.notation import (
    anything,
    array,
    boolean,
    cite,
    integer,
    later,
    mapping,
    need,
    number,
    obj,
    text,
    word,
)
from conformance.contract.situation import When
from conformance.dialects.mcp.contract.places import STATELESS
from conformance.model.finding import Severity

_NULL = cite(
    severity=Severity.ERROR, because="the schemas of MCP rarely allow null, and the parsers of its SDKs refuse it"
)


def may(node: Node, citation: Citation | Citations | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """An optional field that must not be null: the parsers of the TypeScript SDK refuse null."""
    given = more.pop("null", cite())
    null = dataclasses.replace(given, severity=_NULL.severity, because=_NULL.because)
    return notation.may(node, citation, only=only, null=null, **more)


ID = text() | integer()
URI = text(1)
ROLE = word("user", "assistant")
LEVEL = word("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
CURSOR = cite("MCP-A-021", rule="mcp-cursor-wrong-type")

# Names ------------------------------------------------------------------------------------------------------------
ICONS = may(
    array(
        obj(
            src=need(URI),
            mimeType=may(text(1)),
            sizes=may(array(text())),
            theme=may(word("light", "dark")),
        )
    )
)
_UNNAMED = cite("MCP-H-011", rule="mcp-implementation-incomplete")
_EMPTY = cite(
    "MCP-H-011",
    Severity.WARNING,
    because="the schema allows an empty string",
    rule="mcp-implementation-incomplete",
)
IMPLEMENTATION = obj(
    name=need(text(1), _UNNAMED, empty=_EMPTY),
    version=need(text(1), _UNNAMED, empty=_EMPTY),
    title=may(text()),
    description=may(text()),
    websiteUrl=may(URI),
    icons=ICONS,
)
REVISION = text(1, pattern="[0-9]{4}-[0-9]{2}-[0-9]{2}|DRAFT-.+|draft")
MALFORMED = cite("MCP-H-011", rule="mcp-revision-malformed")

# Capabilities -----------------------------------------------------------------------------------------------------
_ANY = may(obj())
_LISTED = may(obj(listChanged=may(boolean)))
_TASKS = obj(
    list=_ANY,
    cancel=_ANY,
    requests=may(obj(sampling=may(obj(createMessage=_ANY)), elicitation=may(obj(create=_ANY)))),
)
CLIENT_CAPABILITIES = obj(
    experimental=may(mapping(obj())),
    extensions=may(mapping(obj())),
    roots=_LISTED,
    sampling=may(obj(context=_ANY, tools=_ANY)),
    elicitation=may(obj(form=_ANY, url=_ANY)),
    tasks=may(_TASKS),
)
SERVER_CAPABILITIES = obj(
    experimental=may(mapping(obj())),
    extensions=may(mapping(obj())),
    logging=_ANY,
    completions=_ANY,
    prompts=_LISTED,
    resources=may(obj(subscribe=may(boolean), listChanged=may(boolean))),
    tools=_LISTED,
    tasks=may(obj(list=_ANY, cancel=_ANY, requests=may(obj(tools=may(obj(call=_ANY)))))),
)

# Optional in every message ----------------------------------------------------------------------------------------
NO_MESSAGE = cite("MCP-A-001", rule="mcp-message-wrong-type")
PARAMS = {kind: cite("MCP-A-032", rule="mcp-params-wrong-type") for kind in ("missing", "type", "null", "empty")}
"""How missing parameters, and parameters of the wrong type, are reported."""
_META_LACKS = cite("MCP-M-014", rule="mcp-request-meta-incomplete")
KEY = "io.modelcontextprotocol"
_TOKEN = may(ID, cite("MCP-A-032", rule="mcp-params-wrong-type"))
_REQUEST_META = later(
    "request-meta",
    lambda: obj(
        _META_LACKS,
        {
            f"{KEY}/protocolVersion": need(text(1)),
            f"{KEY}/clientCapabilities": need(CLIENT_CAPABILITIES),
            f"{KEY}/clientInfo": may(IMPLEMENTATION),
            f"{KEY}/logLevel": may(LEVEL),
        },
        progressToken=_TOKEN,
    ),
)
PLAIN_META = later("meta", lambda: obj({f"{KEY}/clientInfo": may(IMPLEMENTATION)}, progressToken=_TOKEN))
REQUEST_META = notation.first(need(_REQUEST_META, _META_LACKS, only=STATELESS), may(PLAIN_META))
NOTICE_META = may(obj({f"{KEY}/subscriptionId": may(ID)}))
META = may(obj())
RESULT_META = may(later("result-meta", lambda: obj({f"{KEY}/serverInfo": may(IMPLEMENTATION)})))
ANNOTATIONS = may(obj(audience=may(array(ROLE)), priority=may(number(0, 1)), lastModified=may(text())))
DATA = notation.may(anything)
