"""What relates the parts of features in beta: compaction, fallbacks, credits, transformations, the browser's state."""

from conformance.dialects.anthropic_messages.wire_places import beta, ending, message, received, sent, usage
from conformance.judge.relations import (
    Identity,
    among,
    constant,
    equal,
    forbids,
    has,
    hosted,
    matched,
    needs,
    never,
    points_into,
    refers,
    repeats,
    requires,
    returned,
    row,
    unique,
    within,
)

# Transformations and estimates --------------------------------------------------------------------------------------
_THINKING = "event[type=content_block_delta] /delta[type=thinking_delta]"
_BOUND = "thinking-binding-controls-2026-08-01"
row(
    "messages-beta-field-unexpected",
    "ANT-R-035",
    requires(f"{_THINKING}[estimated_tokens]", beta("thinking-token-count-2026-05-13")),
    forbids(f"{_THINKING}/estimated_tokens[]", "request /thinking[display=summarized|updates]"),
    requires(message("/input_transformations"), beta(_BOUND)),
    requires("event[type=message_delta] /input_transformations[]", "request /fallbacks"),
    why="The client did not ask for the field, and its parser may not know it.",
    needs_complete=True,
)
row(
    "messages-input-transformations-missing",
    "ANT-R-036",
    within(message("[type=message]"), has("/input_transformations"), given=beta(_BOUND)),
    why="The client cannot see which of its thinking was left out.",
)
row(
    "messages-input-transformation-orphaned",
    "ANT-R-037",
    points_into(message("/input_transformations/*/path"), ordered=True),
    why="The client marks another block as left out.",
)

# Compaction ---------------------------------------------------------------------------------------------------------
row(
    "messages-compaction-reply-unexpected",
    "ANT-R-038",
    forbids(received("[!type=compaction]"), "request /compaction"),
    forbids(ending("/stop_reason[=end_turn|tool_use|stop_sequence|pause_turn]"), "request /compaction"),
    why="The client takes the summary for the whole reply, and loses the rest.",
)
_COMPACTION = "[type=compaction][content]"
row(
    "messages-compaction-dropped",
    "ANT-C-018",
    returned(Identity("summary", received(f"{_COMPACTION}/content")), by=sent(f"{_COMPACTION}/content")),
    why="The model knows nothing of what the summary replaced.",
)
row(
    "messages-compaction-changed",
    "ANT-C-019",
    matched(
        sent(_COMPACTION),
        "/content",
        received(_COMPACTION),
        "/content",
        equal("/that/signature", "/this/signature"),
        equal("/that/encrypted_content", "/this/encrypted_content"),
        equal("/that/tool_changes", "/this/tool_changes"),
        within="run",
    ),
    why="The server cannot check the summary, and refuses the request.",
)

# Fallbacks and credits ----------------------------------------------------------------------------------------------
row(
    "messages-fallback-unexpected",
    "ANT-R-039",
    requires(received("[type=fallback]"), "request /fallbacks"),
    refers(
        received("[type=fallback]/to/model"),
        Identity("model of a fallback", "request /fallbacks/*/model", within="exchange"),
        unless="request [fallbacks=default] | request [!fallbacks]",
    ),
    why="Another model answers than the client allowed.",
)
row(
    "messages-fallback-dropped",
    "ANT-C-020",
    returned(Identity("fallback", received("[type=fallback]/to/model")), by=sent("[type=fallback]/to/model")),
    why="The server takes the thinking of two models for one span, and refuses the request.",
)
_REFUSED = ("response /stop_details", "event[type=message_delta] /delta/stop_details")
_TOKEN = "request /fallback_credit_token/token | request /fallback_credit_token"  # noqa: S105 - a place
_SETTINGS = ("/system", "/tools", "/tool_choice")


def _credit(test: str) -> Identity:
    """The tokens of refusals for which a test holds."""
    return Identity("fallback credit token", " | ".join(f"{each}{test}/fallback_credit_token" for each in _REFUSED))


