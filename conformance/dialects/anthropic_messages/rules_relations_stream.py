"""What relates the events of a Messages stream: docs/contract/anthropic-messages.md."""

from conformance.judge.relations import ends, matched, never, rises, row, translates
from conformance.model.finding import Severity

_DELTA = "event[type=content_block_delta]"
_KNOWN = "text_delta|citations_delta|thinking_delta|signature_delta|input_json_delta|compaction_delta"
_USAGE = "event[type=message_start] /message | event[type=message_delta]"

row(
    "messages-delta-type-mismatch",
    "ANT-S-005",
    matched(
        f"{_DELTA}[delta.type={_KNOWN}]",
        "/index",
        "event[type=content_block_start]",
        "/index",
        translates(
            "/this/delta/type",
            "/that/content_block/type",
            {
                "text": ("text_delta", "citations_delta"),
                "thinking": ("thinking_delta", "signature_delta"),
                "tool_use": "input_json_delta",
                "server_tool_use": "input_json_delta",
                "mcp_tool_use": "input_json_delta",
                "compaction": "compaction_delta",
                **dict.fromkeys(
                    (
                        "redacted_thinking",
                        "web_search_tool_result",
                        "web_fetch_tool_result",
                        "code_execution_tool_result",
                        "bash_code_execution_tool_result",
                        "text_editor_code_execution_tool_result",
                        "tool_search_tool_result",
                        "advisor_tool_result",
                        "mcp_tool_result",
                    ),
                    "no delta",
                ),
            },
        ),
    ),
    why="Clients append by the delta's type: a wrong type raises, or text ends up in arguments.",
)
row(
    "messages-signature-misplaced",
    "ANT-S-005",
    ends(f"{_DELTA}[delta.type=signature_delta]", _DELTA, by="/index"),
    why="With two, a client that overwrites loses the first, and one that appends sends a signature that the server "
    "refuses.",
    severity=Severity.WARNING,
    because="the delta fits its block; only its place is unusual",
)
row(
    "messages-output-token-count-wrong",
    "ANT-S-010",
    rises(_USAGE, "/usage/output_tokens", flat=True),
    rises(_USAGE, "/usage/input_tokens", flat=True),
    rises(_USAGE, "/usage/cache_read_input_tokens", flat=True),
    rises(_USAGE, "/usage/cache_creation_input_tokens", flat=True),
    why="A client keeps the last count, so a count of only the last piece makes the cost look too small.",
)
_START = "event[type=message_start] /message/usage[input_tokens=0]"
row(
    "messages-start-usage-empty",
    "ANT-S-013",
    never(f"{_START}[!cache_read_input_tokens][!cache_creation_input_tokens]/input_tokens", "what the request had"),
    never(f"{_START}[cache_read_input_tokens=0][!cache_creation_input_tokens]/input_tokens", "what the request had"),
    never(f"{_START}[cache_read_input_tokens=0][cache_creation_input_tokens=0]/input_tokens", "what the request had"),
    why="A client that takes the input from the start of the stream counts the request as free.",
)
