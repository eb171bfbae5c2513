"""What relates the server's own tools, their calls and their results: docs/contract/anthropic-messages.md."""

from conformance.dialects.anthropic_messages.wire_places import received, sent
from conformance.judge.relations import (
    contains,
    matched,
    needs,
    never,
    part_of,
    requires,
    row,
    unique,
    within,
)

row(
    "messages-server-call-undeclared",
    "ANT-R-033",
    *(
        requires(
            received(f"[type=server_tool_use][name={name}]"),
            f"request /tools/*[name={name}]",
            unless="request [!tools]",
        )
        for name in ("web_search", "web_fetch", "advisor", "tool_search_tool_regex", "tool_search_tool_bm25")
    ),
    requires(
        received("[type=server_tool_use][name=bash_code_execution|text_editor_code_execution]"),
        "request /tools/*[name=code_execution]",
        unless="request [!tools]",
    ),
    why="The client did not offer the tool, and pays for it.",
)
row(
    "messages-server-result-changed",
    "ANT-C-017",
    *(
        matched(
            sent(result),
            "/tool_use_id",
            received(result),
            "/tool_use_id",
            contains(f"/that{sealed}", f"/this{sealed}", blamed="/this/content"),
            within="run",
        )
        for result, sealed in (
            ("[type=web_search_tool_result]", "/content/*/encrypted_content"),
            ("[type=code_execution_tool_result]", "/content/encrypted_stdout"),
            ("[type=advisor_tool_result]", "/content/encrypted_content"),
        )
    ),
    why="The server cannot decrypt it, and refuses the request.",
)
row(
    "messages-deferred-tool-cache-unsupported",
    "ANT-Q-040",
    never("request /tools/*[defer_loading=true]/cache_control[type]", "a breakpoint at a tool that is loaded at once"),
    why="A deferred tool is not in the prompt that is cached: the server refuses it.",
    refused=True,
)
row(
    "messages-browser-state-mismatch",
    "ANT-Q-041",
    within(
        sent("[type=tool_result]/content/*[type=browser_state]"),
        unique("/tabs/*/tab_id"),
        unique("/tabs/*[active=true]/active"),
        needs("/tabs/*[!active=true]", "/tabs/*[active=true]"),
        unique("/state_changes/*/download_id"),
        contains("/tabs/*/tab_id", "/state_changes/*/tab_id", blamed="/state_changes"),
    ),
    why="The model does not know which page it works on.",
)
row(
    "messages-view-result-out-of-range",
    "ANT-R-034",
    within(
        f"{received('/content[type=text_editor_code_execution_view_result]')} | "
        f"{sent('/content[type=text_editor_code_execution_view_result]')}",
        part_of("/num_lines", "/total_lines"),
        part_of("/start_line", "/total_lines"),
    ),
    why="A client that shows the lines of the file shows others, or none.",
)
