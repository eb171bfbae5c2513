"""Citations lead into the reply, and to what the request has. docs/contract/cohere-chat.md, COH-R-007, 009, 010."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.cohere_chat.sources import sources_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.transcript import Reasoning, Text, ToolCall
from conformance.model.values import get, list_of

_MESSAGE = ("delta", "message", "citations")


@rule("cohere-citation-mismatch", scope="reply", cites="COH-R-007")
def citation_mismatch(view: View) -> Iterator[Hit]:
    """The `text` of a citation must be what the message has from `start` to `end`.

    Clients mark this range: they mark other words, or fail.
    """
    for at, citation in _citations(view):
        start, end, cited = citation.get("start"), citation.get("end"), citation.get("text")
        text = _text(view, citation)
        if text is None or not isinstance(start, int) or not isinstance(end, int) or not isinstance(cited, str):
            continue
        if end < start or text[start:end] != cited:
            yield Hit(join(at, "text"), "the citation is not in the text there", brief(text[start:end]), brief(cited))


@rule("cohere-citation-source-orphaned", scope="reply", cites="COH-R-009")
def source_orphaned(view: View) -> Iterator[Hit]:
    """A source must be a document of the request, or the result of a tool.

    Clients show the reader what was cited, and there is none.
    """
    known = sources_of(view.request)
    for at, source in _sources(view):
        if isinstance(source.get("id"), str) and known.get(source["id"], ("",))[0] != source.get("type"):
            where = "the id of a document, or of a call with the position of its block"
            yield Hit(join(at, "id"), "no document and no result has this id", where, source["id"])


@rule("cohere-citation-source-mismatch", scope="reply", cites="COH-R-010")
def source_mismatch(view: View) -> Iterator[Hit]:
    """A source must have the texts of the document or of the result with its id.

    The reader is shown another source than the one that the model used.
    """
    known = sources_of(view.request)
    for at, source in _sources(view):
        kind, data = known.get(str(source.get("id")), ("", None))
        member = "tool_output" if kind == "tool" else "document"
        shown = source.get(member)
        for key, value in (data or {}).items():
            if isinstance(shown, dict) and isinstance(value, str) and shown.get(key) != value:
                yield Hit(
                    join(at, member, key), "the text differs from the source's", brief(value), brief(shown.get(key))
                )
                break


def _citations(view: View) -> Iterator[tuple[str, dict[str, Any]]]:
    if view.events is None:
        given = list_of(get(view.response, "message", "citations"))
        found = [(f"/message/citations/{number}", each) for number, each in enumerate(given)]
    else:
        found = [(join(each.pointer, *_MESSAGE), get(each.json, *_MESSAGE)) for each in view.events]
    yield from ((at, each) for at, each in found if isinstance(each, dict))


def _sources(view: View) -> Iterator[tuple[str, dict[str, Any]]]:
    for at, citation in _citations(view):
        for number, source in enumerate(list_of(citation.get("sources"))):
            if isinstance(source, dict):
                yield join(at, "sources", number), source


def _text(view: View, citation: dict[str, Any]) -> str | None:
    """The text that a citation is about; None where the message has no such place."""
    parts = [part for turn in view.replies for part in turn.parts if not isinstance(part, ToolCall)]
    plans = [part for part in parts if isinstance(part, Reasoning) and part.pointer.endswith("/tool_plan")]
    blocks = plans if citation.get("type") == "PLAN" else [part for part in parts if part not in plans]
    index = citation.get("content_index") or 0
    part = blocks[index] if isinstance(index, int) and 0 <= index < len(blocks) else None
    return part.text if isinstance(part, (Text, Reasoning)) else None
