"""What counts as a secret, from `specs/secrets.yaml`: by its form, or by the name of its field."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal

from conformance.model.data_files import load_data
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy
from conformance.model.sized_cache import sized_cache

PLACEHOLDER = "REDACTED"
SHORTEST = 8
"""Shorter known secrets do not count: local servers accept `none`, `EMPTY` or `ollama` as a key."""

Holder = Literal["secret", "session"]
HeaderHolder = Literal["credential", "identity", "session", "trace"]


@dataclass(frozen=True)
class Kind:
    """One form of secret. `description` is how messages name it, `stand_in` is its replacement.
    `gated` is whether the last check looks for it, `many_lines` whether it is usually written in many lines.
    """

    name: str
    description: str
    expression: str
    hints: tuple[str, ...]
    stand_in: str
    gated: bool
    many_lines: bool

    @lazy
    def pattern(self) -> re.Pattern[str]:
        """The expression, compiled: most texts have no kind's hint."""
        return re.compile(self.expression)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The span of the secret in the text, without its prefix."""
        group = 1 if self.pattern.groups else 0
        for found in self.pattern.finditer(text):
            if not is_placeholder(found[group]):
                yield found.span(group)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind, in the order of the file."""
    return tuple(
        Kind(
            entry["kind"],
            entry["description"],
            entry["pattern"],
            tuple(entry["hints"]),
            entry.get("stand_in", PLACEHOLDER),
            entry.get("gated", True),
            entry.get("many_lines", False),
        )
        for entry in _table()["kinds"]
    )


def kinds_in(text: str) -> list[Kind]:
    """The kinds that may be in the text: those with a hint in it. Most texts have none."""
    hints, by_hint = _hints()
    if hints.search(text) is None:
        return []
    there = {name for hint, names in by_hint.items() if hint in text for name in names}
    return [kind for kind in kinds() if kind.name in there]


@cache
def _hints() -> tuple[re.Pattern[str], Mapping[str, Sequence[str]]]:
    by_hint: dict[str, list[str]] = {}
    for kind in kinds():
        for hint in kind.hints:
            by_hint.setdefault(hint, []).append(kind.name)
    return re.compile(_any_of(by_hint)), by_hint


def _any_of(words: Iterable[str]) -> str:
    """An expression that matches where one of the words begins; it compares each character with few of them."""
    tails: dict[str, list[str]] = {}
    for word in words:
        tails.setdefault(word[0], []).append(word[1:])
    branches = (re.escape(first) + ("" if "" in rest else _any_of(rest)) for first, rest in tails.items())
    return f"(?:{'|'.join(branches)})"


def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = load_data("secrets.yaml")
    return table


def _plain(name: str) -> str:
    return re.sub(r"[-_. ]", "", name).lower()


@sized_cache(4096, long=256)
def field_holder(name: str) -> Holder | None:
    """The kind of secret in a JSON field of this name; None if the name is not enough."""
    fields, plain = _table()["fields"], _plain(name)
    if plain in fields["session"] or plain.endswith(tuple(fields["session"])):
        return "session"
    return "secret" if plain in fields["secret"] or plain.endswith(tuple(fields["ends"])) else None


@sized_cache(4096, long=256)
def field_looks(name: str) -> re.Pattern[str] | None:
    """The form of a secret in a field of this name, if the name has other meanings too."""
    looks = _table()["fields"]["looks"].get(_plain(name))
    return re.compile(looks) if looks else None


def held(path: Sequence[str | int], value: str) -> Holder | None:
    """The kind of a JSON string by the names above it; a name applies to the items of its list."""
    names = [each for each in path if isinstance(each, str)]
    if not names or is_placeholder(value):
        return None
    holder = field_holder(names[-1])
    if holder is None:
        looks = field_looks(names[-1])
        holder = "secret" if looks is not None and looks.fullmatch(value) else None
    above, (not_below, text_below, text_looks) = set(names[:-1]), _exceptions()
    if holder is None or above & not_below or (above & text_below and not text_looks.fullmatch(value)):
        return None
    return holder


@cache
def _exceptions() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    fields = _table()["fields"]
    return frozenset(fields["not_below"]), frozenset(fields["text_below"]), re.compile(fields["text_looks"])


@sized_cache(4096, long=256)
def header_holder(name: str) -> HeaderHolder | None:
    """The kind of secret in a header field of this name."""
    headers, name = _table()["headers"], name.lower()
    for holder in ("credential", "identity", "session", "trace"):
        if name in headers[holder]:
            return holder
    words = f"-{name.replace('_', '-')}-"
    if any(f"-{part}-" in words or part in words for part in headers["except"]):
        return None
    if "-session-id-" in words:
        return "session"
    return "credential" if any(f"-{part}-" in words for part in headers["parts"]) else None


def query_holder(name: str, value: str) -> Holder | None:
    """The kind of secret in a query parameter of this name; some names decide only together with the value."""
    looks, holder = _query(name)
    return holder if looks is None or looks.fullmatch(value) else None


@sized_cache(4096, long=256)
def _query(name: str) -> tuple[re.Pattern[str] | None, Holder | None]:
    """The form that a parameter of this name has if it is a secret, if that is needed, and its kind then."""
    query, plain = _table()["query"], _plain(name)
    looks = query["looks"].get(plain)
    if looks is not None:
        return re.compile(looks), "secret"
    if plain in query["session"]:
        return None, "session"
    return None, "secret" if plain in query["secret"] else None


def is_placeholder(value: str) -> bool:
    """Whether the value is a placeholder of a secret: REDACTED, `<key>`, `${KEY}`, `***`."""
    return len(value) < 256 and _is_placeholder(value)


@lru_cache(maxsize=4096)
def _is_placeholder(value: str) -> bool:
    return _placeholder().fullmatch(value) is not None


@cache
def _placeholder() -> re.Pattern[str]:
    return re.compile(_table()["placeholders"])


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
