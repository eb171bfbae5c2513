"""Whether a text looks as if it was drawn at random: a key does, a word, a date or the name of a model does not."""

from __future__ import annotations

import re

_LONGEST = 4096
_ENOUGH = 12
"""How many characters a text needs in runs that are long enough to be random."""
_RUN = re.compile(r"[A-Za-z0-9]{8,}")
"""The parts of `claude-sonnet-4-5` are shorter, those of a UUID are not."""
_TOKEN = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_\-.~+/=]+")
_CHANGE = re.compile(r"(?<=[0-9])[A-Za-z]|(?<=[A-Za-z])[0-9]|(?<=[a-z])[A-Z]")
"""Between letters and digits, and within a word from small letters to capitals."""
_FEW, _RARELY = 3, 10


def looks_random(text: str) -> bool:
    """Whether the text is one token in which letters, digits and cases change as often as chance lets them."""
    if not _ENOUGH <= len(text) <= _LONGEST or _TOKEN.fullmatch(text) is None:
        return False
    runs = _RUN.findall(text)
    size = sum(map(len, runs))
    return size >= _ENOUGH and sum(map(changes, runs)) >= max(_FEW, size / _RARELY)


def changes(text: str) -> int:
    """How often letters, digits and cases change in a text."""
    return len(_CHANGE.findall(text))
