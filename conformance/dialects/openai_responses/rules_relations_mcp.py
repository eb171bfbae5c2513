"""MCP servers of Responses: their labels and tools, and the approval of calls."""

from conformance.dialects.openai_responses.relation_places import KEPT, RESPONSE, declared, output, sent
from conformance.judge.relations import (
    Identity,
    among,
    answered,
    differ,
    equal,
    instance_of,
    matched,
    never,
    once,
    pending,
    refers,
    row,
    unique,
    within,
)
from conformance.model.finding import Severity

# MCP ---------------------------------------------------------------------------------------------------------------
_MCP = "mcp_call|mcp_list_tools|mcp_approval_request"
_LABEL = Identity("label of an MCP server", declared("mcp", "/server_label"), "exchange")
_LISTED = "[!allowed_tools.tool_names][!allowed_tools.read_only]/allowed_tools/*"
_LISTS = f"{output('mcp_list_tools')} | {sent('mcp_list_tools')}"

row(
    "responses-mcp-server-undeclared",
    "OAR-R-028",
    refers(output(_MCP, "/server_label"), _LABEL, unless="request [prompt]"),
    why="The client cannot tell which server ran the tool.",
)
row(
    "responses-mcp-server-label-duplicate",
    "OAR-Q-021",
    within("request /tools", unique("/*[type=mcp]/server_label")),
    why="Calls name a server by its label: two with one label cannot be told apart.",
)
row(
    "responses-mcp-server-ambiguous",
    "OAR-Q-022",
    never("request /tools/*[type=mcp][server_url][connector_id]/connector_id"),
    never("request /tools/*[type=mcp][server_url][tunnel_id]/tunnel_id"),
    never("request /tools/*[type=mcp][connector_id][tunnel_id]/tunnel_id"),
    requirement="An MCP tool must have only one of `server_url`, `connector_id` and `tunnel_id`.",
    why="The server refuses the tool, or calls the one that the client did not mean.",
)
row(
    "responses-mcp-tool-undeclared",
    "OAR-R-029",
    matched(
        output("mcp_call|mcp_approval_request"),
        "/server_label",
        declared("mcp"),
        "/server_label",
        among("/this/name", f"/that{_LISTED}"),
        among("/this/name", "/that/allowed_tools/tool_names/*"),
    ),
    matched(
        output("mcp_list_tools"),
        "/server_label",
        declared("mcp"),
        "/server_label",
        among("/this/tools/*/name", f"/that{_LISTED}"),
        among("/this/tools/*/name", "/that/allowed_tools/tool_names/*"),
    ),
    matched(
        output("mcp_call|mcp_approval_request"),
        "/server_label",
        _LISTS,
        "/server_label",
        among("/this/name", "/that/tools/*/name"),
        within="run",
    ),
    requirement="An MCP tool in the output must be one that its server lists and the request allows.",
    why="The server ran a tool that the client did not allow.",
)
row(
    "responses-mcp-arguments-invalid",
    "OAR-R-030",
    matched(
        output("mcp_call|mcp_approval_request"),
        "/name",
        f"{output('mcp_list_tools', '/tools/*')} | {sent('mcp_list_tools', '/tools/*')}",
        "/name",
        instance_of("/this/arguments", "/that/input_schema", text=True),
        within="run",
    ),
    why="The MCP server refuses the call.",
)

# Approvals ---------------------------------------------------------------------------------------------------------
_REQUESTED = sent("mcp_approval_request", "/id")
_APPROVED_ID = sent("mcp_approval_response", "/approval_request_id")
_APPROVAL = Identity("approval request", f"{output('mcp_approval_request', '/id')} | {_REQUESTED}")
_OTHER = Identity("id of another item", f"{output('message|function_call|reasoning|mcp_call|mcp_list_tools', '/id')}")
_NEVER = Identity(
    "label of a server whose tools need no approval",
    "request /tools/*[require_approval=never]/server_label",
    "exchange",
)
_ALWAYS = Identity(
    "label of a server whose tools need approval", "request /tools/*[require_approval=always]/server_label", "exchange"
)
_ANY = Identity("label of an MCP server", "request /tools/*[!type]/server_label", "exchange")

row(
    "responses-approval-response-orphaned",
    "OAR-C-009",
    refers(_APPROVED_ID, Identity("approval request", _REQUESTED, "exchange"), others=(_OTHER,), unless=KEPT),
    why="The server does not find the request that the client approves.",
    refused=True,
)
row(
    "responses-approval-response-repeated",
    "OAR-C-009",
    once("request /input/*[type=mcp_approval_response]/approval_request_id"),
    severity=Severity.WARNING,
    because="no refusal of a second response is known",
    why="One says yes and the other no, or the tool runs twice.",
)
row(
    "responses-approval-unanswered",
    "OAR-C-022",
    answered(Identity("approval request", _REQUESTED, "exchange"), by=_APPROVED_ID),
    pending(_APPROVAL, by=_APPROVED_ID, at="request /previous_response_id", link=RESPONSE),
    why="The model waits for the tool, and the user for the model.",
)
row(
    "responses-approval-mismatch",
    "OAR-R-031",
    matched(
        output("mcp_call"),
        "/approval_request_id",
        f"{output('mcp_approval_request')} | {sent('mcp_approval_request')}",
        "/id",
        equal("/that/server_label", "/this/server_label"),
        equal("/that/name", "/this/name"),
        equal("/that/arguments", "/this/arguments"),
        within="run",
    ),
    refers(
        output("mcp_call", "[output]/approval_request_id"),
        Identity("approved request", sent("mcp_approval_response", "[approve=true]/approval_request_id"), "exchange"),
        others=(
            Identity(
                "denied request", sent("mcp_approval_response", "[approve=false]/approval_request_id"), "exchange"
            ),
        ),
        open=True,
    ),
    requirement="An `mcp_call` must be the one that the client approved.",
    why="The server ran what the user did not approve.",
)
row(
    "responses-approval-unexpected",
    "OAR-R-032",
    refers(output("mcp_approval_request", "/server_label"), _ANY, others=(_NEVER,), open=True),
    matched(
        output("mcp_approval_request"),
        "/server_label",
        "request /tools/*[type=mcp]",
        "/server_label",
        differ("/that/require_approval/never/tool_names/*", "/this/name"),
    ),
    why="The run waits for an answer that no one was to give.",
)
row(
    "responses-approval-missing",
    "OAR-R-032",
    refers(output("mcp_call", "[!approval_request_id]/server_label"), _ANY, others=(_ALWAYS,), open=True),
    matched(
        output("mcp_call", "[!approval_request_id]"),
        "/server_label",
        "request /tools/*[type=mcp]",
        "/server_label",
        differ("/that/require_approval/always/tool_names/*", "/this/name"),
    ),
    why="The server ran what the user wanted to approve first.",
)
