"""Ids: opaque, different in every recording, and yet the same id has to mean the same thing on both sides."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREFIX = re.compile(r"((?:[a-z]{2,12}[_-])+)(.+)", re.DOTALL)
_HEXADECIMAL = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_ENOUGH = 16
"""The least number of characters from which an id shows its alphabet."""
_PLAY = 3
"""By how many characters ids of one scheme differ in length (Gemini's response ids have 20 to 23)."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The scheme of ids: prefix, length and alphabet, which is empty if the id is too short."""

    prefix: str
    length: int
    alphabet: str

    def __str__(self) -> str:
        alphabet = f" ({self.alphabet})" if self.alphabet else ""
        return f"{self.prefix or 'no prefix'} + {self.length} characters{alphabet}"


def scheme(name: str) -> Scheme:
    """The scheme of an id, as far as one id shows it."""
    if _UUID.fullmatch(name):
        return Scheme("", len(name), "a UUID")
    found = _PREFIX.fullmatch(name)
    prefix, rest = (found[1], found[2]) if found else ("", name)
    if len(rest) < _ENOUGH:
        return Scheme(prefix, len(rest), "")
    return Scheme(prefix, len(rest), "hexadecimal" if _HEXADECIMAL.fullmatch(rest) else "letters and digits")


def alike(one: str, other: str) -> bool:
    """Whether two ids could come from one scheme."""
    ours, theirs = scheme(one), scheme(other)
    if bool(ours.prefix) != bool(theirs.prefix):
        # Random characters may look like a prefix on one side, and then the whole is as long as the other.
        return len(one) == len(other) and len(one) < len("chatcmpl-") + _ENOUGH
    same_alphabet = ours.alphabet == theirs.alphabet or not (ours.alphabet and theirs.alphabet)
    return ours.prefix == theirs.prefix and abs(ours.length - theirs.length) <= _PLAY and same_alphabet


class Renaming:
    """The mapping of the old recording's ids to the new one's, over a whole run."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def consistent(self, old: str, new: str) -> bool:
        """Learns that two ids correspond; False if one of them corresponds to another id already."""
        return self._new.setdefault(old, new) == new and self._old.setdefault(new, old) == old

    def known(self, old: str, new: str) -> bool:
        """Whether either of the two has been seen before."""
        return old in self._new or new in self._old

    def of(self, old: str) -> str:
        """The new name of an id of the old recording; the id itself if it is unknown."""
        return self._new.get(old, old)
