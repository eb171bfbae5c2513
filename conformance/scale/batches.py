"""Arrow in, Arrow out: the pure functions that any engine can call (docs/scale.md has recipes)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs.parquet import Row as ParquetRow
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.judging import Judging
from conformance.scale.judging import Judge
from conformance.scale.keys import key_of
from conformance.scale.rows import Row, table_of

_SOURCE = "arrow"


def judge_group(table: Any, *, dialect: str | None = None, profile: str | None = None) -> Any:
    """The findings of one conversation: all rows of the table, in their order.

    The columns are those of exchange JSONL, nested, flat or as text (`conformance.inputs.parquet`); `source`, if there
    is one, is the source of the findings. The result has the schema `FINDINGS`.

    Raises:
        ConformanceError: there is no such profile.
    """
    return _judged(table, dialect, profile, one=True)


def judge_batch(table: Any, *, dialect: str | None = None, profile: str | None = None) -> Any:
    """The findings of whole conversations, told apart by the column `conversation`; rows without one stand alone.

    Raises:
        ConformanceError: as `judge_group`.
    """
    return _judged(table, dialect, profile, one=False)


def _judged(table: Any, dialect: str | None, profile: str | None, *, one: bool) -> Any:
    chosen = chosen_profile(profile) if profile is not None else None
    judge = Judge(Judging(dialect, chosen), regroups=True)
    rows: list[Row] = []
    numbered = [
        (_SOURCE if one else _conversation(record), number, record) for number, record in enumerate(_records(table))
    ]
    for key, group in groupby(sorted(numbered, key=lambda each: (each[0] or "", each[1])), lambda each: each[0]):
        for _, number, record in group:
            rows += judge.feed(record, key, 0, number)
        judge.forget()
    rows.sort(key=lambda row: row["number"])  # stable: the findings of one exchange stay in their order
    return table_of([*rows, *judge.end()])


def _conversation(record: ParquetRow) -> str | None:
    try:
        return key_of(record, "conversation")
    except ConformanceError:  # `feed` makes a row of it
        return None


def _records(table: Any) -> Iterator[ParquetRow]:
    for number, row in enumerate(table.to_pylist(), 1):
        yield ParquetRow("", row.get("source") or f"{_SOURCE}:{number}", row)
