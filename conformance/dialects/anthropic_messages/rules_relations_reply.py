"""What relates a Messages reply to its request, and its parts to each other: docs/contract/anthropic-messages.md."""

from conformance.dialects.anthropic_messages.wire_places import (
    CITABLE,
    DOCUMENTS,
    MARKED,
    SEARCH_RESULTS,
    cited,
    ending,
    message,
    received,
    sent,
    usage,
)
from conformance.judge.relations import (
    Identity,
    among,
    bounded,
    differ,
    echoes,
    ends,
    equal,
    forbids,
    matched,
    matches,
    not_less,
    omits,
    once,
    part_of,
    quotes,
    range_of,
    refers,
    requires,
    row,
    structured,
    sum_of,
    translates,
    within,
)
from conformance.model.finding import Severity

# The end of a reply -------------------------------------------------------------------------------------------------
row(
    "messages-stop-sequence-mismatch",
    "ANT-R-009",
    requires(ending("[stop_reason=stop_sequence]/stop_sequence"), ending("[stop_sequence]")),
    requires(ending("/stop_sequence[]"), ending("[stop_reason=stop_sequence]")),
    refers(
        ending("[stop_reason=stop_sequence]/stop_sequence"),
        Identity("stop sequence", "request /stop_sequences/*", within="exchange"),
        unless="request [!stop_sequences]",
    ),
    why="Parsers that cut the reply at it do not find it, or cut at the wrong place.",
)
row(
    "messages-stop-sequence-leaked",
    "ANT-R-014",
    omits("request /stop_sequences/*"),
    why="Clients that use the sequence as a delimiter read past the end.",
)
row(
    "messages-stop-reason-unexpected",
    "ANT-R-015",
    requires(
        ending("[stop_reason=pause_turn]/stop_reason"),
        "request /tools/*[!input_schema] | request /mcp_servers/*",
        unless="request [!tools]",
    ),
    requires(
        f"{ending('[stop_reason=compaction]/stop_reason')} | {received('[type=compaction]')}",
        "request /context_management/edits/*[type=compact_20260112] | request /compaction",
    ),
    requires(ending("/stop_details[type=refusal]"), ending("[stop_reason=refusal]")),
    why="A client does not expect the turn to go on: it did not ask for what needs it.",
)

row(
    "messages-tool-use-misplaced",
    "ANT-R-005",
    ends("response /content/*[type=tool_use]", "response /content/*[type=text|thinking|redacted_thinking]"),
    ends(
        "event[type=content_block_start] /content_block[type=tool_use]",
        "event[type=content_block_start] /content_block[type=text|thinking|redacted_thinking]",
    ),
    why="If a client sends such a reply back unchanged, the server refuses it, because text follows a call.",
)

# What was asked for -------------------------------------------------------------------------------------------------
row(
    "messages-structured-output-invalid",
    "ANT-R-016",
    structured(
        "request /output_config/format[type=json_schema]/schema | request /output_format[type=json_schema]/schema",
        strict="request /output_config/format[type=json_schema] | request /output_format[type=json_schema]",
    ),
    why="Programs read the fields that the schema promises.",
)
row(
    "messages-thinking-unexpected",
    "ANT-R-017",
    forbids(received("[type=thinking|redacted_thinking]"), "request /thinking[type=disabled]"),
    why="The client turned thinking off, and pays for it and shows it all the same.",
)
row(
    "messages-reply-setting-mismatch",
    "ANT-R-018",
    forbids(usage("/service_tier[=priority]"), "request [service_tier=standard_only]"),
    forbids(usage("/speed[=fast]"), "request [speed=standard]"),
    echoes(usage("/inference_geo"), "request /inference_geo"),
    echoes(
        f"{message('/container/id')} | event[type=message_delta] /delta/container/id",
        "request /container/id | request /container",
    ),
    why="The request is billed, or processed, in another way than the client chose.",
)
row(
    "messages-applied-edit-unexpected",
    "ANT-R-019",
    refers(
        "response /context_management/applied_edits/*/type | "
        "event[type=message_delta] /context_management/applied_edits/*/type",
        Identity("context edit", "request /context_management/edits/*/type", within="exchange"),
    ),
    why="The server removed something from the context that the client wanted to keep.",
)
row(
    "messages-caller-mismatch",
    "ANT-R-020",
    matched(
        received("[type=tool_use][caller]"),
        "/name",
        "request /tools/*[input_schema]",
        "/name",
        among("/this/caller/type", "/that/allowed_callers/*", default=("direct",)),
    ),
    why="The client returns the result to a caller that it did not allow.",
)
row(
    "messages-mcp-call-server-undeclared",
    "ANT-R-021",
    refers(
        f"{received('[type=mcp_tool_use]/server_name')} | {received('[type=mcp_tool_listing]/mcp_server_name')}",
        Identity("MCP server", "request /mcp_servers/*/name", within="exchange"),
    ),
    why="The client did not ask for this server, and cannot know what ran there.",
)

