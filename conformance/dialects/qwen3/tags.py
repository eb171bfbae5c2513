"""Tags without a counterpart in the text of a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.qwen3.parse import CLOSE, OPEN, THINK, Block, Thought, scan

_TAG = re.compile(r"</?(?:tool_call|think)>")


def _outside(text: str) -> str:
    """The text without the JSON of its calls (tags in it are quoted), and without the tags of calls in thoughts."""
    for piece in scan(text):
        if isinstance(piece, Block):
            text = text.replace(piece.raw, piece.raw.replace(piece.body, "", 1), 1)
        elif isinstance(piece, Thought):
            text = text.replace(piece.text, piece.text.replace(OPEN, "").replace(CLOSE, ""), 1)
    return text


def unpaired(text: str) -> Iterator[tuple[str, bool]]:
    """The first closing tag without an opening tag, or think tag that is repeated or in the wrong order.

    With it, whether it is behind the JSON of a call, which parsers then do not find.
    """
    opened: list[str] = []
    shown, end = _outside(text), 0
    for found in _TAG.finditer(shown):
        tag, before, end = found[0], shown[end : found.start()], found.end()
        if tag.startswith("</"):
            if not opened or opened.pop() != tag.replace("/", ""):
                yield tag, tag == CLOSE and before.rstrip().endswith("}")
                return
        elif tag == THINK and opened:
            yield tag, False
            return
        else:
            opened.append(tag)
