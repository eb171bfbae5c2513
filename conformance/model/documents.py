"""A rendered answer as its JSON documents: one body, or one for each event of a stream.

A document keeps how it was written, so that one that nobody changes goes out byte for byte as it was rendered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from conformance.model import jsontext
from conformance.model.rendered import Rendered
from conformance.model.transcript import Malformed

_CHUNK = re.compile(
    r"(?P<head>(?:event: (?P<name>[^\r\n]*)\r?\n)?data: |\[|,\r?\n|)(?P<text>[\[{].*[\]}])(?P<tail>\s*)\Z", re.DOTALL
)
_STYLES: tuple[Callable[[Any], str], ...] = (
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ": ")),
    lambda value: json.dumps(value, ensure_ascii=False),
    lambda value: json.dumps(value, ensure_ascii=False, indent=2),
)


@dataclass(frozen=True, slots=True)
class Document:
    """`value` is the JSON value; None for a chunk that is something else (`[DONE]`), which is `head` alone.

    `name` is the event's, where its stream names events. `written` is how the value is spelled.
    """

    value: Any
    head: str
    tail: str = ""
    name: str | None = None
    written: Callable[[Any], str] = _STYLES[0]
    original: bytes = b""

    @property
    def chunk(self) -> bytes:
        """What goes over the network."""
        if self.original:
            return self.original
        text = "" if self.value is None else self.written(self.value)
        return f"{self.head}{text}{self.tail}".encode()

    def having(self, value: Any, name: str | None = None) -> Document:
        """The document with another value, and under another event name if one is given."""
        head = self.head.replace(f"event: {self.name}", f"event: {name}", 1) if name and self.name else self.head
        return replace(self, value=value, head=head, name=name or self.name, original=b"")


def documents(rendered: Rendered) -> list[Document]:
    """The documents of an answer, in the order of its chunks."""
    return [_document(chunk) for chunk in rendered.chunks]


def _document(chunk: bytes) -> Document:
    text = chunk.decode()
    value = jsontext.parse(text)
    head, spelled, tail, name = "", text.rstrip(), text[len(text.rstrip()) :], None
    if isinstance(value, Malformed):
        found = _CHUNK.match(text)
        value = jsontext.parse(found["text"]) if found is not None else None
        if found is None or isinstance(value, Malformed):
            return Document(None, text, original=chunk)
        head, spelled, tail, name = found["head"], found["text"], found["tail"], found["name"]
    written = next((style for style in _STYLES if style(value) == spelled), _STYLES[0])
    return Document(value, head, tail, name, written, chunk)


def answered(rendered: Rendered, changed: Iterable[Document]) -> Rendered:
    """The answer with other documents in it."""
    return replace(rendered, chunks=tuple(document.chunk for document in changed))


def each_object(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The JSON value with every object in it changed, the innermost first."""
    if isinstance(value, dict):
        return change({key: each_object(each, change) for key, each in value.items()})
    if isinstance(value, list):
        return [each_object(each, change) for each in value]
    return value
