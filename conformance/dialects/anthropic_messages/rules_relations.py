"""What relates several places of a Messages request: docs/contract/anthropic-messages.md."""

from conformance.dialects.anthropic_messages.wire_places import (
    CHANGED_TOOLS,
    DOCUMENTS,
    MARKED,
    RESULT,
    SEARCH_RESULTS,
    beta,
    message,
    received,
    sent,
)
from conformance.judge.relations import (
    Identity,
    answered,
    at_most,
    encodes,
    forbids,
    instance_of,
    matched,
    never,
    part_of,
    ranked,
    refers,
    requires,
    row,
    translates,
    unique,
    within,
)

# Caching ------------------------------------------------------------------------------------------------------------
row(
    "messages-cache-breakpoints-too-many",
    "ANT-Q-025",
    at_most(4, MARKED),
    why="Clients that mark every turn and keep the old marks reach the limit after a few turns.",
    refused=True,
)
row(
    "messages-cache-ttl-out-of-order",
    "ANT-Q-030",
    ranked(MARKED, "/ttl", ("1h", "5m"), absent="5m"),
    why="The server refuses it. A proxy that adds marks of an hour after those of a client is the usual cause.",
    refused=True,
)

# Tools --------------------------------------------------------------------------------------------------------------
_TOOL = Identity("tool name", "request /tools/*/name", within="exchange")
_OTHER_TOOLS = (
    "request [!tools] | request /tools/*[type=mcp_toolset|computer_toolset_20260801|browser_toolset_20260801]"
)
row(
    "messages-tool-choice-undeclared",
    "ANT-Q-008",
    refers("request /tool_choice[type=tool]/name", _TOOL, unless=_OTHER_TOOLS),
    why="The server refuses a choice of an undeclared tool.",
)
row(
    "messages-tool-reference-undeclared",
    "ANT-Q-031",
    refers(
        f"{sent('[type=tool_result]/content/*[type=tool_reference]/tool_name')} | "
        f"{sent('[type=tool_search_tool_result]/content/tool_references/*/tool_name')}",
        _TOOL,
        unless=f"{_OTHER_TOOLS} | {sent('[type=tool_addition]')}",
    ),
    refers(
        f"{CHANGED_TOOLS.format('[type=tool_reference]/name')} | request /tools/*/url_sources/*/tools/*/name",
        _TOOL,
        unless=f"{_OTHER_TOOLS.replace('mcp_toolset|', '')} | {CHANGED_TOOLS.format('[type=tool_definition]')}",
    ),
    why="The server has no definition to load for the reference, and refuses the request.",
    refused=True,
)
row(
    "messages-undeferred-tool-missing",
    "ANT-Q-032",
    requires("request /tools/*[defer_loading=true]", "request /tools/*[!defer_loading=true]"),
    why="With every tool deferred, the model begins without a tool that could find the others: the server refuses it.",
    refused=True,
)
row(
    "messages-input-example-invalid",
    "ANT-Q-033",
    within("request /tools/*", instance_of("/input_examples/*", "/input_schema")),
    why="The server validates the examples, and refuses the request.",
    refused=True,
)
row(
    "messages-code-execution-missing",
    "ANT-Q-034",
    requires(
        "request /tools/*[input_schema]/allowed_callers/*[!=direct]",
        "request /tools/*[name=code_execution]",
    ),
    requires("request /container/skills/*", "request /tools/*[name=code_execution]"),
    why="Skills, and calls from code, run in the container of that tool.",
)

# MCP ----------------------------------------------------------------------------------------------------------------
_SERVER = Identity("MCP server", "request /mcp_servers/*/name", within="exchange")
row(
    "messages-mcp-server-undeclared",
    "ANT-Q-035",
    refers(
        "request /tools/*[type=mcp_toolset]/mcp_server_name | "
        f"{CHANGED_TOOLS.format('[type=mcp_tool_reference|mcp_toolset_reference]/server_name')}",
        _SERVER,
    ),
    why="The server does not know where to find the tools of the set.",
    refused=True,
)
row(
    "messages-mcp-server-unused",
    "ANT-Q-035",
    answered(
        _SERVER,
        by="request /tools/*[type=mcp_toolset]/mcp_server_name",
        unless=f"{beta('mcp-client-2025-04-04')} | request /mcp_servers/*[tool_configuration]",
    ),
    why="The server refuses a request that declares an MCP server and has no toolset for it.",
    refused=True,
    needs_complete=True,
)
row(
    "messages-mcp-server-duplicate",
    "ANT-Q-035",
    within("request", unique("/mcp_servers/*/name"), unique("/tools/*[type=mcp_toolset]/mcp_server_name")),
    why="A call names its server: with two of one name, nobody knows which one it means.",
    refused=True,
)

# Documents ----------------------------------------------------------------------------------------------------------
_CITED = DOCUMENTS.replace("[type=document]", "[type=document][citations.enabled=true]")
row(
    "messages-citations-conflicting",
    "ANT-Q-036",
    forbids(DOCUMENTS.replace("[type=document]", "[type=document][!citations.enabled=true]"), _CITED),
    forbids("request /output_config/format | request /output_format", _CITED),
    forbids(
        SEARCH_RESULTS.replace("[type=search_result]", "[type=search_result][!citations.enabled=true]"),
        SEARCH_RESULTS.replace("[type=search_result]", "[type=search_result][citations.enabled=true]"),
    ),
    why="The server refuses documents of which only some are to be cited, and citations in structured output.",
    refused=True,
)
row(
    "messages-base64-malformed",
    "ANT-Q-037",
    within(
        f"{sent('/source[type=base64]')} | {sent('[type=tool_result]/content/*/source[type=base64]')}",
        encodes("/data", "base64"),
    ),
    why="The server cannot decode the picture or the document, and refuses the request.",
    refused=True,
)

