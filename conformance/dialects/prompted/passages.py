"""The texts of the tags that rows read: the system messages, the records of results, earlier turns, and replies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from conformance.dialects.prompted.claims import system_texts
from conformance.dialects.prompted.parse import RECORD, Block, read_block, scan, shown_format
from conformance.dialects.prompted.request import listed
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.host_texts import history_texts, reply_texts
from conformance.dialects.text.raw import is_raw
from conformance.dialects.text.reading import CUT
from conformance.dialects.text.rows import Passage, Span, source
from conformance.judge.view import View
from conformance.model.transcript import Malformed, Text

_JSON = re.compile(r"\s*(?:\[\s*)?(?:\{\s*[\"}]|\[?\s*\Z|\[\s*\])")
"""The beginning of a list that should be JSON; XML and prose are lists, too, which a model can read."""
_EDGE = re.compile(rf"^[ \t]*(?:{OPEN}|{CLOSE}|</?tool_list>)+[ \t]*$", re.MULTILINE)


# The request ---------------------------------------------------------------------------------------------------------
@source("request")
def form(view: View) -> Iterator[Passage]:
    """The system messages together: the form of a call, and the tools."""
    texts = list(system_texts(view.request))
    spans = [Span(("form",)) for text, _ in texts if shown_format(text)]
    spans += [Span(("tool",)) for _ in view.ask.tools or ()]
    if texts:
        yield Passage(texts[0][1], tuple(spans), text="a mention of the tag")


@source("request")
def tool_list(view: View) -> Iterator[Passage]:
    """The lists of tools in JSON, each with its tools."""
    for text, pointer in system_texts(view.request):
        written, value = listed(text)
        if written is None or (written and not _JSON.match(written)):
            continue
        if not isinstance(value, list):
            reason = value.reason if isinstance(value, Malformed) else "no list"
            yield Passage(pointer, (Span(("no list",), written, name=reason),))
            continue
        incomplete = (tool for tool in view.ask.tools or () if not tool.name or not isinstance(tool.parameters, dict))
        yield Passage(pointer, tuple(Span(("incomplete tool",), tool.name or "") for tool in incomplete))


@source("request")
def form_tags(view: View) -> Iterator[Passage]:
    """The tags on lines of their own in the system messages: the one without a counterpart."""
    for part in history_texts(view, "system"):
        opened: list[str] = []
        for tag in (tag for line in _EDGE.findall(part.text) for tag in re.findall(r"</?\w+>", line)):
            if not tag.startswith("</"):
                opened.append(tag)
            elif not opened or opened.pop() != tag.replace("/", ""):
                opened.append(tag)
                break
        yield Passage(part.pointer, tuple(Span(("tag",), tag, name=tag) for tag in opened[-1:]))


@source("request")
def earlier_calls(view: View) -> Iterator[Passage]:
    """The blocks of the model's earlier turns."""
    return map(_passage, history_texts(view, "assistant"))


@source("request")
def records(view: View) -> Iterator[Passage]:
    """The blocks of the user's turns with records of results."""
    return map(_passage, texts_with_records(view))


def texts_with_records(view: View) -> list[Text]:
    """The user's texts with records; in a raw prompt, the instructions may show one."""
    texts = history_texts(view, "user") if not is_raw(view.request) else ()
    return [part for part in texts if RECORD in part.text]


@source("request")
def history(view: View) -> Sequence[Passage]:
    """Both."""
    return (*earlier_calls.read(view), *records.read(view))


# The reply -----------------------------------------------------------------------------------------------------------
@source("reply")
def reply(view: View) -> Iterator[Passage]:
    """The replies; an incomplete block at the end of a truncated one is only a block."""
    for turn, part in reply_texts(view):
        yield _passage(part, cut=turn.stop in CUT)


def _passage(part: Text, *, cut: bool = False) -> Passage:
    return Passage(part.pointer, tuple(_spans(scan(part.text), cut=cut)), cut, part.text)


def _spans(pieces: Sequence[str | Block], *, cut: bool) -> Iterator[Span]:
    for piece in pieces:
        if isinstance(piece, Block):
            last = piece is pieces[-1]
            fault = read_block(piece).fault or ""
            yield Span(("block", *_kinds(piece, last=last, cut=cut)), piece.body, piece.raw, name=fault)
        else:
            kinds = (("text",) if piece.replace(CLOSE, "").strip() else ()) + (("orphan",) if CLOSE in piece else ())
            yield Span(kinds, piece)


def _kinds(block: Block, *, last: bool, cut: bool) -> Iterable[str]:
    if block.nested:
        yield "nested"
    elif not block.closed and not (last and cut):
        yield "open at the end" if last else "open"
    if not block.closed and cut:
        return
    reading = read_block(block)
    if isinstance(reading.json, Malformed):
        yield "no JSON"
    elif reading.fault:
        yield "no call"
    if reading.repaired:
        yield "repaired"
    if reading.call is not None and reading.wrapper not in (None, "function_call", "function"):
        yield "wrapped"
    if reading.call is not None and not isinstance(reading.call.arguments, dict):
        yield "untyped"
    if reading.record is not None:
        complete = isinstance(reading.record.get("name"), str) and {"arguments", "response"} <= reading.record.keys()
        yield from ("record",) if complete else ("record", "half a record")
    if OPEN in block.body or CLOSE in block.body:
        yield "tag inside"
