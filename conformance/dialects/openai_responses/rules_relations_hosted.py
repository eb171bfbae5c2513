"""The server's own tools: what must be declared for their items, and what their items have of the declaration."""

from conformance.dialects.openai_responses.relation_places import ELSEWHERE, KEPT, declared, output, reply, sent
from conformance.judge.relations import (
    Identity,
    among,
    bounded,
    echoes,
    equal,
    fits,
    matched,
    part_of,
    refers,
    requires,
    row,
    sum_of,
    unique,
    within,
)

# Declared tools ----------------------------------------------------------------------------------------------------
_SEARCH = "web_search|web_search_2025_08_26|web_search_preview|web_search_preview_2025_03_11"
_COMPUTER = "computer|computer_use|computer_use_preview|computer-preview"
_ITEMS = {
    "web_search_call": _SEARCH,
    "file_search_call": "file_search",
    "computer_call": _COMPUTER,
    "code_interpreter_call": "code_interpreter",
    "image_generation_call": "image_generation",
    "mcp_call|mcp_list_tools|mcp_approval_request": "mcp",
    "local_shell_call": "local_shell",
    "shell_call": "shell",
    "apply_patch_call": "apply_patch",
    "tool_search_call": "tool_search",
    "program": "programmatic_tool_calling",
}
"""The items of the output that only a declared tool makes, each with the types of the tool."""


row(
    "responses-hosted-item-undeclared",
    "OAR-R-026",
    *(requires(output(items), declared(types), unless="request [prompt]") for items, types in _ITEMS.items()),
    requirement="The output must have items of hosted tools only if the request declares the tool.",
    why="The server ran, and charged for, a tool that the client did not allow.",
)
row(
    "responses-hosted-choice-undeclared",
    "OAR-Q-019",
    *(
        requires(f"request /tool_choice[type={types}]", f"request /tools/*[type={types}]", unless="request [prompt]")
        for types in _ITEMS.values()
        if types != "mcp"
    ),
    refers(
        "request /tool_choice[type=mcp]/server_label | request /tool_choice/tools/*[type=mcp]/server_label",
        Identity("label of an MCP server", "request /tools/*[type=mcp]/server_label", "exchange"),
        unless="request [prompt]",
    ),
    requirement="A hosted tool in the tool choice must be declared in the same request.",
    why="The server refuses a choice of a tool that it does not have.",
)
row(
    "responses-tool-search-undeclared",
    "OAR-Q-020",
    requires(
        "request /tools/*[defer_loading=true] | request /tools/*/tools/*[defer_loading=true]",
        "request /tools/*[type=tool_search]",
        unless="request [prompt]",
    ),
    requires(
        "request /tools/*/allowed_callers/*[=programmatic]",
        "request /tools/*[type=programmatic_tool_calling]",
        unless="request [prompt]",
    ),
    requirement="Deferred tools need `tool_search`, and tools for programs need `programmatic_tool_calling`.",
    why="The model never sees the tool.",
)
_NAMESPACE = Identity(
    "namespace",
    # Outside a namespace, a deferred tool is one by itself.
    f"{declared('namespace|function|custom', '/name')} | {declared('mcp', '/server_label')}",
    "exchange",
)
row(
    "responses-namespace-undeclared",
    "OAR-R-027",
    refers(output("function_call|custom_tool_call", "/namespace"), _NAMESPACE, unless=ELSEWHERE),
    matched(
        output("function_call|custom_tool_call", "[namespace]"),
        "/namespace",
        declared("namespace"),
        "/name",
        among("/this/name", "/that/tools/*/name"),
    ),
    requirement="The namespace of a call must be declared, and have the tool.",
    why="The client finds no such tool, or runs one of another namespace.",
)
row(
    "responses-namespace-mismatch",
    "OAR-C-021",
    matched(
        sent("function_call_output"),
        "/call_id",
        f"{output('function_call', '[namespace]')} | {sent('function_call', '[namespace]')}",
        "/call_id",
        equal("/that/namespace", "/this/namespace"),
        within="run",
    ),
    matched(
        sent("function_call_output", "[name]"),
        "/call_id",
        f"{output('function_call')} | {sent('function_call')}",
        "/call_id",
        equal("/that/name", "/this/name"),
        within="run",
    ),
    requirement="An output with a name or a namespace must have that of its call.",
    why="The output seems to be that of another tool.",
)

