"""Parquet: each row is a record, as a line of JSON Lines is; its columns show the format.

Rows of exchanges have the members of exchange JSONL as columns (`id`, `conversation`, `request`, `response`), also
flat (`request_url` or `request.url`, `response_body`), or one column `exchange` with the text of a line. Rows of
other formats, such as LiteLLM's spend logs, have the columns of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import jsonl
from conformance.inputs.extra import needed
from conformance.model.frozen import dataclass

MAGIC = b"PAR1"
_ROWS = 256
"""How many rows are decoded at once."""
_FLAT = re.compile(r"(request|response)[._](method|url|headers|body|status)")
_JSON = ("{", "[")


@dataclass(frozen=True, slots=True)
class Row(jsonl.Line):
    """A row, which can be sent to another process as a line can."""

    value: Any = None

    @property
    def run(self) -> str | None:
        record = self.record()
        conversation = record.get("conversation") if isinstance(record, dict) else None
        return None if conversation is None else f"{self.source.rpartition(':')[0]}#{conversation}"

    def record(self) -> Any:
        return value_of(self.value, self.source)


def rows(stream: IO[bytes], path: str) -> Iterator[Row]:
    """The rows of a file; the source of each has its number, from 1.

    Raises:
        ConformanceError: the file is broken, or pyarrow is not installed.
    """
    import io

    parquet = needed("pyarrow.parquet", f"{path}: a Parquet file", "arrow")
    arrow = needed("pyarrow", path, "arrow")
    number = 0
    try:
        file = parquet.ParquetFile(stream if stream.seekable() else io.BytesIO(stream.read()))
        for batch in file.iter_batches(_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield Row("", f"{path}:{number}", row)
    except (arrow.ArrowException, OSError) as error:
        line = str(error).partition("\n")[0]
        raise ConformanceError(f"{path}: invalid or truncated Parquet ({line})", "write it again") from None


def value_of(row: Mapping[str, Any], source: str) -> Any:
    """The record of a row: one of exchange JSONL if the columns are those of an exchange, else the row itself.

    Raises:
        ConformanceError: a column `exchange` is not JSON.
    """
    line = row.get("exchange")
    if isinstance(line, (str, bytes)):
        record = jsonl.parse_line(line, source)
        more = {name: row[name] for name in ("id", "conversation") if row.get(name) is not None}
        return {**record, **more} if isinstance(record, dict) else record
    found: dict[str, Any] = {name: value for name, value in row.items() if value is not None}
    flat = {name: match for name in found if (match := _FLAT.fullmatch(name))}
    for name, match in flat.items():
        side = found.setdefault(match[1], {})
        if isinstance(side, dict):
            side[match[2]] = found[name]
    for side in ("request", "response"):
        message = _parsed(found.get(side), source)
        if isinstance(message, dict):
            found[side] = _message(message, source)
    return found


def _message(message: Mapping[str, Any], source: str) -> dict[str, Any]:
    """A request or a response, without the members that a struct has for the sake of other rows."""
    made = {name: value for name, value in message.items() if value is not None}
    if "headers" in made:
        made["headers"] = _headers(_parsed(made["headers"], source))
    if isinstance(made.get("body"), (dict, list)):
        made["body"] = _without_nulls(made["body"])
    status = made.get("status")
    if isinstance(status, float) or (isinstance(status, str) and status.isdecimal()):
        made["status"] = int(status)
    return made


def _headers(headers: Any) -> Any:
    """The fields as an object: a map of Arrow is a list of pairs, in which a field can come twice."""
    if not isinstance(headers, list):
        return _without_nulls(headers)
    found: dict[str, list[Any]] = {}
    for name, value in headers:
        found.setdefault(str(name), []).extend(value if isinstance(value, list) else [value])
    return found


def _without_nulls(value: Any) -> Any:
    """A struct has all members that any row has: here, null and absent cannot be told apart."""
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _parsed(value: Any, source: str) -> Any:
    if isinstance(value, str) and value.lstrip().startswith(_JSON):
        return jsonl.parse_line(value, source)
    return value
