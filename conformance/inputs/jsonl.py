"""Exchange JSONL: one exchange a line, read one at a time."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import opening
from conformance.model import eventstream
from conformance.model.exchange import Body, Exchange, conversation_of
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not parsed yet, so that it can be sent to another process as it is."""

    text: bytes | str
    source: str

    @property
    def run(self) -> str | None:
        """The name of the run that the line belongs to: exchanges of one run are judged together."""
        text = self.text if isinstance(self.text, str) else self.text.decode("utf-8", "replace")
        begun = _CONVERSATION.match(text)
        if begun is not None:
            return f"{self.source.rpartition(':')[0]}#{begun[1]}"
        record = self.record()
        conversation = conversation_of(record) if isinstance(record, dict) else None
        return None if conversation is None else f"{self.source.rpartition(':')[0]}#{conversation}"

    def record(self) -> Any:
        """The JSON value of the line.

        Raises:
            ConformanceError: it is not JSON.
        """
        return parse_line(self.text, self.source)

    def opened(self) -> Exchange:
        """The exchange.

        Raises:
            ConformanceError: the line is not JSON or not an exchange; the text names the line.
        """
        return exchange_of(self.record(), self.source)


_CONVERSATION = re.compile(r'\{"(?:id": ?"[^"\\]*", ?")?conversation": ?"([ !#-\[\]-~]*)"')
"""The usual beginning of a line: the conversation, perhaps after the id. It saves parsing the whole line."""


def lines(stream: IO[Any], name: str, first: Iterable[bytes] = ()) -> Iterator[Line]:
    """The lines of a stream that are not empty; `first` contains lines that were read before.

    The stream is of bytes or of text. Memory use is that of one line.
    """
    with opening.failures_of(name):
        for number, line in enumerate(chain(first, opening.lines(stream, name)), 1):
            if not line.isspace():
                yield Line(line, f"{name}:{number}")


def parse_line(line: bytes | str, where: str) -> Any:
    """The JSON value of a line.

    Raises:
        ConformanceError: the line is not JSON.
    """
    try:
        text = line.removeprefix(codecs.BOM_UTF8).decode() if isinstance(line, bytes) else line.removeprefix("\ufeff")
        return _DECODER.decode(text)
    except UnicodeDecodeError:
        problem = "not UTF-8 text"
    except RecursionError:
        problem = "JSON that is nested too deeply"
    except ValueError as error:
        problem = f"not JSON ({error})"
    raise ConformanceError(f"{where}: {problem}", "each line must be one exchange as a JSON object")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def exchange_of(record: Any, source: str) -> Exchange:
    """The exchange in the value of a line.

    Raises:
        ConformanceError: it is not an exchange.
    """
    if not isinstance(record, dict):
        raise ConformanceError(
            f"{source}: not an exchange", "each line must be an object with `request` and `response`"
        )
    try:
        exchange = Exchange.of(record, source=source)
    except ValueError as error:
        raise ConformanceError(f"{source}: not an exchange: {error}", "see `conformance check --help`") from None
    content = exchange.response.body.content
    if isinstance(content, list):
        response = replace(exchange.response, body=Body(eventstream.unwrapped(content)))
        exchange = replace(exchange, response=response)
    if exchange.conversation is None:
        exchange = replace(exchange, lacks=exchange.lacks | {"conversation"})
    return exchange
