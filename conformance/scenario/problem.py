"""A mistake in a scenario that its JSON Schema cannot express."""

from __future__ import annotations

from typing import NamedTuple

Steps = tuple[str | int, ...]


class Problem(NamedTuple):
    """Where it is, what is wrong, and what to write.

    `key` says that the key at the end of the steps is wrong, not its value; `word` is the part of a text that is.
    """

    steps: Steps
    message: str
    hint: str
    key: bool = False
    word: str | None = None
