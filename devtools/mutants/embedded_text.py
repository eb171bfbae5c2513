"""Spots: the texts that contain another dialect, each with the pieces of its grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from conformance.dialects.text.reading import CUT
from conformance.dialects.text.scan import value_end
from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.model.transcript import Malformed, Text
from devtools.mutants.subject import Subject
from devtools.mutants.tree import MutantSide, Node

_FRAME = re.compile(r"<\|im_start\|>(?P<chatml>\w+)\n|<\|start_header_id\|>(?P<llama>\w+)<\|end_header_id\|>\n\n")
_BEGIN = "\nBegin!"
"""The line between the explanation of the format and the conversation itself."""
_TOKEN = re.compile(r"<\|[a-z_]+\|>|</?[A-Za-z_]+(?:=[^<>\s]*)?>")
_TOKEN_NAME = re.compile(r"=[^<>]*(?=>)")
_BLOCK = re.compile(r"<[A-Za-z_]+(?:=[^<>\s]*)?>|<\|python_tag\|>|function_call_record")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text: where it is, and its kind."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Spot:
    """One text of an exchange. `said`: the model wrote it as a reply; `rebuilt` puts another text there.

    `marks` matches the beginning of a line of its grammar; None for a grammar of tags or tokens. `end` is where the
    last of these lines ends.
    """

    side: MutantSide
    place: str
    pattern: str
    text: str
    role: str
    said: bool
    rebuilt: Callable[[str], Exchange]
    marks: re.Pattern[str] | None = None
    end: int | None = None

    def with_span(self, span: Span, new: str) -> Callable[[], Exchange]:
        """The exchange with other text in place of a piece."""
        return partial(self.rebuilt, self.text[: span.start] + new + self.text[span.end :])

    def frames(self) -> list[Span]:
        """The turns or lines of the text; a single one if it is not divided."""
        starts = [(match.start(), _kind(match)) for match in _FRAME.finditer(self.text)]
        end = len(self.text) if self.end is None else self.end
        if not starts and self.marks is not None:
            begin = max(self.text.find(_BEGIN), 0)
            starts = [(match.start(), match[0].rstrip(" :=")) for match in self.marks.finditer(self.text, begin, end)]
            if begin and not starts:
                return [Span(begin, len(self.text), self.role)]
        if not starts:
            return [Span(0, len(self.text), self._label(self.role, self.text))]
        ends = [start for start, _ in starts[1:]] + [end]
        return [
            Span(start, end, self._label(role, self.text[start:end]))
            for (start, role), end in zip(starts, ends, strict=True)
        ]

    def tokens(self) -> Iterator[Span]:
        """The tokens and tags of the grammar, without quoted ones: inside JSON, or in the system's explanation."""
        quoted = [span for span, _ in self.values()]
        lines = self.marks is not None and self.marks.search(self.text) and not _FRAME.search(self.text)
        pattern = self.marks if self.marks is not None and lines else _TOKEN
        for frame in self.frames():
            for match in pattern.finditer(self.text, frame.start, frame.end):
                explained = frame.label.startswith("system") and not match[0].startswith("<|")
                if explained and not self._alone(match.start(), match.end()):
                    continue
                if any(span.start < match.start() < span.end for span in quoted):
                    continue
                yield Span(match.start(), match.end(), f"{frame.label}/{_TOKEN_NAME.sub('=', match[0])}")

    def values(self) -> Iterator[tuple[Span, Any]]:
        """The JSON objects and arrays in the text that parse, each with its value."""
        for frame in self.frames():
            place = frame.start
            while (place := _opening(self.text, place)) < frame.end:
                end = value_end(self.text, place)
                value = Malformed("", "") if end is None else jsontext.parse(self.text[place:end])
                if end is None or isinstance(value, Malformed) or not value:
                    place += 1
                    continue
                yield Span(place, end, f"{frame.label}/json"), value
                place = end

    def _alone(self, start: int, end: int) -> bool:
        return self.text[:start].endswith("\n") and self.text[end : end + 1] in ("", "\n")

    def _label(self, role: str, body: str) -> str:
        tags = [tag for tag in _BLOCK.findall(body) if tag != "<think>"]
        return role if role == "system" or not tags else f"{role}{_TOKEN_NAME.sub('=', tags[0])}"


