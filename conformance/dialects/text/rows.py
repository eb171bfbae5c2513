"""Rows about texts: what must hold of the pieces of a text, each row of `texts.yaml` a rule without code of its own.

A source reads an exchange into passages: texts that are split into spans, each with the kinds of what it is. A form
finds the first place in a passage that breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from conformance.judge.rule import Judge, Scope
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief

Kinds = str | Sequence[str]
"""A kind of spans, or several of which any will do."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text. `kinds`: what it is, in the words of its reader, one or several.

    Patterns match `text`; findings show `raw`, the same if empty, and `name` in place of `{}`. `closed` is whether it
    has its end; `whole` is False for a piece in which the whole text was truncated.
    """

    kinds: tuple[str, ...]
    text: str = ""
    raw: str = ""
    name: str = ""
    closed: bool = True
    whole: bool = True

    @property
    def shown(self) -> str:
        shown = self.raw or self.text
        return brief(shown.strip() or shown)

    def is_any(self, kinds: Kinds) -> bool:
        """Whether it is of the kind, or of one of the kinds."""
        return kinds in self.kinds if isinstance(kinds, str) else any(each in self.kinds for each in kinds)


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with its place. `cut` is whether it was truncated, so that what is missing may have followed."""

    pointer: str
    spans: tuple[Span, ...]
    cut: bool = False
    text: str = ""

    def all(self, kinds: Kinds) -> Sequence[Span]:
        """The spans of the kind, or of one of the kinds."""
        return [span for span in self.spans if span.is_any(kinds)]


@dataclass(frozen=True, slots=True)
class Source:
    """What a row reads: the passages of an exchange, and the scope of a rule that reads them."""

    scope: Scope
    read: Callable[[View], Sequence[Passage]]


def source(scope: Scope) -> Callable[[Callable[[View], Iterable[Passage]]], Source]:
    """Makes a function that reads passages a source. The rows of one exchange read it once."""

    def made(read: Callable[[View], Iterable[Passage]]) -> Source:
        @lru_cache(maxsize=1)
        def passages(view: View) -> Sequence[Passage]:
            return tuple(read(view))

        return Source(scope, passages)

    return made


Form = Callable[[Passage], Hit | None]
"""What must hold of a passage; it returns the first place that breaks it."""


def judged(read: Source, forms: Sequence[Form]) -> Judge:
    """What judges the passages of a source: one finding for each, of the first form that it breaks."""

    def judge(view: View) -> Iterator[Hit]:
        for passage in read.read(view):
            hit = next(filter(None, (form(passage) for form in forms)), None)
            if hit is not None:
                yield hit

    return judge
