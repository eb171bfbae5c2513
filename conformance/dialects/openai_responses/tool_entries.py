"""OpenAI Responses: the name beside the type, hosted tools by their type, and namespaces of tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.wire_readers import tool_of
from conformance.model.pointer import join
from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition
from conformance.model.values import text_of

_HOSTED = re.compile(
    r"web_search(?!_\d{8}).*|file_search|code_interpreter|computer(?:_use)?(?:_preview)?|image_generation|mcp"
    r"|(?:local_)?shell|apply_patch|tool_search|x_search|retrieval|[a-z]+:[a-z_]+"
)
"""The types of hosted tools; a gateway writes its own with a prefix (`openrouter:web_search`)."""
_MOST_NAMESPACES = 8


def _claims(entry: Entry) -> bool:
    kind = entry.get("type")
    if kind in ("function", "custom"):
        return "name" in entry and not isinstance(entry.get(kind), dict)
    if not isinstance(kind, str) or "function" in entry:
        return False
    return (kind == "namespace" and isinstance(entry.get("tools"), list)) or _HOSTED.fullmatch(kind) is not None


def _read(entry: Entry, pointer: str, depth: int = 0) -> Iterator[ToolDefinition]:
    kind = text_of(entry.get("type")) or "function"
    inner = entry.get("tools")
    if kind == "namespace" and isinstance(inner, list) and depth < _MOST_NAMESPACES:
        for number, each in enumerate(inner):
            at = join(pointer, "tools", number)
            yield from _read(each, at, depth + 1) if isinstance(each, dict) else [ToolDefinition(None, pointer=at)]
        return
    name = entry.get("name") if kind in ("function", "custom") else kind
    yield tool_of({**entry, "name": name}, pointer, kind=kind)


FORM = Form(name="openai-responses", title="OpenAI Responses, Realtime and Assistants", claims=_claims, read=_read)
