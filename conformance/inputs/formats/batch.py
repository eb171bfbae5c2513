"""Batches: the input and output files of OpenAI's Batch API, and the requests and results of Anthropic's.

Input and output that are passed together, or are in one folder, are joined by `custom_id`; the responses are kept in
memory for this. A line without a partner is judged for its side. There are no headers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import build, endpoints, jsonl, opening
from conformance.inputs.format import Format, Record, Together
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Body, Exchange

_REQUESTS = ("body", "params")
_RESPONSES = ("response", "result")


def _detect(value: Any) -> bool:
    return _side(value, _REQUESTS) or _side(value, _RESPONSES)


def _side(value: Any, names: tuple[str, ...]) -> bool:
    return isinstance(value, Mapping) and "custom_id" in value and any(name in value for name in names)


class _Batch:
    """The lines of one batch, which are told apart by their `custom_id`. `joined`: all of its requests come first."""

    def __init__(self, *, joined: bool = False) -> None:
        self._joined = joined
        self._asked: set[str] = set()
        self._answered: set[str] = set()
        self._first: dict[str, Any] = {}

    def exchange(self, asked: Record | None, answered: Record | None) -> Exchange:
        """The exchange of a line of the input, a line of the output, or both."""
        first = asked or answered
        assert first is not None  # noqa: S101 - one of them is given
        line: Mapping[str, Any] = asked.value if asked else {}
        body = line.get("body", line.get("params"))
        response, status = _response(answered.value) if answered else (None, None)
        url = line.get("url")
        if url is None and ("params" in line or (answered is not None and "result" in answered.value)):
            url = endpoints.MESSAGES
        found = build.exchange(
            Body(body) if asked else None,
            response,
            source=first.source,
            url=url if isinstance(url, str) else None,
            status=status,
            id=_name(first),
        )
        shown = {key: first.value[key] for key in ("custom_id", "method", "url") if key in first.value}
        if asked is None:
            shown |= self._of_result(_name(first))
        else:
            shown |= self._of_request(_name(first), line)
        if answered is not None:
            self._answered.add(_name(answered))
        return replace(found, line=shown)

    def _of_request(self, name: str, line: Mapping[str, Any]) -> dict[str, Any]:
        """`again`: an earlier request has its name; `first`: the `url` and the `model` of the first request."""
        shown: dict[str, Any] = {"again": "request"} if name in self._asked else {}
        self._asked.add(name)
        if isinstance(body := line.get("body"), Mapping):
            self._first = self._first or {"model": body.get("model"), "url": line.get("url")}
            shown["first"] = self._first
        return shown

    def _of_result(self, name: str) -> dict[str, Any]:
        """`again`: an earlier result has its name; `unasked`: no request has."""
        shown: dict[str, Any] = {"again": "result"} if name in self._answered else {}
        return {**shown, "unasked": True} if self._joined and name not in self._asked else shown


def _name(record: Record) -> str:
    return str(record.value["custom_id"])


def _read(records: Iterable[Record], _: str) -> Iterator[Exchange]:
    batch = _Batch()
    for record in records:
        if _side(record.value, _REQUESTS):
            yield batch.exchange(record, None)
        elif not _side(record.value, _RESPONSES):
            raise ConformanceError(f"{record.source}: not a line of a batch", CUT)
        elif _response(record.value)[0] is not None:
            yield batch.exchange(None, record)


def _response(line: Mapping[str, Any]) -> tuple[Body | None, int | None]:
    """The body and the status of a line of output; no body if the request was never answered."""
    response, result = line.get("response"), line.get("result")
    if isinstance(response, Mapping):
        status = response.get("status_code")
        return Body(response.get("body")), status if isinstance(status, int) else None
    if isinstance(result, Mapping) and result.get("type") == "succeeded":
        return Body(result.get("message")), 200
    if isinstance(result, Mapping) and result.get("type") == "errored":
        return Body(result.get("error")), None
    return None, None


def _groups(files: Sequence[str]) -> list[tuple[str, ...]]:
    asked, answered = [], []
    for file in files:
        if opening.plain_name(file).endswith((".jsonl", ".ndjson")):
            value = None
            with suppress(ConformanceError):
                value = next((record.value for record in _lines(file)), None)
            if _side(value, _REQUESTS):
                asked.append(file)
            elif _side(value, _RESPONSES):
                answered.append(file)
    return [(*asked, *answered)] if asked and answered else []


def _joined(files: Sequence[str]) -> Iterator[Exchange]:
    responses: dict[str, Record] = {}
    more: list[Record] = []
    asked: list[str] = []
    for file in files:
        records = _lines(file)
        first = next(records)
        if _side(first.value, _REQUESTS):
            asked.append(file)
            continue
        answers = (each for each in (first, *records) if _side(each.value, _RESPONSES))
        more += [each for each in answers if responses.setdefault(_name(each), each) is not each]
    batch = _Batch(joined=True)
    for file in asked:
        for record in _lines(file):
            if not _side(record.value, _REQUESTS):
                raise ConformanceError(f"{record.source}: not a line of a batch", CUT)
            yield batch.exchange(record, responses.pop(_name(record), None))
    for record in (*responses.values(), *more):
        if _response(record.value)[0] is not None:
            yield batch.exchange(None, record)


def _lines(path: str) -> Iterator[Record]:
    with opening.opened(path) as stream:
        for line in jsonl.lines(stream, path):
            yield Record(jsonl.parse_line(line.text, line.source), line.source)


FORMAT = Format(
    name="batch",
    title="input and output of OpenAI's and Anthropic's batches, joined by custom_id",
    detect=_detect,
    read=_read,
    together=Together(_groups, _joined),
    lacks=frozenset({"headers"}),
)
