"""Gemini replies, streamed or not: usage, identity, and the types of all fields. docs/contract/gemini.md, GEM-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.chunks import chunks
from conformance.dialects.gemini.wire import whole
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.pointer import join

_TYPES = "google-genai 2.34 google/genai/types.py"
_SUMMANDS = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount")


@rule(
    "gemini-usage-total-wrong",
    scope="reply",
    cites="GEM-R-009",
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total token count must be the sum of prompt, candidates, thoughts and tool-use prompt.

    Cost is computed from the parts and limits from the total, so they must agree. Zero parts are absent.
    """
    for body, pointer in chunks(view):
        usage = body.get("usageMetadata")
        total = whole(usage.get("totalTokenCount")) if isinstance(usage, dict) else None
        if not isinstance(usage, dict) or total is None:
            continue
        summands = [whole(usage.get(name, 0)) for name in _SUMMANDS]
        if None not in summands and sum(filter(None, summands)) != total:
            where = join(pointer, "usageMetadata", "totalTokenCount")
            yield Hit(where, "the total is not the sum of its parts", str(sum(filter(None, summands))), str(total))
