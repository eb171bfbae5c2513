"""Fixture bundles that LiteLLM's end-to-end tests record: a folder with `manifest.json`, one JSON file an exchange.

Read in their documented form (`format_version` 4 and 5, `tests/e2e/fixture_bundle.py` of BerriAI/litellm). The headers
of requests are not recorded; the bytes of responses are kept in base64, those of a stream in their chunks.
The files of one folder are one run.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import bodies, opening
from conformance.inputs.format import Format, Record, Together
from conformance.inputs.interactions import CUT
from conformance.model.exchange import Body, Exchange, Headers, Request, Response

_NAME = re.compile(r"\d{4}-[a-z]+-.*\.json")


def _detect(value: Any) -> bool:
    response = value.get("response") if isinstance(value, Mapping) else None
    return (
        isinstance(response, Mapping)
        and "status_code" in response
        and bool({"body_b64", "chunks_b64"} & response.keys())
    )


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        request = record.value.get("request") if isinstance(record.value, Mapping) else None
        response = record.value.get("response") if isinstance(record.value, Mapping) else None
        if not isinstance(request, Mapping) or not isinstance(request.get("path"), str):
            raise ConformanceError(f"{record.source}: request.path is missing", CUT)
        if not isinstance(response, Mapping) or not isinstance(response.get("status_code"), int):
            raise ConformanceError(f"{record.source}: response.status_code is missing", CUT)
        headers = response.get("headers")
        received = Headers.of(headers if isinstance(headers, Mapping) else {})
        yield Exchange(
            request=Request(
                str(request.get("method") or "POST").upper(), request["path"], body=Body(request.get("body"))
            ),
            response=Response(response["status_code"], received, _received(response, received)),
            source=record.source,
            group=path,
        )


def _groups(files: Sequence[str]) -> list[tuple[str, ...]]:
    named = [file for file in files if _NAME.fullmatch(Path(file).name)]
    return [tuple(sorted(named))] if len(named) > 1 and all(_detect(_value(file)) for file in named) else []


def _together(files: Sequence[str]) -> Iterator[Exchange]:
    """The exchanges of one test."""
    return _read((Record(_value(file), file) for file in files), files[0])


def _value(path: str) -> Any:
    with opening.opened(path) as stream:
        try:
            return json.loads(opening.whole(stream, path))
        except (ValueError, RecursionError):
            return None


def _received(response: Mapping[str, Any], headers: Headers) -> Body:
    chunks = response.get("chunks_b64", [response.get("body_b64")])
    try:
        content = b"".join(base64.b64decode(str(chunk), validate=True) for chunk in chunks)
    except (TypeError, ValueError) as error:
        return Body(None, note=f"invalid base64 ({error})")
    return bodies.received(content, headers)


FORMAT = Format(
    name="litellm-bundle",
    title="fixture bundles of LiteLLM's end-to-end tests",
    detect=_detect,
    read=_read,
    together=Together(_groups, _together),
    lacks=frozenset({"headers"}),
)
