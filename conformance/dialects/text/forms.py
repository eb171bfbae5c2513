"""Forms of rows about texts: what must hold of the spans of a passage."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance.dialects.text.rows import Form, Kinds, Passage, Source, Span, judged
from conformance.judge.rows import add_rule
from conformance.model.data_files import read_data
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief


def never(
    kinds: Kinds,
    message: str,
    expected: str,
    *,
    matching: str = "",
    after: Kinds = (),
    before: Kinds = (),
    right_after: Kinds = (),
    right_before: Kinds = (),
    severity: str = "",
) -> Form:
    """No span of the kinds is there; or none in which the pattern is found; or none in that place."""
    pattern = re.compile(matching)
    graded = Severity[severity.upper()] if severity else None

    def broken(passage: Passage) -> Hit | None:
        spans = passage.spans
        start = next((at + 1 for at, each in enumerate(spans) if each.is_any(after)), len(spans)) if after else 0
        end = max((at for at, each in enumerate(spans) if each.is_any(before)), default=0) if before else len(spans)
        for at in range(start, end):
            span = spans[at]
            if (
                span.is_any(kinds)
                and (not matching or (span.whole and pattern.search(span.text)))
                and (not right_after or any(each.is_any(right_after) for each in spans[max(at - 1, 0) : at]))
                and (not right_before or any(each.is_any(right_before) for each in spans[at + 1 : at + 2]))
            ):
                return _hit(passage, span, message, expected, graded)
        return None

    return broken


def closed(kind: str, message: str, expected: str) -> Form:
    """Each span of the kind has its end, unless the text was truncated in it."""

    def broken(passage: Passage) -> Hit | None:
        found = next((span for span in passage.all(kind) if span.whole and not span.closed), None)
        return None if found is None else _hit(passage, found, message, expected)

    return broken


def some(kinds: Kinds, message: str, expected: str, *, filled: Kinds = (), given: Kinds = ()) -> Form:
    """A span of one of the kinds is there, or of the kind `filled` with a text, unless the whole text was truncated.

    It need not be so unless there is one of the kind `given`.
    """

    def broken(passage: Passage) -> Hit | None:
        there = passage.all(kinds) or any(span.text.strip() for span in passage.all(filled))
        if passage.cut or there or (given and not passage.all(given)):
            return None
        return Hit(passage.pointer, message, expected, brief(passage.text) if passage.text else "nothing")

    return broken


def each_of(*kinds: str, message: str) -> Form:
    """Each of the kinds is there."""

    def broken(passage: Passage) -> Hit | None:
        missing = [kind for kind in kinds if not passage.all(kind)]
        return Hit(passage.pointer, message, ", ".join(missing), "none of them") if missing else None

    return broken


def at_most(count: int, kind: str, message: str) -> Form:
    """There are no more spans of a kind; `{}` in the message is how many there are."""

    def broken(passage: Passage) -> Hit | None:
        found = str(len(passage.all(kind)))
        return (
            Hit(passage.pointer, message.replace("{}", found), f"at most {count}", found)
            if int(found) > count
            else None
        )

    return broken


def followed(kind: str, by: str, message: str, *, among: Kinds = (), unless: Kinds = ()) -> Form:
    """Each span of a kind is right before one of another, but for one at the cut.

    Only spans of the kinds `among` count, or all; it need not be so if there is a span of the kind `unless`.
    """

    def broken(passage: Passage) -> Hit | None:
        spans = passage.all(among) if among else passage.spans
        last = spans[-1:] if not passage.cut else ()
        pairs = [*pairwise(spans), *((span, Span(())) for span in last)] if not passage.all(unless) else ()
        found = next((span for span, behind in pairs if span.is_any(kind) and not behind.is_any(by)), None)
        return None if found is None else _hit(passage, found, message, f"`{by}` after it")

    return broken


def preceded(kind: str, by: str, message: str, *, among: Kinds = ()) -> Form:
    """Each span of a kind is right after one of another; `among` as above."""

    def broken(passage: Passage) -> Hit | None:
        pairs = pairwise((Span(()), *(passage.all(among) if among else passage.spans)))
        found = next((span for before, span in pairs if span.is_any(kind) and not before.is_any(by)), None)
        return None if found is None else _hit(passage, found, message, f"`{by}` before it")

    return broken


def numbered(kind: str, name: str, message: str) -> Form:
    """The names of a kind are counted from 1 on, in order: `name` with the number in place of `{}`."""

    def broken(passage: Passage) -> Hit | None:
        names = list(dict.fromkeys(span.name for span in passage.all(kind)))
        wanted = [name.replace("{}", str(number)) for number in range(1, len(names) + 1)]
        return None if names == wanted else Hit(passage.pointer, message, ", ".join(wanted), ", ".join(names))

    return broken


def not_both(one: Kinds, other: Kinds, message: str, expected: str) -> Form:
    """Spans of one kind and spans of another one are not in the same text; the finding shows the other."""

    def broken(passage: Passage) -> Hit | None:
        found = passage.all(other) if passage.all(one) else ()
        return _hit(passage, found[0], message, expected) if found else None

    return broken


def follows(order: Mapping[str, Kinds], message: str, expected: str) -> Form:
    """Each span is of a kind that may follow the kind of the one before it, by the table `order`."""

    def broken(passage: Passage) -> Hit | None:
        for before, span in pairwise(passage.spans):
            if not span.is_any(order[before.kinds[0]]):
                return _hit(passage, span, f"{span.kinds[0]} follows {before.kinds[0]}: {message}", expected)
        return None

    return broken


def begins_with(kinds: Kinds, message: str, expected: str) -> Form:
    """The first span is of one of the kinds."""

    def broken(passage: Passage) -> Hit | None:
        found = next(iter(passage.spans), Span(()))
        return None if found.is_any(kinds) else _hit(passage, found, message, expected)

    return broken


def ends_with(kinds: Kinds, message: str, expected: str) -> Form:
    """The last span, if there is any, is of one of the kinds."""

    def broken(passage: Passage) -> Hit | None:
        found = next(reversed(passage.spans), None)
        return None if found is None or found.is_any(kinds) else _hit(passage, found, message, expected)

    return broken


def _hit(passage: Passage, span: Span, message: str, expected: str, severity: Severity | None = None) -> Hit:
    return Hit(passage.pointer, message.replace("{}", span.name), expected, span.shown, severity=severity)


FORMS: Mapping[str, Callable[..., Form]] = {
    each.__name__: each
    for each in (
        *(never, closed, some, each_of, at_most, not_both),
        *(followed, preceded, numbered, follows, begins_with, ends_with),
    )
}
"""The forms by their words in a row."""


def add_texts(file: str, home: str, sources: ModuleType) -> None:
    """Makes the rows of `texts.yaml`, beside a module's file, rules of the module. `sources` has what they read.

    A form is `name: [arguments]`; its further arguments are further keys.
    """
    for name, row in read_data(Path(file).with_name("texts.yaml")).items():
        read: Source = getattr(sources, row["reads"])
        given = {key: value for key, value in row.items() if key not in {"reads", "forms"}}
        add_rule(home, name, judged(read, [_form(**each) for each in row["forms"]]), scope=read.scope, **given)


def _form(**written: Any) -> Form:
    (name, first), *options = written.items()
    return FORMS[name](*(first if isinstance(first, list) else [first]), **dict(options))