row(
    "messages-fallback-retry-changed",
    "ANT-C-021",
    repeats(_TOKEN, _credit("[fallback_has_prefill_claim=false]"), (*_SETTINGS, "/messages")),
    repeats(_TOKEN, _credit("[!fallback_has_prefill_claim=false]"), _SETTINGS, grown=("/messages", "[role=assistant]")),
    why="The server refuses the token with another request than the one that it was given for.",
)
row(
    "messages-fallback-credit-conflicting",
    "ANT-R-040",
    within(ending("/stop_details[type=refusal]"), needs("/fallback_has_prefill_claim", "/fallback_credit_token")),
    within(
        usage("/fallback_credit/status[reason=variant_fields_present]"), needs("/reason", "/remove_to_redeem/first")
    ),
    never(usage("/fallback_credit/status[reason][!reason=variant_fields_present]/remove_to_redeem"), "absent"),
    why="The client does not know how to redeem the token.",
)
row(
    "messages-redeemed-field-orphaned",
    "ANT-R-041",
    refers(
        usage("/fallback_credit/status/remove_to_redeem/*"),
        Identity("field", "request /@", within="exchange"),
    ),
    why="The client cannot remove a field that it did not send.",
)

# Tools --------------------------------------------------------------------------------------------------------------
row(
    "messages-unloaded-tool-unexpected",
    "ANT-R-042",
    refers(
        received("[type=tool_use]/name"),
        Identity(
            "tool that is loaded",
            " | ".join(
                (
                    "request /tools/*[!defer_loading=true]/name",
                    sent("[type=tool_result]/content/*[type=tool_reference]/tool_name"),
                    sent("[type=tool_search_tool_result]/content/tool_references/*/tool_name"),
                    received("[type=tool_search_tool_result]/content/tool_references/*/tool_name"),
                    sent("[type=tool_addition]/tool/name"),
                    sent("[type=tool_use]/name"),
                )
            ),
            within="exchange",
        ),
        given="request /tools/*[defer_loading=true]/name",
    ),
    why="The model calls a tool whose parameters it has not seen.",
)
row(
    "messages-mcp-call-undeclared",
    "ANT-R-043",
    matched(
        received("[type=mcp_tool_use]"),
        "/server_name",
        "request /tools/*[type=mcp_toolset][tools]",
        "/mcp_server_name",
        among("/this/name", "/that/tools/*/name"),
    ),
    why="The client pinned the tools of the server, and did not allow this one.",
)
_FOUND = received("[type=web_search_tool_result]/content/*/url")
_FOUND = received("[type=web_search_tool_result]/content/*/url")
row(
    "messages-search-result-unexpected",
    "ANT-R-044",
    hosted(_FOUND, "request /tools/*[name=web_search]/allowed_domains/*"),
    hosted(_FOUND, "request /tools/*[name=web_search]/blocked_domains/*", blocked=True),
    why="The client excluded the site, and shows it all the same.",
)
row(
    "messages-toolset-loading-mismatch",
    "ANT-Q-044",
    within(
        "request /tools/*[type=browser_toolset_20260801|computer_toolset_20260801]",
        constant("/configs/*[!enabled=false]/defer_loading"),
    ),
    why="The server loads the tools of a set together, and refuses the request.",
    refused=True,
)

# Messages -----------------------------------------------------------------------------------------------------------
row(
    "messages-system-message-empty",
    "ANT-Q-045",
    within("request /messages/*[role=system][!content]", needs("/role", "/output_config/@")),
    why="The server refuses a message that changes nothing.",
    refused=True,
)
row(
    "messages-browser-state-misplaced",
    "ANT-Q-046",
    within(sent("[type=tool_result]"), unique("/content/*[type=browser_state]/type")),
    never(sent("[type=tool_result][is_error=true]/content/*[type=browser_state]"), "in a result without an error"),
    matched(
        sent("[type=tool_result]"),
        "/tool_use_id",
        sent("[type=tool_use]"),
        "/id",
        needs("/this/content/*[type=browser_state]", "/that/toolset_name"),
    ),
    why="The server refuses the result, or the model takes an old state for the present one.",
    refused=True,
)
