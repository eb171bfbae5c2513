"""The interface of a format of recordings: how it is detected, and how its exchanges are read.

Each module of `conformance.inputs.formats` defines one as `FORMAT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import IO, Any, Final

from conformance.model.exchange import Exchange, Lack
from conformance.model.frozen import dataclass

MESSAGES_ONLY: Final[frozenset[Lack]] = frozenset({"headers", "status", "members"})
"""What the logs of tools lack that write the messages of a call, not its HTTP exchange."""


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a file: the document, or one line of JSON Lines. `source` is the file, for a line with `:LINE`."""

    value: Any
    source: str


@dataclass(frozen=True, slots=True)
class Together:
    """For a format whose exchanges are divided into several files: the request in one, the response in another.

    Attributes:
        groups: Which of the files in one folder belong together; each file is in at most one group.
        read: The exchanges of the files of one group.
    """

    groups: Callable[[Sequence[str]], list[tuple[str, ...]]]
    read: Callable[[Sequence[str]], Iterator[Exchange]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of recordings.

    Attributes:
        name: Its name for `--from`.
        title: What the format is, in a few words.
        detect: Whether the first value of a file (its JSON or YAML document, or its first line of JSON Lines) is of
            this format. It must accept any value.
        read: The exchanges of the values, lazily; the second argument is the path, the group of the exchanges of one
            run. Values of another form are skipped if a file may contain them, and are refused with a
            `ConformanceError` if not.
        detect_bytes: The same by the first bytes, for files that are neither JSON nor YAML.
        read_bytes: The exchanges of a stream of such bytes.
        together: For exchanges that are divided into several files.
        suffixes: Additional endings of the names of files that are read in a folder.
        lacks: What its recordings never contain. A single recording may lack more, and says so by itself.
        fallback: Whether another format that detects the same value takes precedence.
    """

    name: str
    title: str
    detect: Callable[[Any], bool] = lambda _: False
    read: Callable[[Iterable[Record], str], Iterator[Exchange]] | None = None
    detect_bytes: Callable[[bytes], bool] = lambda _: False
    read_bytes: Callable[[IO[bytes], str], Iterator[Exchange]] | None = None
    together: Together | None = None
    suffixes: tuple[str, ...] = ()
    lacks: frozenset[Lack] = frozenset()
    fallback: bool = False

    def contained(self, exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
        """The exchanges, each with what this format lacks."""
        for each in exchanges:
            yield each if self.lacks <= each.lacks else replace(each, lacks=each.lacks | self.lacks)
