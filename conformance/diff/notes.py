"""Collects differences: each fact in the wording of its row, once for each exchange."""

from __future__ import annotations

from typing import Any

from conformance.diff.difference import Difference, Grade, Place
from conformance.diff.ids import Renaming, alike, scheme
from conformance.diff.places import Differing, is_renamed
from conformance.diff.row import Part, Row, Where
from conformance.diff.rows import FACTS, place_row
from conformance.model.finding import Side
from conformance.model.jsontext import brief_pair, kind
from conformance.model.pointer import MISSING, without_numbers

_LONGEST = 60


class Notes:
    """The differences in one pair of exchanges. `ids` is the mapping of the run's ids, over all its exchanges.

    `old_number` and `new_number` are the exchanges' numbers, None for notes about the whole run.
    """

    def __init__(self, ids: Renaming, old_number: int | None = None, new_number: int | None = None) -> None:
        self.ids = ids
        self.differences: list[Difference] = []
        self._numbers = old_number, new_number
        self._noted: set[tuple[Any, ...]] = set()
        self._renamed: set[tuple[str, str]] = set()
        self._one_sided: list[tuple[Difference, Differing]] = []

    def fact(
        self,
        row: str,
        side: Side | None = None,
        old_pointer: str | None = None,
        new_pointer: str | None = None,
        **words: Any,
    ) -> None:
        """Notes a fact that has its own row."""
        self._note(FACTS[row], side, old_pointer, new_pointer, words)

    def place(
        self,
        side: Side,
        found: Differing,
        *,
        part: Part = "body",
        streamed: bool = False,
        ok: bool = True,
        path: str | None = None,
    ) -> None:
        """Notes a place that differs, as the table grades it.

        `path` is what the place is called where that is not its pointer: its path in every event of one type.
        """
        name = found.pointer if path is None else path
        where = Where(without_numbers(name), found.how, side, part, streamed, ok)
        row = place_row(where)
        if row.is_covered:
            return
        if row.id in ("id", "error-id"):
            self.identifier(
                side, found.old, found.new, f"id at {name.strip('/')}", at=(found.old_pointer, found.new_pointer)
            )
            return
        if row.id == "model" and undated(str(found.old)) == undated(str(found.new)):
            row = FACTS["model-snapshot"]
        body = part == "body"
        old, new = _shown(found.old, found.new)
        words = {
            "what": name.strip("/").replace("*", "0") or "body",
            "old": old,
            "new": new,
            "old_kind": kind_of(found.old),
            "new_kind": kind_of(found.new),
        }
        before, after = (found.old_pointer, found.new_pointer) if body else (None, None)
        noted = self._note(row, side, before, after, words)
        if noted is not None and found.how in ("gone", "new") and row.grade is Grade.REVIEW:
            self._one_sided.append((noted, found))

    def join_renamed(self) -> None:
        """Makes one difference of a field that is gone and the new one of its object that took its place."""
        for gone, before in [each for each in self._one_sided if each[1].how == "gone"]:
            for new, after in [each for each in self._one_sided if each[1].how == "new"]:
                if new in self.differences and gone.side == new.side and is_renamed(before, after):
                    self.differences.remove(new)
                    words = {"what": gone.name, "new": new.name}
                    self.differences.remove(gone)
                    row = "field-renamed" if gone.side == "response" else "request-renamed"
                    self._note(FACTS[row], gone.side, gone.before.pointer, new.after.pointer, words)
                    break

    def identifier(self, side: Side, old: Any, new: Any, what: str, *, at: tuple[str | None, str | None]) -> None:
        """Notes two ids at the same place: renamed, in a different scheme, or with a different referent."""
        subject = {"what": f"the {what}"}
        old_pointer, new_pointer = at
        if not isinstance(old, str) or not isinstance(new, str):
            if kind(old) != kind(new):
                shown = _shown(old, new)
                self.fact("id-presence", side, old_pointer, new_pointer, old=shown[0], new=shown[1], **subject)
            return
        if (old, new) in self._renamed:
            return
        self._renamed.add((old, new))
        if not self.ids.consistent(old, new):
            wanted = self.ids.of(old)
            words = {"old": f"what is now {wanted}" if wanted != old else old, "new": new}
            self.fact("id-graph", side, old_pointer, new_pointer, **words, **subject)
        elif old != new and alike(old, new):
            self.fact("id-value", side, old_pointer, new_pointer, **subject)
        elif old != new:
            self.fact("id-scheme", side, old_pointer, new_pointer, old=scheme(old), new=scheme(new), **subject)

    def _note(
        self, row: Row, side: Side | None, old_pointer: str | None, new_pointer: str | None, words: dict[str, Any]
    ) -> Difference | None:
        message = row.words.format(**words)
        key = (row.id, side, message)
        if key in self._noted:
            return None
        self._noted.add(key)
        before, after = (
            Place(number, pointer) for number, pointer in zip(self._numbers, (old_pointer, new_pointer), strict=True)
        )
        name = str(words.get("what", ""))
        self.differences.append(Difference(row.id, row.grade, message, row.cite, side, before, after, name))
        return self.differences[-1]


def undated(model: str) -> str:
    """A model's name without the date or number of its snapshot."""
    import re

    return re.sub(r"[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d{4}|\d{3}|latest)$", "", model)


def _shown(*pair: Any) -> tuple[str, str]:
    """Two values as shown in messages: simple text unquoted, everything else as short JSON where they differ."""
    old, new = (None if value is MISSING else value for value in pair)
    texts = brief_pair(old, new, _LONGEST)
    one, other = (
        "absent" if value is MISSING else value if _is_simple(value) else text
        for value, text in zip(pair, texts, strict=True)
    )
    return one, other


def _is_simple(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and value.isascii() and value.isprintable() and len(value) <= _LONGEST


def kind_of(value: Any) -> str:
    """The JSON type of a value, with its article."""
    name = "absent" if value is MISSING else kind(value)
    return name if name in ("absent", "null", "nothing") else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
