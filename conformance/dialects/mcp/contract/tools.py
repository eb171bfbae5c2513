"""Lists of tools and results of calls."""

from __future__ import annotations

from conformance.contract.notation import array, boolean, cite, mapping, need, obj, text, word
from conformance.dialects.mcp.contract.common import CURSOR, ICONS, META, may
from conformance.dialects.mcp.contract.content import CONTENT, STRUCTURED

TOOL_MALFORMED = cite("MCP-A-018", rule="mcp-tool-malformed")
_ANNOTATIONS = obj(
    title=may(text()),
    readOnlyHint=may(boolean),
    destructiveHint=may(boolean),
    idempotentHint=may(boolean),
    openWorldHint=may(boolean),
)
TOOL = obj(
    TOOL_MALFORMED,
    name=need(
        text(1, pattern="[A-Za-z0-9_.-]{1,128}"),
        pattern=cite("MCP-A-019", rule="mcp-tool-name-invalid"),
    ),
    title=may(text()),
    description=may(text()),
    # The rules about schemas cover what is below the root.
    inputSchema=need(obj(type=need(word("object")))),
    outputSchema=may(mapping()),
    annotations=may(_ANNOTATIONS),
    execution=may(obj(taskSupport=may(word("forbidden", "optional", "required")))),
    icons=ICONS,
    _meta=META,
)
LIST = obj(
    tools=need(array(TOOL), TOOL_MALFORMED),
    nextCursor=may(text(), CURSOR),
)
CALL = obj(
    cite("MCP-A-024", rule="mcp-call-result-malformed"),
    content=CONTENT,
    structuredContent=STRUCTURED,
    isError=may(boolean),
)
