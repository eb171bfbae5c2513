"""A comparison of recordings as one HTML page: each change once, then each cell with both recordings side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from conformance.cassette.gate import Gate
from conformance.cassette.load import load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.redact_exchange import redacted
from conformance.cassette.secretkinds import known_secrets
from conformance.diff.cassettes import Comparison, explain
from conformance.diff.changes import Change
from conformance.diff.comparisons import Drift, noise_of, place_of
from conformance.diff.difference import Difference, Grade
from conformance.errors import ConformanceError
from conformance.model.exchange import Exchange
from conformance.model.finding import Side
from conformance.model.printable import short, visible
from conformance.report.html_exchange import conversation_of
from conformance.report.html_matrix import table
from conformance.report.html_page import Pages
from conformance.report.side_by_side import Row, rows_of
from conformance.report.wire_lines import body_lines, head_lines

_RESERVE = 300_000
"""The room of the page that is kept for cells without their recordings, in characters."""
_DIFFERENCES = 200
_CHANGES = 200
_STYLES = {Grade.CHANGE: "error", Grade.REVIEW: "warning", Grade.NOISE: "muted", None: "ok"}
_MARKS = {Grade.CHANGE: "✗", Grade.REVIEW: "?", Grade.NOISE: "≈", None: "="}
_WORDS = {Grade.CHANGE: "changes", Grade.REVIEW: "to review", Grade.NOISE: "noise"}
_ALWAYS = ("target", "model", "driver_version")
"""The metadata that is shown even where it is the same."""
_SIDES: tuple[Side, ...] = ("request", "response")
_NOTHING: dict[str, Any] = {"facts": (), "differences": (), "left": 0, "noise": "", "pairs": ()}


def write(drift: Drift, out: IO[str], *, verbose: bool) -> None:
    """Writes the page; with `verbose`, noise in full. The recordings are read again, and shown without secrets."""
    pages, reader = Pages(), _Reader()
    ordered = sorted(
        (one for one in drift.comparisons if one.grade is not None),
        key=lambda one: (-int(one.grade or 0), one.dialect, one.scenario, one.driver, one.mode),
    )
    parts: list[str] = []
    for number, one in enumerate(ordered):
        for form in (_with_recordings, _in_full, _in_short):
            if form is not _in_short and pages.room < _RESERVE:
                continue
            values = {
                "number": number,
                "name": _name(one),
                "grade": str(one.grade),
                **form(one, reader, verbose=verbose),
            }
            part = pages.part("html_comparison.html", one=values)
            if part is not None:
                parts.append(part)
                break
        else:
            break
    shown = {id(one): f"cause-{number}" for number, one in enumerate(ordered[: len(parts)])}
    marks = (
        (one.scenario or "(no scenario)", one.dialect or "(no dialect)", _mark(one, shown)) for one in drift.comparisons
    )
    pages.write(
        "html_diff.html",
        out,
        old=visible(drift.old),
        new=visible(drift.new),
        verdict=visible(drift.verdict),
        numbers=list(_numbers(drift)),
        identical=drift.identical,
        changes=[_change(each, len(drift.comparisons), shown) for each in drift.changes[:_CHANGES]],
        changes_left=max(0, len(drift.changes) - _CHANGES),
        matrix={"title": "Cells", **table(marks)},
        cells=parts,
        left=len(ordered) - len(parts),
    )


def _numbers(drift: Drift) -> Iterator[tuple[str, str, int]]:
    """The counts of the verdict, each with what it counts and its style."""
    for grade, words in _WORDS.items():
        number = sum(each.grade is grade for each in drift.changes) if grade else drift.number(grade)
        yield words if number != 1 else words.removesuffix("s"), _STYLES[grade], number


def _change(change: Change, number: int, shown: Mapping[int, str]) -> dict[str, str]:
    """A change in words, with the part of the page that has its first cell."""
    one, first = change.places[0]
    return {
        "grade": str(change.grade),
        "style": _STYLES[change.grade],
        "message": short(change.head.message),
        "where": visible(f"{change.side}: {change.cells(number)}"),
        "therefore": visible(", ".join(change.therefore)),
        "link": shown.get(id(one), ""),
        "at": short(place_of(first)),
    }


def _mark(one: Comparison, shown: dict[int, str]) -> dict[str, str]:
    grade = "identical" if one.grade is None else str(one.grade)
    if one.old is None or one.new is None:
        grade = f"{grade}; only in the {'old' if one.new is None else 'new'} recording"
    title = visible(f"{one.driver}, {one.mode}: {grade}")
    return {"text": _MARKS[one.grade], "style": _STYLES[one.grade], "title": title, "link": shown.get(id(one), "")}


def _name(one: Comparison) -> str:
    return visible(" ".join(filter(None, (one.dialect, one.scenario, one.driver, one.mode))))


def _in_short(*_: object, verbose: bool) -> dict[str, Any]:  # noqa: ARG001 - called as the other forms are
    return _NOTHING


def _in_full(one: Comparison, _: _Reader, *, verbose: bool) -> dict[str, Any]:
    listed = _listed(one, verbose=verbose)
    return {
        "facts": list(_facts(one)),
        "differences": list(map(_line, listed[:_DIFFERENCES])),
        "left": max(0, len(listed) - _DIFFERENCES),
        "noise": "" if verbose else visible(noise_of(one.differences)),
        "pairs": (),
    }


def _line(each: Difference) -> tuple[str, str, str, str]:
    return str(each.grade), _STYLES[each.grade], short(each.message), short(place_of(each))


def _with_recordings(one: Comparison, reader: _Reader, *, verbose: bool) -> dict[str, Any]:
    return {**_in_full(one, reader, verbose=verbose), "pairs": list(_pairs(one, reader, _listed(one, verbose=verbose)))}


def _listed(one: Comparison, *, verbose: bool) -> list[Difference]:
    return [each for each in one.differences if verbose or each.grade is not Grade.NOISE]


def _facts(one: Comparison) -> Iterator[tuple[str, str]]:
    for sentence in explain(one):
        yield "drift", short(sentence)
    yield "old", short(one.old or "not in this recording")
    yield "new", short(one.new or "not in this recording")
    paired = one.old is not None and one.new is not None
    for key, (old, new) in one.context.items() if paired else ():
        if old != new or key in _ALWAYS:
            yield key.replace("_", " "), short(f"{old}" if old == new else f"{old} → {new}")


def _pairs(one: Comparison, reader: _Reader, listed: Sequence[Difference]) -> Iterator[dict[str, Any]]:
    """Each exchange with a difference, old and new."""
    numbers: dict[tuple[int | None, int | None], list[Difference]] = {}
    for each in listed:
        numbers.setdefault((each.before.exchange, each.after.exchange), []).append(each)
    old, new = reader.exchanges(one.old), reader.exchanges(one.new)
    for before, after in sorted(numbers, key=lambda pair: [-1 if each is None else each for each in pair]):
        first, second = _at(old, before), _at(new, after)
        if first is None and second is None:
            continue
        here = numbers[before, after]
        numbered = " → ".join(dict.fromkeys("none" if each is None else str(each) for each in (before, after)))
        yield {
            "title": f"Exchange {numbered}",
            "sides": [(side, rows) for side in _SIDES if (rows := _rows(first, second, side, here))],
            "old": conversation_of(first, one.dialect) if first else [],
            "new": conversation_of(second, one.dialect) if second else [],
        }


def _rows(old: Exchange | None, new: Exchange | None, side: Side, differences: Sequence[Difference]) -> list[Row]:
    before, after = ([] if each is None else [*head_lines(each, side), *body_lines(each, side)] for each in (old, new))
    of_side = [each for each in differences if each.side == side]
    grades: tuple[dict[str, str], dict[str, str]] = {}, {}
    for each in sorted(of_side, key=lambda each: each.grade):
        for place, of in zip((each.before, each.after), grades, strict=True):
            if place.pointer:
                event = "/".join(place.pointer.split("/")[:2])
                of[event if place.pointer.startswith("event/") else place.pointer] = str(each.grade)
    return rows_of(before, after, *grades) if before != after else []


def _at(exchanges: Sequence[Exchange | None], number: int | None) -> Exchange | None:
    return exchanges[number] if number is not None and number < len(exchanges) else None


class _Reader:
    """Reads the recordings again, without their secrets: the same one is the same word on the whole page."""

    def __init__(self) -> None:
        self._redactor = Redactor(known_secrets())
        self._gate = Gate(())

    def exchanges(self, path: str | None) -> Sequence[Exchange | None]:
        """The exchanges that can be shown; None in place of one in which the last check still finds a secret."""
        if path is None:
            return ()
        try:
            found = load_cassette(path).exchanges
        except ConformanceError:
            return ()
        clean = (redacted(each, self._redactor) for each in found)
        return [None if any(self._gate.exchange(each, "")) else each for each in clean]
