"""Content blocks: of tool results, of prompts, and of sampling messages."""

from __future__ import annotations

from conformance.contract import notation
from conformance.contract.notation import *
from conformance.dialects.mcp.contract.common import ANNOTATIONS, ICONS, META, ROLE, URI, may
from conformance.dialects.mcp.contract.places import BEFORE_AUDIO, BEFORE_LINKS, BEFORE_TOOLS_IN_SAMPLING, STATELESS
from conformance.model.finding import Severity

# Null for either of the two has broken clients (Azure/data-api-builder#3599).
_NOTES = cite("MCP-A-031")
_SHARED = {
    "annotations": may(ANNOTATIONS.node, null=_NOTES),
    "_meta": may(META.node, null=_NOTES),
}
_NOT_BASE64 = cite("MCP-A-024", Severity.WARNING, because="the SDKs pass the text on without decoding it")
_CODED = r"[A-Za-z0-9+/_\r\n-]*={0,2}[\r\n]*"
BASE64 = need(text(1, pattern=_CODED), pattern=_NOT_BASE64)
MIME = may(text(1))

# Blocks -----------------------------------------------------------------------------------------------------------
TEXT = obj(_SHARED, text=need(text()))
MEDIA = obj(_SHARED, data=BASE64, mimeType=need(text(1)))
RESOURCE_LINK = obj(
    _SHARED,
    uri=need(URI),
    name=need(text(1)),
    title=may(text()),
    description=may(text()),
    mimeType=MIME,
    size=may(integer(0)),
    icons=ICONS,
)
CONTENTS = obj(
    some_of("text", "blob"),
    uri=need(URI),
    mimeType=MIME,
    text=may(text()),
    blob=may(text(pattern=_CODED), pattern=_NOT_BASE64),  # a file may be empty
    _meta=META,
)
"""The content of a resource: text or bytes."""
EMBEDDED = obj(_SHARED, resource=need(CONTENTS))

_UNKNOWN = {
    "value": cite("MCP-A-024", Severity.WARNING, because="a later revision adds types of blocks"),
    "empty": cite("MCP-A-024"),
}
_FIRST = {"text": TEXT, "image": MEDIA, "resource": EMBEDDED}
_SECOND = {**_FIRST, "audio": MEDIA}
_BLOCKS = {**_SECOND, "resource_link": RESOURCE_LINK}
BLOCK = later("block", lambda: by(_BLOCKS, _UNKNOWN))
_BLOCKS_OF_2025_03_26 = later("block-2025-03-26", lambda: by(_SECOND, _UNKNOWN))
_BLOCKS_OF_2024_11_05 = later("block-2024-11-05", lambda: by(_FIRST, _UNKNOWN))

CONTENT = first(
    need(array(_BLOCKS_OF_2024_11_05), only=BEFORE_AUDIO),
    need(array(_BLOCKS_OF_2025_03_26), only=BEFORE_LINKS),
    need(array(BLOCK)),
)
"""The content of a tool result."""
ONE_BLOCK = first(
    need(_BLOCKS_OF_2024_11_05, only=BEFORE_AUDIO),
    need(_BLOCKS_OF_2025_03_26, only=BEFORE_LINKS),
    need(BLOCK),
)
"""The content of a prompt's message."""
STRUCTURED = first(notation.may(notation.anything, only=STATELESS), may(mapping()))
"""An object up to 2025-11-25, any JSON value after that."""

# Sampling ---------------------------------------------------------------------------------------------------------
_SAMPLED = {
    "text": TEXT,
    "image": MEDIA,
    "audio": MEDIA,
    "tool_use": obj(id=need(text(1)), name=need(text(1)), input=need(mapping()), _meta=META),
    "tool_result": obj(
        toolUseId=need(text(1)),
        content=CONTENT,
        structuredContent=STRUCTURED,
        isError=may(boolean),
        _meta=META,
    ),
}
_SAMPLED_BLOCK = later("sampled-block", lambda: by(_SAMPLED, _UNKNOWN))
_FIRST_SAMPLED = later("sampled-block-2025-06-18", lambda: by(_UNKNOWN, text=TEXT, image=MEDIA, audio=MEDIA))
SAMPLED = first(
    need(_FIRST_SAMPLED, only=BEFORE_TOOLS_IN_SAMPLING),
    need(_SAMPLED_BLOCK | array(_SAMPLED_BLOCK)),
)
"""The content of a sampled message: one block, or from 2025-11-25 on several."""
MESSAGE = obj(role=need(ROLE), content=SAMPLED, _meta=META)
