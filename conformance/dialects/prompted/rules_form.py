"""The form that the client writes: tags in the system message, and blocks of earlier turns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.prompted.parse import Block, read_block, scan
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.host_texts import history_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_PROMPT = "ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts"
_PROTOCOL = "ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts"
_EDGE = re.compile(rf"^[ \t]*(?:{OPEN}|{CLOSE}|</?tool_list>)+[ \t]*$", re.MULTILINE)


@rule(
    "prompted-form-unclosed",
    scope="request",
    cites="PFC-Q-001",
    severity=Severity.WARNING,
    because="a prompt without any form breaks the statement; this one may show it whole in another place",
)
def prompted_form_unclosed(view: View) -> Iterator[Hit]:
    """The tags on lines of their own in the system message must be in pairs.

    The model copies the form: if it writes only one tag of a pair, no client finds its calls.
    """
    for part in history_texts(view, "system"):
        tags = [tag for line in _EDGE.findall(part.text) for tag in re.findall(r"</?\w+>", line)]
        opened: list[str] = []
        for tag in tags:
            if not tag.startswith("</"):
                opened.append(tag)
            elif not opened or opened.pop() != tag.replace("/", ""):
                opened.append(tag)
                break
        if opened:
            yield Hit(part.pointer, f"the tag {opened[-1]} has no counterpart", "tags in pairs", opened[-1])


@rule(
    "prompted-history-json-invalid",
    scope="request",
    cites="PFC-R-003",
)
def prompted_history_json_invalid(view: View) -> Iterator[Hit]:
    """The calls of earlier turns must be sent back as JSON that needs no repair.

    The model imitates its earlier turns, and keeps writing trailing commas, which a strict parser refuses.
    """
    for part in history_texts(view, "assistant"):
        for piece in scan(part.text):
            if isinstance(piece, Block) and read_block(piece).repaired:
                yield Hit(part.pointer, "a call is JSON only after repair", "valid JSON", "a trailing comma")
                break
