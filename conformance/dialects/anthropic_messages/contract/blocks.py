"""The content blocks of a Messages request: their fields, and the roles that may send them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.contract.nodes import Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.anthropic_messages.contract.common import *
from conformance.dialects.anthropic_messages.contract.places import BEDROCK, SECOND_VERSION
from conformance.dialects.anthropic_messages.contract.results import server_results

BROKEN = cite("ANT-Q-012", rule="messages-block-malformed", refused=400)
TAG = dict.fromkeys(("itself", "missing", "type", "value"), BROKEN)
_UNKNOWN = cite("ANT-Q-014", rule="messages-block-member-unknown", refused=400)
_EMPTY = cite("ANT-Q-021", rule="messages-text-empty", refused=400)
_ILLEGAL = cite("ANT-Q-022", rule="messages-tool-use-id-invalid", refused=400)
_NAMED = cite("ANT-Q-005", rule="messages-tool-name-invalid", refused=400)
_VERSION = cite("ANT-Q-003", rule="messages-field-unsupported", refused=400)


def _block(**rows: Any) -> Object:
    """A block whose unknown fields are refused, as recorded for calls, results and texts."""
    return obj(closed, {"missing": BROKEN, "type": BROKEN, "unknown": _UNKNOWN}, **rows)


def _part(*parts: Any, **rows: Any) -> Object:
    return sent({"missing": BROKEN, "type": BROKEN}, *parts, **rows)


# Text, pictures, documents ------------------------------------------------------------------------------------------
_FILLED = need(text(1), empty=_EMPTY)
TEXT = _block(text=_FILLED, citations=CITATIONS, cache_control=CACHE)
_UNCITED = first(may(array(anything, 0, 0), only=SECOND_VERSION, count=_VERSION), CITATIONS)
USER_TEXT = _block(text=_FILLED, citations=_UNCITED, cache_control=CACHE)
"""From version 2026-10-21 on, a user's text has no citations."""
_URL = first(
    need(
        Foreign("a source of type `base64`: Bedrock does not fetch URLs"),
        refusal("ANT-Q-012"),
        only=BEDROCK,
    ),
    need(text(1, pattern=r"https?://[\s\S]+")),
)
_DATA = need(text(1, pattern="[^:]*"))
"""A data URL has a colon, base64 has none."""
_FILE = sent(file_id=need(text(1)))
_IMAGE_SOURCE = by(
    base64=sent(media_type=need(word("image/jpeg", "image/png", "image/gif", "image/webp")), data=_DATA),
    url=sent(url=_URL),
    file=_FILE,
)
IMAGE = _part(
    source=need(_IMAGE_SOURCE),
    transformations=may(sent(oversized_image=may(word("downsize", "error")))),
    cache_control=CACHE,
)
_DOCUMENT_SOURCE = by(
    base64=sent(media_type=need(word("application/pdf")), data=_DATA),
    text=sent(media_type=need(word("text/plain")), data=need(text())),
    content=sent(content=need(text() | array(by(text=USER_TEXT, image=IMAGE)))),
    url=sent(url=_URL),
    file=_FILE,
)
DOCUMENT = _part(
    source=need(_DOCUMENT_SOURCE),
    title=may(text(1, 500)),
    context=may(text(1)),
    citations=may(CITED),
    cache_control=CACHE,
)
_SEARCH_RESULT = _part(
    source=need(text()),
    title=need(text()),
    content=need(array(by(text=USER_TEXT))),
    citations=may(CITED),
    cache_control=CACHE,
)
_UPLOAD = _part(file_id=need(text(1)), cache_control=CACHE)

