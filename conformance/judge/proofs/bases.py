"""The bases of examples: each dialect's conforming exchanges."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.judge.proofs.edit import Edit, apply, edits_of
from conformance.judge.proofs.files import document, full_name, texts
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, endpoint_of, home_of

Records = list[dict[str, Any]]


def base_names(dialect: str) -> list[str]:
    """The names of a dialect's conforming exchanges."""
    return sorted(_written(dialect))


def base(name: str) -> Records:
    """The exchanges of a base, `openai-chat/call`; they may be edited.

    Raises:
        ConformanceError: there is no such base, or it is written wrongly.
    """
    records: Records = json.loads(_text(name, ()))
    return records


def main_bases(dialect: str) -> list[str]:
    """The names of those whose exchanges are all at the dialect's main endpoint, in the order of the files."""
    found = all_dialects()[dialect]

    def at_main(record: dict[str, Any]) -> bool:
        return endpoint_of(found, Exchange.of(record).request) is None

    return [name for name in _written(dialect) if all(map(at_main, base(f"{dialect}/{name}")))]


@cache
def kinds(dialect: str) -> Mapping[str, str]:
    """The bases that stand for a dialect at its main endpoint: `plain`, with one body, and `streamed`, with events."""
    found: dict[str, str] = {}
    for name in main_bases(dialect):
        records = base(f"{dialect}/{name}")
        if len(records) == 1 and records[0]["response"]["status"] == 200:
            kind = "streamed" if "events" in records[0]["response"] else "plain"
            found.setdefault(kind, f"{dialect}/{name}")
    return found


@cache
def _written(dialect: str) -> Mapping[str, tuple[Path, Any]]:
    """What the files have under the name of each base, with the file."""
    package = home_of(dialect)
    found: dict[str, tuple[Path, Any]] = {}
    for path in texts(package, "bases"):
        for name, items in document(path).items():
            owner, _, short = full_name(package, name).partition("/")
            if owner != dialect:
                continue
            if short in found:
                raise ConformanceError(f"{path}: {found[short][0]} also has a base {name}", "rename one of them")
            found[short] = path, items
    return found


@cache
def _text(name: str, within: tuple[str, ...]) -> str:
    """The exchanges of a base as JSON. `within` are the bases that it is part of."""
    dialect, _, short = name.partition("/")
    known = _written(dialect) if dialect in all_dialects() else {}
    if short not in known:
        raise ConformanceError(f"there is no base {name!r}", did_you_mean(short, known))
    path, items = known[short]
    try:
        return json.dumps(list(_all_records(name, items, within)))
    except ValueError as error:
        raise ConformanceError(f"{path}: {short}: {error}") from error


def _all_records(name: str, items: Any, within: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if name in within:
        raise ValueError("it is made from itself")
    if not isinstance(items, list):
        raise ValueError("write a list of exchanges, or of the names of other bases")
    named = partial(full_name, home_of(name.partition("/")[0]))
    for each in items:
        yield from _records(each, named, (*within, name))


def _records(item: Any, named: Callable[[str], str], within: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if isinstance(item, dict) and item.keys() == {"request", "response"}:
        yield item
        return
    other, edits = based(item, named)
    records = json.loads(_text(other, within))
    for edit in edits:
        apply(records, edit)
    yield from records


def based(written: Any, named: Callable[[str], str], *more: str) -> tuple[str, tuple[Edit, ...]]:
    """The base and the edits of an entry in a file. `named` gives the full name, `more` are further keys of the entry.

    Raises:
        ValueError: it is none.
    """
    if isinstance(written, str):
        return named(written), ()
    if not isinstance(written, dict) or not isinstance(written.get("base"), str):
        raise ValueError("write the name of a base, or a mapping with `base`")
    one = {key: value for key, value in written.items() if key not in ("base", "edits", *more)}
    several = written.get("edits", [])
    if one and several:
        raise ValueError(f"write `{next(iter(one))}` among the `edits`, or write only one edit")
    edits = [one] if one else several
    return named(written["base"]), tuple(edit for each in edits for edit in edits_of(each))