# Usage --------------------------------------------------------------------------------------------------------------
row(
    "messages-usage-cache-creation-wrong",
    "ANT-R-022",
    within(
        usage("[!server_tool_use]"),
        sum_of(
            "/cache_creation_input_tokens",
            "/cache_creation/ephemeral_5m_input_tokens",
            "/cache_creation/ephemeral_1h_input_tokens",
        ),
    ),
    why="The two lifetimes have different prices: the cost is wrong if they do not add up.",
    severity=Severity.WARNING,
    because="what the server caches by itself is not in the breakdown, as recorded for web search",
)
row(
    "messages-usage-part-out-of-range",
    "ANT-R-022",
    within(
        usage(),
        part_of("/output_tokens_details/thinking_tokens", "/output_tokens"),
        part_of("/cache_creation/ephemeral_5m_input_tokens", "/cache_creation_input_tokens"),
        part_of("/cache_creation/ephemeral_1h_input_tokens", "/cache_creation_input_tokens"),
    ),
    why="Clients subtract the part from the whole, and get a negative number.",
)
row(
    "messages-usage-iterations-wrong",
    "ANT-R-023",
    within(
        usage(),
        sum_of("/output_tokens", "/iterations/*[type=message]/output_tokens"),
        given="request [!fallbacks]",
    ),
    why="Clients compute the size of the context from the iterations, and the cost from the sum.",
)
row(
    "messages-usage-output-out-of-range",
    "ANT-R-024",
    bounded(usage("/output_tokens"), by="request /max_tokens"),
    why="The limit is what bounds the cost of a request.",
)
row(
    "messages-usage-cache-unexpected",
    "ANT-R-025",
    requires(usage("/cache_creation_input_tokens[][!=0]"), f"{MARKED} | request /cache_control"),
    requires(
        usage("/cache_creation/ephemeral_1h_input_tokens[][!=0]"),
        f"{MARKED.replace('[type]', '[ttl=1h]')} | request /cache_control[ttl=1h]",
    ),
    why="The client pays for a cache that it did not ask for.",
)
row(
    "messages-usage-server-tool-out-of-range",
    "ANT-R-026",
    bounded(usage("/server_tool_use/web_search_requests"), by="request /tools/*[name=web_search]/max_uses"),
    bounded(usage("/server_tool_use/web_fetch_requests"), by="request /tools/*[name=web_fetch]/max_uses"),
    why="The client pays for more searches than it allowed.",
)
row(
    "messages-fallback-credit-missing",
    "ANT-R-027",
    requires(usage("/fallback_credit[]"), "request /fallback_credit_token"),
    requires("request /fallback_credit_token", usage("/fallback_credit[]")),
    why="The client does not know whether its token was redeemed.",
)

# Citations ----------------------------------------------------------------------------------------------------------
row(
    "messages-citation-mismatch",
    "ANT-R-028",
    matched(
        cited("[document_index]"),
        "/document_index",
        CITABLE,
        "",
        translates(
            "/this/type",
            "/that/source/type",
            {"text": "char_location", "content": "content_block_location", "base64": "page_location"},
        ),
        equal("/that/title", "/this/document_title"),
        differ("/this/start_char_index", "/this/end_char_index"),
        differ("/this/start_page_number", "/this/end_page_number"),
        differ("/this/start_block_index", "/this/end_block_index"),
        range_of("/this[type=char_location]", "/start_char_index", "/end_char_index", "/that/source[type=text]/data"),
        range_of(
            "/this[type=content_block_location]",
            "/start_block_index",
            "/end_block_index",
            "/that/source[type=content]/content",
            unit="items",
        ),
        not_less("/this/end_page_number", "/this/start_page_number"),
        quotes(
            "/this[type=char_location]/cited_text",
            "/this/start_char_index",
            "/this/end_char_index",
            "/that/source[type=text]/data",
        ),
        quotes(
            "/this[type=content_block_location]/cited_text",
            "/this/start_block_index",
            "/this/end_block_index",
            "/that/source[type=content]/content",
            unit="items",
        ),
    ),
    why="A client that marks the cited words in the document marks others, or none.",
)
row(
    "messages-search-citation-mismatch",
    "ANT-R-029",
    matched(
        cited("[type=search_result_location]"),
        "/search_result_index",
        SEARCH_RESULTS,
        "",
        equal("/that/source", "/this/source"),
        equal("/that/title", "/this/title"),
        differ("/this/start_block_index", "/this/end_block_index"),
        range_of("/this", "/start_block_index", "/end_block_index", "/that/content", unit="items"),
        quotes("/this/cited_text", "/this/start_block_index", "/this/end_block_index", "/that/content", unit="items"),
    ),
    why="A client links the words to another source.",
)
row(
    "messages-web-citation-orphaned",
    "ANT-R-030",
    refers(
        cited("[type=web_search_result_location]/url"),
        Identity(
            "URL of a search result",
            f"{received('[type=web_search_tool_result]/content/*/url')} | "
            f"{sent('[type=web_search_tool_result]/content/*/url')}",
            within="exchange",
        ),
    ),
    why="The client cannot show the source: no search found it.",
)
row(
    "messages-citation-unexpected",
    "ANT-R-031",
    requires(
        "response /content/*/citations/*[document_index] | "
        "event[type=content_block_delta] /delta[type=citations_delta]/citation[document_index]",
        f"{DOCUMENTS.replace('[type=document]', '[type=document][citations.enabled=true]')} | "
        "request /tools/*[name=web_fetch]/citations[enabled=true]",
    ),
    requires(
        "response /content/*/citations/*[type=search_result_location] | "
        "event[type=content_block_delta] /delta[type=citations_delta]/citation[type=search_result_location]",
        SEARCH_RESULTS.replace("[type=search_result]", "[type=search_result][citations.enabled=true]"),
    ),
    why="The client did not turn citations on, and does not read them.",
)

# Identity -----------------------------------------------------------------------------------------------------------
row(
    "messages-reply-id-reused",
    "ANT-R-032",
    once(message("[type=message]/id"), within="run"),
    why="Logs and threads find a reply by its id.",
)
row(
    "messages-id-unexpected",
    "ANT-R-045",
    within(message("[type=message]"), matches("/id", r"(?!chatcmpl-|resp_).*", "the id of a message")),
    why="A gateway passed on the id of another API: logs and tools find the reply under the wrong one.",
)