# Calls and results --------------------------------------------------------------------------------------------------
CALL = _block(
    id=need(text(1, pattern=ID), empty=BROKEN, pattern=_ILLEGAL),
    name=need(text(pattern=r"[a-zA-Z0-9_-]{1,200}"), pattern=_NAMED),
    input=need(mapping()),
    caller=may(CALLER),
    toolset_name=may(text()),
    cache_control=CACHE,
)
REFERENCE = by(tool_reference=sent(tool_name=need(text(1, 256, ID)), cache_control=CACHE))
_LINE = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]*"
"""No control characters, and no separators of lines or paragraphs."""
_REPORTED = text(0, 4_096, _LINE)
_REPORTED_ID = text(1, 4_096, _LINE)
_TAB = sent(tab_id=need(_REPORTED_ID), title=need(_REPORTED), url=need(_REPORTED), active=may(boolean))
_DOWNLOAD = {"download_id": need(_REPORTED_ID), "url": need(_REPORTED)}
_STATE_CHANGE = by_known(
    tab_opened=sent(tab_id=need(text())),
    download_started=sent(_DOWNLOAD),
    download_completed=sent(_DOWNLOAD, path=may(_REPORTED), size_bytes=may(integer(0))),
    download_failed=sent(_DOWNLOAD, error=may(_REPORTED)),
)
_BROWSER_STATE = _part(
    tabs=need(array(_TAB, 0, 100)),
    state_changes=may(array(_STATE_CHANGE, 1, 200)),
    cache_control=CACHE,
)
_NOT_WITHIN = cite(
    "ANT-Q-012",
    rule="messages-block-malformed",
    refused=400,
)
_WITHIN_RESULT = by_known(
    TAG,
    {
        kind: Foreign("text, images or documents", f"a block of type `{kind}`", _NOT_WITHIN)
        for kind in ("tool_use", "tool_result", "thinking", "server_tool_use")
    },
    text=USER_TEXT,
    image=IMAGE,
    document=DOCUMENT,
    search_result=_SEARCH_RESULT,
    tool_reference=sent(tool_name=need(text(1, 256, ID)), cache_control=CACHE),
    browser_state=_BROWSER_STATE,
)
_FAILED = refusal("ANT-Q-024")
RESULT = obj(
    _block(
        tool_use_id=need(text(1, pattern=ID), empty=BROKEN, pattern=_ILLEGAL),
        content=may(text() | array(_WITHIN_RESULT)),
        is_error=may(boolean),
        toolset_name=may(text()),
        cache_control=CACHE,
    ),
    needs(is_("is_error", True), "content", cite=_FAILED),
    excludes(is_("is_error", True), is_("content", "", []), cite=_FAILED),
)

# Server tools -------------------------------------------------------------------------------------------------------
SERVER_TOOLS = (
    "advisor",
    "web_search",
    "web_fetch",
    "code_execution",
    "bash_code_execution",
    "text_editor_code_execution",
    "tool_search_tool_regex",
    "tool_search_tool_bm25",
)
_SERVER_CALL = _part(
    id=need(text(1, pattern=SERVER_ID), empty=BROKEN, pattern=_ILLEGAL),
    name=need(known(*SERVER_TOOLS), empty=BROKEN),
    input=need(mapping()),
    caller=may(CALLER),
    cache_control=CACHE,
)
_MCP_CALL = _part(
    id=need(text(1, pattern=ID), empty=BROKEN, pattern=_ILLEGAL),
    name=need(text(1)),
    server_name=need(text()),
    input=need(mapping()),
    cache_control=CACHE,
)
_MCP_RESULT = _part(
    tool_use_id=need(text(1, pattern=ID), empty=BROKEN, pattern=_ILLEGAL),
    content=may(text() | array(by(text=TEXT))),
    is_error=may(boolean),
    cache_control=CACHE,
)
_FETCHED = by(document=DOCUMENT)
_RESULTS: Mapping[str, Node] = {
    name: _part(
        tool_use_id=need(text(1, pattern=SERVER_ID), empty=BROKEN, pattern=_ILLEGAL),
        content=need(content),
        caller=may(CALLER),
        cache_control=CACHE,
    )
    for name, content in server_results(sent, _FETCHED, REFERENCE).items()
}

# Thinking, compaction, changes of tools -----------------------------------------------------------------------------
THINKING = _block(thinking=need(text()), signature=need(text()))
_MCP_TOOL = sent(name=need(text(1)), input_schema=need(mapping()), description=may(text()))
_CHANGED = {
    "tool_reference": sent(name=need(text(1))),
    "mcp_tool_reference": sent(name=need(text(1)), server_name=need(text(1))),
    "mcp_toolset_reference": sent(server_name=need(text(1))),
}
TOOL_CHANGES = {
    "tool_addition": _part(
        tool=need(by_known(_CHANGED, tool_definition=sent(definition=need(mapping())))),
        cache_control=CACHE,
    ),
    "tool_removal": _part(tool=need(by_known(_CHANGED)), cache_control=CACHE),
}
_COMPACTION = _part(
    content=may(text(1) | null),
    encrypted_content=may(text() | null),
    signature=may(text() | null),
    tool_changes=may(array(by_known(TOOL_CHANGES)) | null),
    cache_control=CACHE,
)
_MODEL = sent(model=need(text(1)))
SERVER: Mapping[str, Node] = {
    "server_tool_use": _SERVER_CALL,
    "mcp_tool_use": _MCP_CALL,
    "thinking": THINKING,
    "redacted_thinking": _block(data=need(text())),
    "fallback": _part({"from": need(_MODEL)}, to=need(_MODEL), trigger=may(anything)),
    "mcp_tool_listing": _part(mcp_server_name=need(text(1)), tools=need(array(_MCP_TOOL))),
    "compaction": _COMPACTION,
}
"""Blocks that the server writes, and that are sent back."""
EITHER: Mapping[str, Node] = {
    "image": IMAGE,
    "search_result": _SEARCH_RESULT,
    "container_upload": _UPLOAD,
    "mcp_tool_result": _MCP_RESULT,
    **_RESULTS,
    **TOOL_CHANGES,
}
"""Blocks that both roles may send."""
