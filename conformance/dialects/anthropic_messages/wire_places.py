"""Places of Messages traffic that several relations read, as patterns (`conformance.judge.relations`)."""

from __future__ import annotations


def sent(path: str = "") -> str:
    """A place in each block of the request's messages."""
    return f"request /messages/*/content/*{path}"


def received(path: str = "") -> str:
    """A place in each block of the reply; in a stream, in the block of its start event."""
    return f"response /content/*{path} | event[type=content_block_start] /content_block{path}"


def cited(path: str) -> str:
    """A place in each citation: of the reply, and of the texts that the request sends back."""
    streamed = f"event[type=content_block_delta] /delta[type=citations_delta]/citation{path}"
    return f"response /content/*/citations/*{path} | {streamed} | {sent(f'/citations/*{path}')}"


def message(path: str = "") -> str:
    """A place in the message of the reply; in a stream, in that of its start event."""
    return f"response {path} | event[type=message_start] /message{path}"


def ending(path: str = "") -> str:
    """A place in the object that has the stop reason."""
    return f"response {path} | event[type=message_delta] /delta{path}"


def usage(path: str = "") -> str:
    """A place in each usage of the reply."""
    return f"{message(f'/usage{path}')} | event[type=message_delta] /usage{path}"


DOCUMENTS = f"{sent('[type=document]')} | {sent('[type=tool_result]/content/*[type=document]')}"
"""The documents of the user's messages and of the results of tools."""
CITABLE = " | ".join(
    (
        DOCUMENTS,
        sent("[type=web_fetch_tool_result]/content[type=web_fetch_result]/content"),
        received("[type=web_fetch_tool_result]/content[type=web_fetch_result]/content"),
    )
)
"""All documents that a reply can cite, in the order of their indexes."""
SEARCH_RESULTS = f"{sent('[type=search_result]')} | {sent('[type=tool_result]/content/*[type=search_result]')}"
RESULT = (
    "[type=mcp_tool_result|web_search_tool_result|web_fetch_tool_result|code_execution_tool_result|"
    "bash_code_execution_tool_result|text_editor_code_execution_tool_result|tool_search_tool_result|"
    "advisor_tool_result]"
)
"""A block with the result of a call that the server ran."""
MARKED = " | ".join(
    (
        "request /tools/*/cache_control[type]",
        "request /system/*/cache_control[type]",
        sent("/cache_control[type]"),
        sent("/content/*/cache_control[type]"),
    )
)
"""The cache breakpoints, in the order in which the server reads them."""


def beta(*names: str) -> str:
    """One of the betas: in the header, or in the body on the clouds."""
    wanted = "|".join(names)
    return f"header /anthropic-beta/*[={wanted}] | request /anthropic_beta/*[={wanted}]"


CHANGED_TOOLS = " | ".join(
    (sent("[type=tool_addition|tool_removal]/tool{0}"), sent("[type=compaction]/tool_changes/*/tool{0}"))
)
"""The tool of each change of the tools, to be formatted with what follows."""
