"""Faults of a body as text: truncated, broken, empty, with text after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from conformance.model.exchange import Exchange
from devtools.mutants.operator import Fault, operator
from devtools.mutants.operators.members import put
from devtools.mutants.subject import Subject, text_of
from devtools.mutants.tree import MutantSide

_Side = tuple[MutantSide, str, Callable[[str], Exchange]]


def _sides(subject: Subject) -> Iterator[_Side]:
    if subject.request_json is not None:
        yield "request", _text(subject.exchange.request.body.text, subject.request_json), subject.with_request_text
    if subject.response_json is not None:
        yield "response", _text(subject.exchange.response.body.text, subject.response_json), subject.with_response_text


def _text(text: str | None, value: object) -> str:
    return text_of(value) if text is None else text


def _changed(subject: Subject, change: Callable[[str], str]) -> Iterator[Fault]:
    for side, text, rebuilt in _sides(subject):
        yield Fault(side, "body", "body", partial(rebuilt, change(text)))


@operator("cut-body")
def cut_body(subject: Subject) -> Iterator[Fault]:
    """The body is cut off in the middle."""
    yield from _changed(subject, lambda text: text[: len(text) // 2])


@operator("break-body")
def break_body(subject: Subject) -> Iterator[Fault]:
    """The last bracket of the body is missing."""
    yield from _changed(subject, lambda text: text.rstrip()[:-1])


@operator("comma-body")
def comma_body(subject: Subject) -> Iterator[Fault]:
    """The body has a comma before its last bracket."""
    yield from _changed(subject, lambda text: f"{text.rstrip()[:-1]},{text.rstrip()[-1]}")


@operator("quote-body")
def quote_body(subject: Subject) -> Iterator[Fault]:
    """The body is written with the quotes of a Python literal."""
    yield from _changed(subject, lambda text: text.replace('"', "'"))


@operator("trail-body")
def trail_body(subject: Subject) -> Iterator[Fault]:
    """There is text after the body."""
    yield from _changed(subject, lambda text: f"{text}\nOK")


@operator("empty-body")
def empty_body(subject: Subject) -> Iterator[Fault]:
    """There is no body."""
    yield from _changed(subject, lambda _: "")


@operator("nan")
def nan(subject: Subject) -> Iterator[Fault]:
    """A number is NaN, which is not JSON."""
    for node in subject.nodes:
        if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            yield put(node, float("nan"))