# Computers, containers and files -----------------------------------------------------------------------------------
_DISPLAY = "request /tools/*[type=computer_use_preview|computer-preview]"
row(
    "responses-computer-action-out-of-range",
    "OAR-R-036",
    *(
        bounded(output("computer_call", f"{action}/{axis}"), by=f"{_DISPLAY}/display_{side}", below=True)
        for action in ("/action", "/actions/*", "/action/path/*", "/actions/*/path/*")
        for axis, side in (("x", "width"), ("y", "height"))
    ),
    requirement="A computer action must be on the display of the tool.",
    why="The client clicks outside the screen.",
)
_CITED = "/content/*/annotations/*"
_CONTAINERS = "code_interpreter_call|shell_call|shell_call_output"
row(
    "responses-container-mismatch",
    "OAR-R-037",
    echoes(
        output("code_interpreter_call", "/container_id"), "request /tools/*[type=code_interpreter]/container[!type]"
    ),
    refers(
        output("message", f"{_CITED}[type=container_file_citation]/container_id"),
        Identity(
            "container",
            f"{output('code_interpreter_call', '/container_id')} | {sent('code_interpreter_call', '/container_id')}"
            " | request /tools/*/container | request /tools/*/environment/container_id"
            f" | {output('shell_call', '/environment/container_id')}",
            "exchange",
        ),
        unless=ELSEWHERE,
    ),
    requirement="A container in the output must be the one that the tool used.",
    why="The client asks for a file in a container that does not have it.",
)
_FOUND = "/results/*"
row(
    "responses-file-citation-orphaned",
    "OAR-R-038",
    refers(
        output("message", f"{_CITED}[type=file_citation]/file_id"),
        Identity("file that was found", output("file_search_call", f"{_FOUND}/file_id"), "exchange"),
        unless=f"{KEPT} | request /input/*[type=file_search_call] | request /input/*/content/*[file_id]",
        given=output("file_search_call", f"{_FOUND}/file_id"),
    ),
    matched(
        output("message", f"{_CITED}[type=file_citation]"),
        "/file_id",
        output("file_search_call", _FOUND),
        "/file_id",
        equal("/that/filename", "/this/filename"),
    ),
    requirement="A file citation must be of a file that the search found.",
    why="The client shows a source that the answer does not rest on.",
)
row(
    "responses-search-results-too-many",
    "OAR-R-039",
    bounded(output("file_search_call", "/results"), by="request /tools/*[type=file_search]/max_num_results"),
    why="The client pays for more context than it allowed.",
)

# Accounting --------------------------------------------------------------------------------------------------------
row(
    "responses-tool-usage-total-wrong",
    "OAR-R-040",
    within(
        reply("/tool_usage/image_gen"),
        sum_of("/total_tokens", "/input_tokens", "/output_tokens"),
        sum_of("/input_tokens", "/input_tokens_details/image_tokens", "/input_tokens_details/text_tokens"),
        sum_of("/output_tokens", "/output_tokens_details/image_tokens", "/output_tokens_details/text_tokens"),
        part_of("/cached_tokens", "/input_tokens"),
        *(part_of(f"/cached_tokens_details/cached_{each}_tokens", "/cached_tokens") for each in ("image", "text")),
    ),
    within(
        output("image_generation_call", "/svg_usage"),
        sum_of("/total_tokens", "/input_tokens", "/output_tokens"),
        part_of("/reasoning_tokens", "/output_tokens"),
    ),
    requirement="The tokens of images, and of their description as SVG, must add up.",
    why="A budget that adds up the parts differs from one that reads the total.",
)

# Text that a grammar restricts, and lists --------------------------------------------------------------------------
row(
    "responses-custom-input-invalid",
    "OAR-R-041",
    matched(
        output("custom_tool_call"),
        "/name",
        declared("custom", "[format.syntax=regex]"),
        "/name",
        fits("/this/input", "/that/format/definition"),
    ),
    why="The tool cannot read its input.",
)
row(
    "responses-list-id-mismatch",
    "OAR-R-042",
    within(
        "beside [object=list]",
        equal("/data/first/id", "/first_id"),
        equal("/data/last/id", "/last_id"),
        unique("/data/*/id"),
    ),
    requirement="`first_id` and `last_id` of a list must be those of its first and last item, and its ids differ.",
    why="The next page begins at the wrong item: some are lost, or come twice.",
)
