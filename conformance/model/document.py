"""The documents of a rendered response, and their form on the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.model import eventstream
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A dialect's form of a JSON document.

    `separators` and `indent` are options of `json.dumps`. `before` and `after` enclose the JSON text; `first`, if set,
    replaces `before` for the first document of a response. `escaped` are characters that are written as escapes.
    `framed` documents are messages of Amazon's event stream.
    """

    separators: tuple[str, str] = (",", ":")
    indent: int | None = None
    before: str = ""
    after: str = ""
    first: str | None = None
    escaped: str = ""
    framed: bool = False


COMPACT = Style()
INDENTED = Style(separators=(",", ": "), indent=2)
SERVER_SENT = Style(before="data: ", after="\n\n")
"""One server-sent event for each document. An event that has a name begins with an `event:` line."""
FRAMED = Style(framed=True)
"""One message of Amazon's event stream for each document, with its name in the headers."""


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON value that is a body, or the data of one event. `event` is the event's name, if its stream has names."""

    value: Any
    style: Style = COMPACT
    event: str | None = None

    def text(self, *, first: bool) -> str:
        """What goes over the network. `first` is whether this is the first document of its response."""
        style = self.style
        before = style.first if first and style.first is not None else style.before
        name = f"event: {self.event}\n" if self.event is not None and not style.framed else ""
        written = json.dumps(self.value, ensure_ascii=False, separators=style.separators, indent=style.indent)
        for each in style.escaped:
            written = written.replace(each, f"\\u{ord(each):04x}")
        return f"{name}{before}{written}{style.after}"


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a response that is not JSON, as it is written: the end of a stream, or a comment."""

    text: str


def compact(value: Any) -> str:
    """A value as JSON without spaces, as the arguments of a call are written."""
    return json.dumps(value, ensure_ascii=False, separators=COMPACT.separators)


DONE = Mark("data: [DONE]\n\n")


_LONE = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: JSON can escape it, UTF-8 cannot encode it."""


def encoded(documents: Iterable[Document | Mark]) -> Iterator[bytes]:
    """One chunk for each document and mark, in their order."""
    first = True
    for each in documents:
        if isinstance(each, Document):
            content = _LONE.sub(lambda half: f"\\u{ord(half[0]):04x}", each.text(first=first)).encode()
            yield eventstream.encoded(each.event or "", content) if each.style.framed else content
            first = False
        else:
            yield each.text.encode()
