"""Exchanges as lines of the corpus: redacted, each with the file that it belongs to."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from conformance.cassette.redact import Redactor
from conformance.cassette.redact_exchange import redacted
from conformance.model.exchange import Body, Exchange, Request
from conformance.profiles.recognition import provider_of
from devtools.corpus.sources import Source

_IN_PATH = re.compile(r"/models?/([^/:]+)")
_APIS = Path(__file__).parent / "apis.yaml"


@dataclass(frozen=True)
class Api:
    """One line of `apis.yaml`."""

    path: re.Pattern[str]
    host: re.Pattern[str]
    api: str
    member: str | None = None

    def fits(self, request: Request) -> bool:
        if not self.path.search(request.path) or not self.host.search(request.host):
            return False
        return self.member is None or (isinstance(request.body.json, dict) and self.member in request.body.json)


@cache
def _apis() -> list[Api]:
    lines = yaml.safe_load(_APIS.read_text(encoding="utf-8"))
    return [
        Api(re.compile(each["path"]), re.compile(each.get("host", "")), each["api"], each.get("member"))
        for each in lines
    ]


def api_of(exchange: Exchange) -> str | None:
    """The file that an exchange belongs to; None if it is no call of a model."""
    request = exchange.request
    if request.method != "POST":
        return None
    return next((each.api for each in _apis() if each.fits(request)), None)


def line_of(exchange: Exchange, source: Source, path: str, number: int, api: str) -> dict[str, Any]:
    """The exchange as an object of exchange JSONL."""
    clean = redacted(exchange, Redactor())
    run = re.sub(f"(?:{source.joined})$", "", path) if source.joined else path
    return {
        "id": _short(source.name, path, str(number)),
        "conversation": _short(source.name, run),
        "api": api,
        "vendor": provider_of(clean.request.host) or clean.request.host,
        "model": _model(clean.request),
        "source": {"repo": source.repository, "path": path, "number": number},
        "request": {
            "method": clean.request.method,
            "url": clean.request.url,
            "headers": clean.request.headers.lists(),
            "body": _content(clean.request.body),
        },
        "response": {
            "status": clean.response.status,
            "headers": clean.response.headers.lists(),
            "body": _content(clean.response.body),
        },
    }


def _content(body: Body) -> Any:
    """The JSON value, as exchange JSONL has it; other bodies as text."""
    if body.parsed_by_recorder or body.text is None:
        return body.content
    try:
        value = json.loads(body.text)
    except (ValueError, RecursionError):
        return body.text
    return value if isinstance(value, (dict, list)) else body.text


def _model(request: Request) -> str | None:
    """The model that was asked, by the body or the path."""
    named = request.body.json.get("model") if isinstance(request.body.json, dict) else None
    in_path = _IN_PATH.search(request.path)
    return named if isinstance(named, str) else in_path[1] if in_path else None


def _short(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def hashed(line: dict[str, Any]) -> bytes:
    """What the hash of an outcome is made of: method, URL, status and bodies."""
    request, response = line["request"], line["response"]
    parts = [request["method"], request["url"], response["status"], request["body"], response["body"]]
    return json.dumps(parts, sort_keys=True).encode()
