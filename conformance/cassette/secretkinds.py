"""What counts as a secret by its form, from `specs/secrets.yaml`, and the secrets of this process."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from conformance.cassette.randomness import looks_random
from conformance.model.data_files import load_data
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy

PLACEHOLDER = "REDACTED"
SHORTEST = 8
"""Shorter known secrets do not count: local servers accept `none`, `EMPTY` or `ollama` as a key."""
_MUCH = 1 << 16
"""From so many characters on, in all texts, one expression of all hints is worth the time to compile it."""
_EACH = 32
"""As so many characters more counts each text: to look for each hint in a short one takes as long."""


@dataclass(frozen=True)
class Kind:
    """One form of secret. `description` is how messages name it, `stand_in` is its replacement.
    `gated` is whether the last check looks for it, `many_lines` whether it is usually written in many lines, `random`
    whether what follows its hint has to look random too.
    """

    name: str
    description: str
    expression: str
    hints: tuple[str, ...]
    stand_in: str
    gated: bool
    many_lines: bool
    random: bool = False

    @lazy
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled: most texts have no kind's hint."""
        return re.compile(self.expression)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The span of the secret in the text, without its prefix."""
        group = 1 if self.pattern.groups else 0
        for found in self.pattern.finditer(text):
            value = found[group]
            if not is_placeholder(value) and (not self.random or looks_random(value.removeprefix(self.hints[0]))):
                yield found.span(group)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind, in the order of the file; the last ones have no more than a prefix."""
    known = (
        Kind(
            entry["kind"],
            entry["description"],
            entry["pattern"],
            tuple(entry["hints"]),
            entry.get("stand_in", PLACEHOLDER),
            entry.get("gated", True),
            entry.get("many_lines", False),
        )
        for entry in table()["kinds"]
    )
    return (*known, *map(_prefixed, table()["prefixes"]))


def _prefixed(prefix: str) -> Kind:
    expression = rf"(?<![A-Za-z0-9]){re.escape(prefix)}[A-Za-z0-9_\-.+/=|]{{16,}}"
    return Kind(f"{prefix}…", "the key of a service", expression, (prefix,), PLACEHOLDER, True, False, random=True)


_searched = 0
"""The characters of all texts until now."""


def kinds_in(text: str) -> list[Kind]:
    """The kinds that may be in the text: those with a hint in it. Most texts have none."""
    global _searched  # noqa: PLW0603 - of this process, as is the compiled expression
    _searched += _EACH + len(text)
    if _searched > _MUCH and _any_hint().search(text) is None:
        return []
    there = {name for hint, names in _by_hint().items() if hint in text for name in names}
    return [kind for kind in kinds() if kind.name in there]


@cache
def _by_hint() -> Mapping[str, Sequence[str]]:
    """The names of the kinds that have a hint."""
    by_hint: dict[str, list[str]] = {}
    for kind in kinds():
        for hint in kind.hints:
            by_hint.setdefault(hint, []).append(kind.name)
    return by_hint


@cache
def _any_hint() -> re.Pattern[str]:
    return re.compile(_any_of(_by_hint()))


def _any_of(words: Iterable[str]) -> str:
    """An expression that matches where one of the words begins; it compares each character with few of them."""
    tails: dict[str, list[str]] = {}
    for word in words:
        tails.setdefault(word[0], []).append(word[1:])
    branches = (re.escape(first) + ("" if "" in rest else _any_of(rest)) for first, rest in tails.items())
    return f"(?:{'|'.join(branches)})"


def table() -> Mapping[str, Any]:
    """What `specs/secrets.yaml` contains."""
    found: Mapping[str, Any] = load_data("secrets.yaml")
    return found


def is_placeholder(value: str) -> bool:
    """Whether the value is a placeholder of a secret: REDACTED, `<key>`, `${KEY}`, `***`."""
    return len(value) < 256 and _is_placeholder(value)


@lru_cache(maxsize=4096)
def _is_placeholder(value: str) -> bool:
    return _placeholder().fullmatch(value) is not None


@cache
def _placeholder() -> re.Pattern[str]:
    return re.compile(table()["placeholders"])


_REMEMBERED: set[str] = set()
_NAMES = re.compile(r"(?i)(?:api_?key|_token|_secret|password|passwd|secret_key|access_key|access_key_id|private_key)$")


def remember(secret: str) -> None:
    """Makes a secret known to whatever this process writes: the key of the endpoint in use."""
    if len(secret) >= SHORTEST:
        _REMEMBERED.add(secret)


def known_secrets() -> frozenset[str]:
    """The secrets of this process: those in use, and those in its environment."""
    return frozenset(_REMEMBERED) | {
        value
        for name, value in os.environ.items()
        if len(value) >= 2 * SHORTEST
        and _NAMES.search(name)
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not value.startswith(("/", "~", "."))
        and not is_placeholder(value)
    }
