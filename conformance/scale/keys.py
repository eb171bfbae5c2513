"""Which conversation an exchange belongs to, and whether that is in the sample."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import RawRecord, Source, records_of
from conformance.inputs.files import Files
from conformance.inputs.jsonl import Line
from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.model.registry import claimants, optional_part

REPEATED = "repeats"
"""`--group-by repeats`: by the first turn, which each request of a conversation repeats; MCP's by their session."""
_LOOKED_AT = 100_000


def key_of(record: RawRecord, by: str | None) -> str | None:
    """The key of the conversation; None if the exchange stands alone.

    By default it is the conversation that the record names, in its file. `by` is a member of the record instead, with
    a dot between the names (`metadata.session_id`), in all files; or `REPEATED`.

    Raises:
        ConformanceError: the record cannot be read.
    """
    if by == REPEATED and (found := _repeated(opened(record))) is not None:
        return found
    if by in (None, REPEATED):  # what repeats nothing may be in a session, as MCP's messages are
        if isinstance(record, Line):
            return record.run
        named = None if record.conversation is None else f"{record.source}#{record.conversation}"
        return record.group or named
    if isinstance(record, Line):
        value: Any = record.record()
        for name in by.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        return None if value is None else value if isinstance(value, str) else jsontext.brief(value, 1000)
    return record.conversation or record.group or None


def opened(record: RawRecord) -> Exchange:
    """The exchange of a record.

    Raises:
        ConformanceError: it is broken.
    """
    return record.opened() if isinstance(record, Line) else record


def grouped(record: RawRecord, key: str | None, number: int, *, regroups: bool) -> Exchange:
    """The exchange, in the conversation of its key if that is not the one that it names itself.

    Raises:
        ConformanceError: it is broken.
    """
    exchange = opened(record)
    if not regroups:
        return exchange
    lacks = exchange.lacks if key is None else exchange.lacks - {"conversation"}
    return replace(exchange, group=key or f"{record.source}@{number}", lacks=lacks)


def in_sample(name: str, rate: float) -> bool:
    """Whether a conversation is in the sample: for the same name and rate, always the same answer."""
    return rate >= 1 or digest(name) < rate * (1 << 64)


def name_of(key: str | None, source: str) -> str:
    """What the sample is drawn by: it does not depend on the folder in which the file lies."""
    file, mark, conversation = (key or source).rpartition("#")
    return f"{PurePath(file).name}{mark}{conversation}" if mark else PurePath(conversation).name


def digest(text: str) -> int:
    """64 bits of a hash that is the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def chosen(records: Iterator[RawRecord], by: str | None, rate: float) -> Iterator[Exchange]:
    """The exchanges of the sample, each in its conversation: what one process judges.

    Raises:
        ConformanceError: a record is broken, no record has the member `by`, or none is in the sample.
    """
    number, keyed, sampled = -1, False, False
    for number, record in enumerate(records):
        key = key_of(record, by)
        keyed = keyed or _names(record, key)
        if in_sample(name_of(key, record.source), rate):
            sampled = True
            yield grouped(record, key, number, regroups=by is not None)
    if number >= 0 and by not in (None, REPEATED) and not keyed:
        raise _absent(by)
    if number >= 0 and not sampled:
        raise ConformanceError(
            f"nothing was judged: --sample-rate {rate:g} leaves out all exchanges, {number + 1} in number",
            "choose a larger share",
        )


def require_member(files: Iterable[Source], by: str) -> None:
    """Checks that one of the first records has the member `by`, before a cluster starts to read them all.

    Raises:
        ConformanceError: none of them has it.
    """
    number = 0
    for named in islice(_named(files, by), _LOOKED_AT):
        if named:
            return
        number += 1
    if number:
        raise _absent(by, "no record" if number < _LOOKED_AT else f"none of the first {number:,} records")


def _named(files: Iterable[Source], by: str) -> Iterator[bool]:
    """Whether a member names the key, for each record that can be read: judging reports the others."""
    for file in files:
        with suppress(ConformanceError):
            for record in records_of(file, Files()):
                with suppress(ConformanceError):
                    yield _names(record, key_of(record, by))


def _names(record: RawRecord, key: str | None) -> bool:
    """Whether a record names its key itself; without a name, one of a cassette is grouped by its file."""
    return key is not None and (isinstance(record, Line) or record.conversation is not None)


def _absent(by: str | None, records: str = "no record") -> ConformanceError:
    return ConformanceError(f"--group-by {by}: {records} has this member", "correct the name, or leave it out")


def _repeated(exchange: Exchange) -> str | None:
    """The key of the first turn, as the innermost dialect reads it: that of a raw prompt is in its text."""
    dialect = next(reversed(claimants(exchange.request)), None)
    if dialect is None or optional_part(dialect.name, "both_sides") is not None:  # a session repeats nothing
        return None
    history = dialect.readers.read_request(exchange.request, exchange.request.body.json).history
    first = next((turn for turn in history if turn.role != "system"), None)
    if first is None:
        return None
    sender = exchange.request.headers.get("user-agent"), exchange.request.host
    return f"{digest(repr((dialect.name, sender, [repr(turn.text) for turn in history[:1]], first.text))):016x}"
