"""The places where two JSON values differ, by deepdiff, with the pointers on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance.diff.row import How
from conformance.model.jsontext import kind, same
from conformance.model.pointer import MISSING, join


@dataclass(frozen=True, slots=True)
class Differing:
    """One place that differs. `old` or `new` is `MISSING` if that side has no value there."""

    how: How
    old_pointer: str
    new_pointer: str
    old: Any
    new: Any

    @property
    def pointer(self) -> str:
        """The pointer on the side that has something there."""
        return self.new_pointer if self.old is MISSING else self.old_pointer


def how(old: Any, new: Any) -> How:
    """In which way two values that are not the same differ."""
    if old is MISSING:
        return "new"
    if new is MISSING:
        return "gone"
    if (old is None) != (new is None):
        return "null"
    return "value" if kind(old) == kind(new) else "type"


def is_renamed(gone: Differing, new: Differing) -> bool:
    """Whether a new member of an object is the one that is gone: of the same type, with its value or a similar name."""
    (around, _, was), (beside, _, name) = gone.old_pointer.rpartition("/"), new.new_pointer.rpartition("/")
    if _TYPES.sub("", around) != _TYPES.sub("", beside) or kind(gone.old) != kind(new.new):
        return False
    return similar(was, name) or (bool(gone.old) and same(gone.old, new.new))


_TYPES = re.compile(r"(?<=^event/)\d+|\([^)]*\)")
"""Numbers of events and types of objects, which may differ between two streams."""
_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def similar(one: str, other: str) -> bool:
    """Whether two names share a word: `prompt_tokens` and `inputTokens`."""
    return bool({*map(str.lower, _WORD.findall(one))} & {*map(str.lower, _WORD.findall(other))})


def differing(old: Any, new: Any, *, aligned: bool = False) -> Iterator[Differing]:
    """The differing places of two JSON values, the highest that differs as a whole.

    With `aligned`, arrays are compared position by position; without, an item that was put in between moves the others.
    """
    if same(old, new):
        return
    from deepdiff import DeepDiff

    tree = DeepDiff(old, new, view="tree", verbose_level=2, threshold_to_diff_deeper=0, zip_ordered_iterables=aligned)
    for name in sorted(tree):
        for change in tree[name]:
            one = MISSING if name.endswith("_added") else change.t1
            other = MISSING if name.endswith("_removed") else change.t2
            if one is MISSING or other is MISSING or not same(one, other):
                before = join("", *change.path(output_format="list"))
                after = join("", *change.path(output_format="list", use_t2=True))
                yield Differing(how(one, other), before, after, one, other)
