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
from conformance.model.transcript import Part, Reasoning, ToolCall
from conformance.model.values import get, list_of

_MESSAGE = ("delta", "message", "citations")


@rule("cohere-citation-mismatch", scope="reply", cites="COH-R-007")
def citation_mismatch(view: View) -> Iterator[Hit]:
    """The `text` of a citation must be what the message has from `start` to `end`.

    Clients mark this range: they mark other words, or fail.
    """
    for at, citation in _citations(view):
        blocks, number = _blocks(view, citation), citation.get("content_index") or 0
        if not isinstance(number, int) or (blocks and not 0 <= number < len(blocks)):
            wanted = f"at most {len(blocks) - 1}"
            yield Hit(join(at, "content_index"), "the message has no block with this index", wanted, brief(number))
            continue
        text = getattr(blocks[number], "text", None) if blocks else None
        start, end, cited = citation.get("start"), citation.get("end"), citation.get("text")
        if not isinstance(text, str) or not isinstance(start, int) or not isinstance(end, int):
            continue
        if not 0 <= start <= end <= len(text) or text[start:end] != cited:
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
        shown: Any = source.get(member)
        for key, value in (data or {}).items() if isinstance(shown, dict) else ():
            if key not in shown or (isinstance(value, str) and shown[key] != value):
                yield Hit(join(at, member), f"`{key}` is not that of the source", brief(value), brief(shown.get(key)))
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


def _blocks(view: View, citation: dict[str, Any]) -> list[Part]:
    """What a citation can be about: the blocks of content, or the plan."""
    parts = [part for turn in view.replies for part in turn.parts if not isinstance(part, ToolCall)]
    plans: list[Part] = [part for part in parts if isinstance(part, Reasoning) and part.pointer.endswith("/tool_plan")]
    return plans if citation.get("type") == "PLAN" else [part for part in parts if part not in plans]
