"""A cause as lines of text, in one of three lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, visible
from conformance.model.source import split_source
from conformance.report.causes import Block, Cause, Causes, how_often

if TYPE_CHECKING:
    from conformance.report.excerpt import Excerpt

Field = tuple[str, str]
"""The name of a line, and its text; a line that continues the field above has no name."""

WIDTH = 160
_SIDES = {"request": ">", "response": "<"}


def full(block: Block, causes: Causes) -> Iterator[Field]:
    """Everything about a cause: place, message, wire, rule, fix, and the rules that follow from it."""
    cause = block.cause
    yield "found", cause.message
    yield "at", at(cause)
    if cause.files > 1:
        yield "also in", also_in(cause, causes)
    if cause.excerpt is not None:
        yield from (("wire" if number == 0 else "", text) for number, text in enumerate(wire(cause.excerpt)))
    yield from (
        (name, text)
        for name, text in (("expected", cause.first.expected), ("actual", cause.first.actual))
        if text is not None
    )
    if cause.holds is not None:
        yield "rule", cause.holds
    if cause.first.fix is not None:
        yield "change", cause.first.fix
    if cause.first.cite is not None:
        yield "source", cause.first.cite
    if block.follow:
        yield "follows", follows(block)


def compact(block: Block) -> Iterator[Field]:
    """The message, what to change (without advice, the place), and the rules that follow from it."""
    cause = block.cause
    yield "found", cause.message
    yield ("change", cause.first.fix) if cause.first.fix is not None else ("at", at(cause))
    if block.follow:
        yield "follows", follows(block)


def at(cause: Cause) -> str:
    """The first place of a cause: `trip.yaml exchange 2 /messages/1 (openai-chat)`."""
    first = cause.first
    dialects = f" ({', '.join(cause.dialects)})" if cause.dialects else ""
    labels = [f"id {first.id}"] * (first.id is not None)
    labels += [f"conversation {first.conversation}"] * (first.conversation is not None)
    return ", ".join(filter(None, (f"{source_of(first)}{dialects}".strip(), *labels)))


def source_of(finding: Finding) -> str:
    """The file and the exchange; a line of exchange JSONL is the exchange."""
    line = split_source(finding.source)[1]
    number = "" if finding.exchange is None or line is not None else f"exchange {finding.exchange}"
    pointer = finding.pointer or ""
    numbered = pointer if any(token.isdecimal() for token in pointer.split("/")) else ""
    return " ".join(filter(None, (finding.source, number, numbered)))


def also_in(cause: Cause, causes: Causes) -> str:
    """How many more files it is in, and the names of the next ones."""
    more = " …" if cause.files > len(cause.names) else ""
    return f"{count(cause.files - 1, f'more {causes.unit}')}: {', '.join(cause.names[1:])}{more}"


def wire(excerpt: Excerpt) -> Iterator[str]:
    """The lines of an excerpt; the marked one begins with an arrow."""
    yield f"{_SIDES[excerpt.side]} {excerpt.head}"
    for text, marked in excerpt.lines:
        yield f"{'->' if marked else '  '} {text}"


def follows(block: Block) -> str:
    """The rules whose findings this cause explains: how many, and their severity where it is what the cause weighs."""
    numbers: Counter[tuple[str, Severity]] = Counter()
    for cause in block.follow:
        numbers[cause.rule, cause.severity] += cause.count
    return ", ".join(
        f"{rule} ({number if severity <= block.cause.severity else count(number, severity)})"
        for (rule, severity), number in numbers.items()
    )


def heading(block: Block, causes: Causes) -> str:
    """The rule, the place and how often."""
    return visible("  ".join(filter(None, (block.cause.rule, block.cause.where, how_often(block.cause, causes)))))


def cut(text: str, width: int = WIDTH) -> str:
    """Visible text on one line of the terminal, or two."""
    text = visible(text)
    return text if len(text) <= width else f"{text[: width - 1]}…"
