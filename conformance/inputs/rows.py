"""Exports of tools whose values are rows: objects in a list, or alone, of which each has at most one exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.model.exchange import Exchange, Lack

Row = Mapping[str, Any]


def rows_format(
    name: str,
    title: str,
    rows: Callable[[Any], Iterator[Row]],
    exchange: Callable[[Row, str, str], Exchange | None],
    *,
    detect: Callable[[Any], bool] | None = None,
    lacks: frozenset[Lack] = MESSAGES_ONLY,
) -> Format:
    """A format of rows: `rows` are those of a value, `exchange` is that of a row, by its source and its file.

    Unless `detect` is given, a value is of this format if it has rows.
    """

    def read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
        for record in records:
            for row in rows(record.value):
                found = exchange(row, record.source, path)
                if found is not None:
                    yield found

    def has_rows(value: Any) -> bool:
        return next(rows(value), None) is not None

    return Format(name=name, title=title, detect=detect or has_rows, read=read, lacks=lacks)


def rows_in(value: Any, *names: str) -> Iterator[Row]:
    """The objects of a list, of the list under the first of the names that has one, or the value alone."""
    if isinstance(value, Mapping):
        value = next((value[name] for name in names if isinstance(value.get(name), list)), value)
    yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, Mapping))


def origin_of(source: str, path: str, name: object, group: object) -> dict[str, Any]:
    """The `source`, `id` and `group` of an exchange; `group` is what the exchanges of one run have in common."""
    return {"source": source, "id": str(name) if name else None, "group": f"{path}#{group}" if group else ""}
