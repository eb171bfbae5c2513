"""What a citation can name as its source: the documents and the results of a request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.values import get, list_of, text_of

Found = dict[str, tuple[str, dict[str, Any] | None]]
"""By id: the type of the source, and what the server knows of it; None where that is not documented."""


def sources_of(body: Any) -> Found:
    """The sources of a request. The server names what has no id by its position."""
    found: Found = {}
    for number, document in enumerate(list_of(get(body, "documents"))):
        found[_id(document) or f"doc:{number}"] = ("document", _data(document))
    for message in list_of(get(body, "messages")):
        if get(message, "role") == "tool":
            found |= dict(_results(message))
    return found


def _results(message: dict[str, Any]) -> Iterator[tuple[str, tuple[str, dict[str, Any] | None]]]:
    call, content = text_of(message.get("tool_call_id")), message.get("content")
    blocks = [{"text": content}] if isinstance(content, str) else list_of(content)
    for number, block in enumerate(blocks):
        document, text = get(block, "document"), text_of(get(block, "text"))
        given = _data(document) if text is None else _object(text) or {"content": text}
        yield _id(document) or f"{call}:{number}", ("tool", given)


def _id(document: Any) -> str | None:
    return text_of(get(document, "id"))


def _data(document: Any) -> dict[str, Any] | None:
    data = get(document, "data")
    return _object(data) if isinstance(data, str) else data if isinstance(data, dict) else None


def _object(text: str) -> dict[str, Any] | None:
    value = jsontext.parse(text)
    return value if isinstance(value, dict) else None
