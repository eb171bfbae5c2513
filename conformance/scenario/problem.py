"""A mistake in a scenario that its JSON Schema cannot express."""

from __future__ import annotations

from typing import NamedTuple

Steps = tuple[str | int, ...]


class Problem(NamedTuple):
    """The place, what is wrong, and what to write.

    `key` is whether the key at the end of the steps is wrong, not its value; `word` is the wrong part of a text.
    """

    steps: Steps
    message: str
    hint: str
    key: bool = False
    word: str | None = None
