"""OpenAI Chat Completions, whose form Azure, Cohere v2, Ollama, Mistral and most compatible servers share.

The older `functions` are entries with `name` and `parameters` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from conformance.dialects.openai_chat.request import read_tools
from conformance.model.tool_entry import Entry, Form
from conformance.model.transcript import ToolDefinition

_LEGACY = frozenset({"name", "description", "parameters", "strict"})


def _claims(entry: Entry) -> bool:
    kind = entry.get("type", "function")
    if kind in ("function", "custom"):
        nested = entry.get(kind)
        return isinstance(nested, dict) or ("type" not in entry and _is_legacy(entry))
    return False


def _is_legacy(entry: Entry) -> bool:
    return isinstance(entry.get("name"), str) and len(entry) > 1 and entry.keys() <= _LEGACY


def _read(entry: Entry, pointer: str) -> Iterator[ToolDefinition]:
    for tool in read_tools([entry]) or ():
        yield replace(tool, pointer=pointer)


FORM = Form(name="openai-chat", title="OpenAI Chat Completions and compatible servers", claims=_claims, read=_read)
