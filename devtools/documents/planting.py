"""A fault, and the body with it."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any

from conformance.model.pointer import split

ABSENT = object()
"""In place of a value: the field is taken away."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its kind, the place, the value that is put there, or ABSENT.

    `sample` is the value that the documents allow there, where the place itself is new and the fault lies within it.
    """

    kind: str
    pointer: str
    value: Any
    sample: Any = ABSENT

    @property
    def place(self) -> str:
        """The place, whichever item it is."""
        return re.sub(r"/\d+(?=/|$)", "/*", self.pointer)

    def put(self, body: Any) -> Any:
        """The body with the fault."""
        return planted(body, self.pointer, self.value)

    def twin(self, body: Any) -> Any:
        """The body with the new field as the documents have it; the body itself where the field was there before."""
        return body if self.sample is ABSENT else planted(body, self.pointer, self.sample)


def planted(body: Any, pointer: str, value: Any) -> Any:
    """A copy of a body with another value at one place."""
    if not pointer:
        return value
    found = copy.deepcopy(body)
    *path, last = split(pointer)
    holder = found
    for token in path:
        holder = holder[int(token)] if isinstance(holder, list) else holder[token]
    if value is ABSENT:
        del holder[last]
    elif isinstance(holder, list):
        holder[int(last)] = value
    else:
        holder[last] = value
    return found
