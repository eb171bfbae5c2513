"""A comparison of sets, written as text, Markdown or JSON: the provider's side and the client's, apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from conformance.diff.difference import Grade
from conformance.diff.drift.client_shifts import ClientShift
from conformance.diff.drift.shift import Shift
from conformance.diff.drift.shifts import SetDrift
from conformance.model.printable import count, few, visible
from conformance.report.console import put, put_json
from conformance.report.diff_markdown import MARKS, escaped

_CELLS = 3


def write_sets(drift: SetDrift, format_: str, out: IO[str], *, verbose: bool) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        put_json(out, as_json(drift))
        return
    lines = _markdown(drift, verbose=verbose) if format_ == "markdown" else _text(drift, verbose=verbose)
    put(out, "\n".join(lines) + "\n")


def as_json(drift: SetDrift) -> dict[str, Any]:
    """The report as a JSON value: the contract of `specs/diff-sets.schema.json`."""
    old, new = drift.recordings
    return {
        "version": 1,
        "old": drift.old,
        "new": drift.new,
        "confidence": drift.confidence,
        "summary": {
            "cells": len(drift.compared),
            "not_compared": [cell.name for cell in drift.cells if cell not in drift.compared],
            "recordings": {"old": old, "new": new},
            "unanswered": drift.unanswered,
            "tests": drift.tests,
            "power": drift.power.as_json(),
            **{str(grade): drift.number(grade) for grade in reversed(Grade)},
            "grade": "none" if drift.worst is None else str(drift.worst),
        },
        "provider": [each.as_json() for each in drift.provider],
        "client": [each.as_json() for each in drift.client],
    }


def verdict(drift: SetDrift) -> str:
    """All of it in one line."""
    if not drift.compared:
        return "nothing was compared: all recordings of a side were made while the provider was down"
    old, new = drift.recordings
    numbers = f"{count(len(drift.compared), 'cell')}, {old} recordings before and {new} now"
    if drift.fails_strictly:
        return f"{drift.power}: {numbers}; confidence {drift.confidence:g}"
    if drift.worst in (None, Grade.NOISE):
        return f"nothing changed that does not vary anyway: {numbers}; confidence {drift.confidence:g}"
    sides = [
        f"{name}: {count(number, 'change')} to look at"
        for name, some in (("provider", drift.provider), ("client", drift.client))
        if (number := sum(each.grade > Grade.NOISE for each in some))
    ]
    return f"{'; '.join(sides)}; {numbers}; confidence {drift.confidence:g}"


def _limits(drift: SetDrift) -> Iterator[str]:
    """What this comparison cannot know."""
    alone = [cell.name for cell in drift.cells if not (cell.old and cell.new)]
    if alone:
        yield f"{count(len(alone), 'cell')} not compared, recorded on one side only: {few(alone, _CELLS)}"
    if drift.unanswered:
        left = count(drift.unanswered, "recording")
        yield f"{left} left out, because the provider was down or overloaded: that is no change"
    if drift.compared and not drift.fails_strictly:
        yield str(drift.power)


def _where(each: Shift | ClientShift, number: int) -> str:
    cells = (
        f"{count(len(each.cells), 'cell')}, {few(each.cells, _CELLS)}"
        if len(each.cells) < max(number, 2)
        else f"all {number} cells"
    )
    if isinstance(each, Shift):
        place = f"{each.key.scope}, answer {each.key.place}" if each.key.place else each.key.scope
        return f"{place}: {cells}"
    return cells + (f"; {each.versions}" if each.versions else "")


def _sections(drift: SetDrift, *, verbose: bool) -> Iterator[tuple[str, list[Shift | ClientShift]]]:
    for title, some in (("provider", drift.provider), ("client", drift.client)):
        listed: list[Shift | ClientShift] = [each for each in some if verbose or each.grade > Grade.NOISE]
        yield title, listed


def _text(drift: SetDrift, *, verbose: bool) -> Iterator[str]:
    for title, listed in _sections(drift, verbose=verbose):
        if listed:
            yield f"{title}: what {'the responses show' if title == 'provider' else 'the requests have'}"
        for each in listed:
            what = each.what if isinstance(each, Shift) else each.message
            yield f"  {each.grade!s:7} {visible(what)}"
            yield f"          {visible(_where(each, len(drift.compared)))}"
            if isinstance(each, Shift):
                if each.also:
                    yield f"          also: {visible('; '.join(each.also))}"
                yield f"          {visible(each.message.removeprefix(f'{what}: '))}"
                yield f"          {each.interval}; p = {each.p:.1e}"
        if listed:
            yield ""
    yield from map(visible, _limits(drift))
    yield visible(verdict(drift))


def _markdown(drift: SetDrift, *, verbose: bool) -> Iterator[str]:
    yield f"## Wire drift: {escaped(verdict(drift))}"
    for title, listed in _sections(drift, verbose=verbose):
        if not listed:
            continue
        yield from ("", f"### {title.capitalize()}", "", "| | what | where | how sure |", "| --- | --- | --- | --- |")
        for each in listed:
            sure = f"{each.interval}; p = {each.p:.1e}" if isinstance(each, Shift) else "exact"
            also = f" (also: {'; '.join(each.also)})" if isinstance(each, Shift) and each.also else ""
            row = (each.message + also, _where(each, len(drift.compared)), sure)
            yield f"| {MARKS[each.grade]} | {' | '.join(map(escaped, row))} |"
    yield ""
    yield from (f"- {escaped(each)}" for each in _limits(drift))
