"""Illustrations: what a rule's violating example looks like on the wire, and the same place as it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Edit, Example
from conformance.judge.rule import Rule
from conformance.model.finding import Finding
from conformance.model.pointer import split
from conformance.report.catalogue.fragments import Fragment, Tokens, fragment, opened, place_of


@dataclass(frozen=True, slots=True)
class Piece:
    """One place in the violating exchange, and in the conforming one that it was made from."""

    violating: Fragment
    conforming: Fragment


@dataclass(frozen=True, slots=True)
class Illustration:
    """`at` is where the finding lands: `EXCHANGE SIDE POINTER`."""

    base: str
    at: str
    finding: Finding
    pieces: tuple[Piece, ...]


def illustrate(rule: Rule, example: Example) -> Illustration:
    """The illustration of one violating example.

    Raises:
        ValueError: the rule finds nothing in the example.
    """
    finding = _finding(rule, example)
    number = finding.exchange or 0
    faulty, sound = example.document(), Example(example.base).document()
    pieces: list[Piece] = []
    for at, place in _places(example.edits, finding, _place_of(finding, faulty[number])):
        wrong = _record(faulty, at, place)
        right = _record(sound, at, place)
        note = _note(finding) if not pieces else ""
        if wrong is None:
            continue
        shown = fragment(wrong, place, note, right)
        absent = Fragment(shown.place, ("(no such exchange)",))
        piece = Piece(shown, absent if right is None else fragment(right, place, "", wrong))
        alike = piece.violating.lines == piece.conforming.lines
        if not pieces or not alike:
            pieces.append(piece)
        if not alike and _differs(piece):
            break  # the fault is seen
    return Illustration(example.base, example.at or "", finding, tuple(pieces))


def _place_of(finding: Finding, record: dict[str, Any]) -> Tokens | None:
    """Where the finding is; in a body that the example writes as text, that text."""
    if finding.side and isinstance(record[finding.side].get("body"), str):
        return (finding.side, "body")
    return place_of(finding, opened(record))


def _record(document: list[dict[str, Any]], number: int, place: Tokens) -> dict[str, Any] | None:
    """The exchange of a place, its stream taken apart where the place is an event; None where it does not exist."""
    if number >= len(document):
        return None
    return opened(document[number]) if place[1:2] == ("events",) else document[number]


def _differs(piece: Piece) -> bool:
    """Whether the two differ in more than the note."""
    wire = tuple(line for line in piece.violating.lines if not line.lstrip().startswith("//"))
    return wire != piece.conforming.lines


def _finding(rule: Rule, example: Example) -> Finding:
    checker = Checker()
    for exchange in example.exchanges():
        for finding in checker.feed(exchange):
            if finding.rule == rule.id and example.at == _at(finding):
                return finding
    raise ValueError(f"{rule.id} finds nothing in its example {example.base}")


def _at(finding: Finding) -> str:
    """The place as examples write it."""
    return " ".join(str(each) for each in (finding.exchange, finding.side, finding.pointer) if each is not None)


def _places(edits: tuple[Edit, ...], finding: Finding, found: Tokens | None) -> Iterator[tuple[int, Tokens]]:
    """Where to look, each place with the number of its exchange: where the finding is, and where the fault was put."""
    number = finding.exchange or 0
    if found is not None:
        yield number, found
    whole = False
    for edit in edits:
        exchange, *rest = split(edit.pointer)
        whole = whole or len(rest) < 2  # exchanges are missing, or in another order
        if len(rest) > 1:
            yield (
                int(exchange),
                tuple(rest if rest[-1] != "text" else [*rest[:-1], "body" if len(rest) == 2 else "data"]),
            )
        elif rest:  # a whole message
            yield int(exchange), (rest[0], "body")
    if whole or not edits:
        yield number, (finding.side or "response", "body")


def _note(finding: Finding) -> str:
    """The severity and the message of the finding, on one line."""
    more = [f"{word} {value}" for word, value in (("expected", finding.expected), ("got", finding.actual)) if value]
    added = f" ({', '.join(more)})" if more else ""
    text = f"{finding.severity}: {finding.message}{added}"
    return " ".join(text.split())


def as_json(illustration: Illustration) -> dict[str, Any]:
    """The illustration as an object of `explain --format json`."""
    finding = illustration.finding
    return {
        "base": illustration.base,
        "at": illustration.at,
        "severity": str(finding.severity),
        "message": finding.message,
        "expected": finding.expected,
        "actual": finding.actual,
        "places": [
            {
                "place": piece.violating.place,
                "violating": "\n".join(piece.violating.lines),
                "conforming": "\n".join(piece.conforming.lines),
            }
            for piece in illustration.pieces
        ],
    }