# Context ------------------------------------------------------------------------------------------------------------
_EDITS = "request /context_management/edits/*"
row(
    "messages-context-edit-out-of-order",
    "ANT-Q-038",
    ranked(_EDITS, "/type", ("clear_thinking_20251015", "clear_tool_uses_20250919")),
    why="The server refuses edits in another order.",
    refused=True,
)
row(
    "messages-context-edit-orphaned",
    "ANT-Q-038",
    requires(f"{_EDITS}[type=clear_thinking_20251015]", "request /thinking[type=enabled|adaptive|between_tools]"),
    why="There is no thinking to clear: the server refuses the edit.",
    refused=True,
)
row(
    "messages-context-edit-tool-undeclared",
    "ANT-Q-042",
    refers(f"{_EDITS}/exclude_tools/*", _TOOL, unless=_OTHER_TOOLS),
    why="The name protects no result: a misspelt one is cleared.",
)
row(
    "messages-option-conflicting",
    "ANT-Q-043",
    forbids("request /compaction", "request /context_management"),
    forbids("request /fallbacks", "request [fallback_credit_token]"),
    within("request /output_config/task_budget", part_of("/remaining", "/total")),
    why="The server refuses the two together.",
    refused=True,
)
row(
    "messages-previous-message-orphaned",
    "ANT-C-013",
    refers(
        "request /thread[type=continue]/previous_message_id | request /diagnostics/previous_message_id",
        Identity("message id", message("/id")),
    ),
    why="The server does not find the state that it should continue from, or compare with.",
)
row(
    "messages-fallback-credit-orphaned",
    "ANT-C-014",
    refers(
        "request /fallback_credit_token/token | request /fallback_credit_token",
        Identity(
            "fallback credit token",
            "response /stop_details/fallback_credit_token | "
            "event[type=message_delta] /delta/stop_details/fallback_credit_token",
        ),
    ),
    why="Only the token of a refusal can be redeemed: the server refuses any other.",
    refused=True,
)
row(
    "messages-beta-header-missing",
    "ANT-Q-039",
    requires("request /mcp_servers", beta("mcp-client-2025-04-04", "mcp-client-2025-11-20", "mcp-client-2026-09-15")),
    requires("request /container/skills", beta("skills-2025-10-02")),
    requires(f"{sent('/source[type=file]')} | {sent('[type=container_upload]')}", beta("files-api-2025-04-14")),
    requires("request /fallback_credit_token/token", beta("fallback-credit-2026-07-01")),
    requires(sent("[type=tool_addition]/tool/definition[type=mcp_toolset]"), beta("mcp-client-2026-09-15")),
    requires(_EDITS, beta("context-management-2025-06-27", "compact-2026-01-12")),
    why="Without the beta the server does not know the field, and refuses the request.",
    refused=True,
    needs_complete=True,
)

# The history ---------------------------------------------------------------------------------------------------------
row(
    "messages-history-tools-missing",
    "ANT-Q-017",
    requires(sent("[type=tool_use|tool_result]"), "request /tools/*"),
    why="Bedrock refuses tool blocks without a tool configuration; elsewhere the model cannot call again. It happens "
    "when a client removes the tools for the last step, or summarises a history with a plain request.",
    needs_complete=True,
)
row(
    "messages-first-role-wrong",
    "ANT-C-011",
    never("request /messages/first[role=assistant]/role", "a message of the user"),
    why="The server accepts some histories without it, but the model does not know the question.",
    needs_complete=True,
)

# Calls of the server ------------------------------------------------------------------------------------------------
_SERVER_CALLS = f"{sent('[type=server_tool_use]')} | {received('[type=server_tool_use]')}"
row(
    "messages-caller-orphaned",
    "ANT-C-015",
    refers(
        f"{sent('/caller/tool_id')} | {received('/caller/tool_id')}",
        Identity(
            "server call id",
            f"{sent('[type=server_tool_use]/id')} | {received('[type=server_tool_use]/id')}",
            within="exchange",
        ),
    ),
    why="The call comes from code that nobody runs: its result cannot be returned to it.",
)
row(
    "messages-server-result-mismatch",
    "ANT-C-016",
    matched(
        sent("[type=tool_result]"),
        "/tool_use_id",
        sent("[type=server_tool_use|mcp_tool_use]"),
        "/id",
        translates(
            "/this/type",
            "/that/type",
            {"mcp_tool_use": "mcp_tool_result", "server_tool_use": "a result of the server"},
        ),
    ),
    matched(
        f"{sent(RESULT)} | {received(RESULT)}",
        "/tool_use_id",
        f"{sent('[type=tool_use|server_tool_use|mcp_tool_use]')} | "
        f"{received('[type=tool_use|server_tool_use|mcp_tool_use]')}",
        "/id",
        translates(
            "/this/type",
            "/that/type",
            {
                "tool_use": "tool_result",
                "mcp_tool_use": "mcp_tool_result",
            },
        ),
        translates(
            "/this/type",
            "/that[type=server_tool_use]/name",
            {
                "web_search": "web_search_tool_result",
                "web_fetch": "web_fetch_tool_result",
                "code_execution": "code_execution_tool_result",
                "bash_code_execution": "bash_code_execution_tool_result",
                "text_editor_code_execution": "text_editor_code_execution_tool_result",
                "tool_search_tool_regex": "tool_search_tool_result",
                "tool_search_tool_bm25": "tool_search_tool_result",
                "advisor": "advisor_tool_result",
            },
        ),
    ),
    why="A client reads the result by its type, and shows the output of another tool.",
)
