"""Faults in the grammar of a text: tokens, tags or whole frames missing, doubled, misspelt or misplaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

from devtools.mutants.embedded_text import Span, Spot, spots
from devtools.mutants.operator import Fault, operator
from devtools.mutants.subject import Subject

_ROLE = re.compile(r"(?<=<\|im_start\|>)\w+|(?<=<\|start_header_id\|>)\w+")


def fault(spot: Spot, span: Span, new: str) -> Fault:
    """The fault of replacing a piece by other text."""
    return Fault(spot.side, f"{spot.place}@{span.start}", f"{spot.pattern}#{span.label}", spot.with_span(span, new))


def _tokens(subject: Subject, change: Callable[[str], str]) -> Iterator[Fault]:
    for spot in spots(subject):
        for span in spot.tokens():
            token = spot.text[span.start : span.end]
            if change(token) != token:
                yield fault(spot, span, change(token))


@operator("drop-token", inner=True)
def drop_token(subject: Subject) -> Iterator[Fault]:
    """A token or tag is missing."""
    yield from _tokens(subject, lambda _: "")


@operator("double-token", inner=True)
def double_token(subject: Subject) -> Iterator[Fault]:
    """A token or tag occurs twice."""
    yield from _tokens(subject, lambda token: token + token)


@operator("misspell-token", inner=True)
def misspell_token(subject: Subject) -> Iterator[Fault]:
    """A token without its bars, a tag or word without a letter, or an id without its number."""
    yield from _tokens(subject, misspelt)


def misspelt(token: str) -> str:
    """The token, misspelt in the way that is typical for its kind."""
    if token.startswith("<|"):
        return token.replace("|", "")
    return re.sub(r"(?<=[A-Za-z])(?:[a-z](?=[>:=])|\d+(?= =))", "", token, count=1)


@operator("swap-tokens", inner=True)
def swap_tokens(subject: Subject) -> Iterator[Fault]:
    """Two tokens of one turn are swapped."""
    for spot in spots(subject):
        for one, other in pairwise(spot.tokens()):
            first, second = spot.text[one.start : one.end], spot.text[other.start : other.end]
            if one.label.split("/")[0] == other.label.split("/")[0] and first != second:
                between = spot.text[one.end : other.start]
                both = Span(one.start, other.end, f"{one.label}~{other.label.split('/', 1)[1]}")
                yield fault(spot, both, second + between + first)


def _frames(subject: Subject) -> Iterator[tuple[Spot, list[Span]]]:
    for spot in spots(subject):
        frames = spot.frames()
        if len(frames) > 1:
            yield spot, frames


@operator("drop-frame", inner=True)
def drop_frame(subject: Subject) -> Iterator[Fault]:
    """A turn of a prompt, or a line of its form, is missing."""
    for spot, frames in _frames(subject):
        for span in frames:
            yield fault(spot, span, "")


@operator("double-frame", inner=True)
def double_frame(subject: Subject) -> Iterator[Fault]:
    """A turn of a prompt, or a line of its form, occurs twice."""
    for spot, frames in _frames(subject):
        for span in frames:
            text = spot.text[span.start : span.end]
            yield fault(spot, span, text + text)


@operator("swap-frames", inner=True)
def swap_frames(subject: Subject) -> Iterator[Fault]:
    """Two turns of a prompt, or two lines of its form, are swapped."""
    for spot, frames in _frames(subject):
        for one, other in pairwise(frames):
            first, second = spot.text[one.start : one.end], spot.text[other.start : other.end]
            yield fault(spot, Span(one.start, other.end, f"{one.label}~{other.label}"), second + first)


@operator("change-role", inner=True)
def change_role(subject: Subject) -> Iterator[Fault]:
    """A turn of a prompt names a role that the grammar does not have."""
    for spot, frames in _frames(subject):
        for frame in frames:
            found = _ROLE.search(spot.text, frame.start, frame.end)
            if found:
                yield fault(spot, Span(found.start(), found.end(), f"{frame.label}/role"), "tool_output")


@operator("other-end", inner=True)
def other_end(subject: Subject) -> Iterator[Fault]:
    """A turn ends with the other end token."""
    ends = {"<|eot_id|>": "<|eom_id|>", "<|eom_id|>": "<|eot_id|>"}
    for spot in spots(subject):
        for span in spot.tokens():
            token = spot.text[span.start : span.end]
            if token in ends:
                yield fault(spot, span, ends[token])


@operator("drop-break", inner=True)
def drop_break(subject: Subject) -> Iterator[Fault]:
    """The line end after a token or a tag is missing."""
    for spot in spots(subject):
        for span in spot.tokens():
            if spot.text[span.end : span.end + 1] == "\n":
                yield fault(spot, Span(span.end, span.end + 1, f"{span.label}/break"), "")


@operator("stray-words", inner=True)
def stray_words(subject: Subject) -> Iterator[Fault]:
    """There is text between two turns, or after a call."""
    for spot in spots(subject):
        frames = spot.frames()
        for frame in frames if len(frames) > 1 else ():
            yield fault(spot, Span(frame.start, frame.start, f"{frame.label}/before"), "And then: ")
        if spot.said and any(turn.calls for turn in subject.inner.replies):
            end = len(spot.text)
            made = partial(spot.rebuilt, f"{spot.text}\nI hope this helps.")
            yield Fault(spot.side, f"{spot.place}@{end}", f"{spot.pattern}#behind-call", made)