def _kind(match: re.Match[str]) -> str:
    return match["chatml"] or match["llama"]


def _opening(text: str, place: int) -> int:
    """The index of the next bracket; the end of the text if there is none."""
    found = [at for at in (text.find("{", place), text.find("[", place)) if at >= 0]
    return min(found, default=len(text))


def spots(subject: Subject) -> Iterator[Spot]:
    """The texts of an exchange that contain the inner dialect."""
    nodes = {node.place: node for node in subject.nodes}
    for turn in subject.view.ask.history:
        for part in turn.parts:
            node = nodes.get(part.pointer)
            if isinstance(part, Text) and node is not None and node.tree.side == "request":
                yield _spot(subject, node, part.text, turn.role, said=False)
    if subject.blocks:
        yield from _streamed(subject, nodes)
        return
    for turn in subject.view.replies:
        for part in turn.parts:
            node = nodes.get(part.pointer)
            if isinstance(part, Text) and node is not None and node.tree.side == "response":
                spot = _spot(subject, node, part.text, "reply", said=True)
                yield from [spot] if turn.stop not in CUT else _whole_lines(spot)


def _spot(subject: Subject, node: Node, text: str, role: str, *, said: bool) -> Spot:
    return Spot(
        node.tree.side, node.place, node.pattern, text, role, said, node.put, _marks(subject), _end(subject, text)
    )


def _marks(subject: Subject) -> re.Pattern[str] | None:
    marks = subject.layers[-1].line_marks
    return None if marks is None else re.compile(rf"^(?:{marks})", re.MULTILINE)


def _end(subject: Subject, text: str) -> int | None:
    """The end of the lines of the grammar; None if nothing follows them. Of several matches the last counts."""
    end = subject.layers[-1].line_end
    return None if end is None else max((match.start() for match in re.finditer(end, text)), default=None)


def _streamed(subject: Subject, nodes: dict[str, Node]) -> Iterator[Spot]:
    moments = [
        moment
        for moment in subject.view.dialect.readers.stream_events(subject.view.events or ())
        if moment.kind == "text"
    ]
    pieces = [nodes[moment.pointer] for moment in moments if moment.pointer in nodes]
    if pieces:
        text = "".join(node.value for node in pieces)
        spot = Spot(
            "stream",
            "stream",
            "stream",
            text,
            "reply",
            said=True,
            rebuilt=partial(_recut, subject, pieces),
            marks=_marks(subject),
        )
        cut = any(turn.stop in CUT for turn in subject.view.replies)
        yield from [spot] if not cut else _whole_lines(spot)


def _whole_lines(spot: Spot) -> Iterator[Spot]:
    """A cut-off reply, up to its last complete line. Not one with a single line of the grammar: that may be prose."""
    if spot.marks is None:
        yield spot
        return
    end = spot.text.rfind("\n") + 1
    if len(spot.marks.findall(spot.text, 0, end)) > 1:
        yield replace(spot, end=end if spot.end is None else min(end, spot.end))


def _recut(subject: Subject, pieces: Sequence[Node], text: str) -> Exchange:
    """The stream with another text, split where the old one was split; the last piece gets the rest."""
    texts = [block.text for block in subject.blocks]
    places = {block.event.pointer: number for number, block in enumerate(subject.blocks) if block.event is not None}
    for number, node in enumerate(pieces):
        piece = text if number == len(pieces) - 1 else text[: len(node.value)]
        text = text[len(piece) :]
        place = places[node.tree.place]
        texts[place] = Subject(node.put(piece)).blocks[place].text
    return subject.with_blocks(texts)


def dumped(value: Any) -> str:
    """A JSON value as the prompts write it."""
    return json.dumps(value, ensure_ascii=False)
