"""A stream sends a text in pieces: a secret cut into several is found by joining the pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from conformance.cassette.jsonspans import Edit, Leaf, Path
from conformance.model.frozen import dataclass

_IDENTIFYING = ("index", "item_id", "output_index", "content_index", "summary_index", "choice_index", "type")
"""The fields of an event that identify the text of a piece."""


@dataclass(frozen=True, slots=True)
class Joined:
    """One text from the pieces; each piece has the offset of its event in the body."""

    pieces: Sequence[tuple[int, Leaf]]

    @property
    def path(self) -> Path:
        return self.pieces[0][1].path

    @property
    def text(self) -> str:
        return "".join(leaf.value for _, leaf in self.pieces)

    def split(self, edits: Iterable[Edit]) -> list[Edit]:
        """Edits of the text as edits of the body: the first piece gets the replacement, the others lose their part."""
        made = []
        for edit in edits:
            parts = []
            begin = 0
            for offset, leaf in self.pieces:
                size = len(leaf.value)
                start, end = max(edit.start - begin, 0), min(edit.end - begin, size)
                if start < end:
                    first, last = leaf.place(start, end)
                    parts.append((offset + first, offset + last))
                begin += size
            if parts:
                made += [Edit(start, end, edit.new if not number else "") for number, (start, end) in enumerate(parts)]
        return made


def joined(lines: Iterable[tuple[int, Sequence[Leaf]]]) -> Iterator[Joined]:
    """The texts that the events of a stream send: the leaves of each line of JSON, with its offset in the body."""
    texts: dict[tuple[object, ...], list[tuple[int, Leaf]]] = {}
    for offset, found in lines:
        values = {leaf.path: leaf.raw for leaf in found if leaf.kind != "key"}
        known: dict[Path, tuple[str | None, ...]] = {}
        for leaf in found:
            if leaf.kind == "string" and leaf.raw:
                holder = leaf.path[:-1]
                apart = known.get(holder)
                if apart is None:
                    above = [leaf.path[:size] for size in range(len(leaf.path))]
                    apart = known[holder] = tuple(values.get((*path, name)) for path in above for name in _IDENTIFYING)
                texts.setdefault((leaf.path, *apart), []).append((offset, leaf))
    for pieces in texts.values():
        if len({leaf.raw for _, leaf in pieces}) > 1:
            yield Joined(pieces)


def plain(fields: Iterable[tuple[str, int, str]]) -> Iterator[Joined]:
    """The lines of each field that are not JSON, and the comments, each as one text: field, offset and line."""
    texts: dict[str, list[tuple[int, Leaf]]] = {}
    for name, offset, line in fields:
        if line and (not name or line[0] not in "{["):
            texts.setdefault(name, []).append((offset, Leaf((), 0, len(line), line, "word")))
    for pieces in texts.values():
        if len(pieces) > 1:
            yield Joined(pieces)
