"""The last check before writing: reports secrets and their places. It changes nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from conformance.cassette.compressed import is_sealed
from conformance.cassette.decoded import views
from conformance.cassette.encodings import LONG, has_pieces
from conformance.cassette.secretkinds import SHORTEST, is_placeholder, kinds_in, known_secrets
from conformance.cassette.secretnames import header_holder, held, query_holder
from conformance.model import jsontext
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.frozen import dataclass
from conformance.model.pointer import join
from conformance.model.transcript import Malformed

if TYPE_CHECKING:
    from conformance.cassette.load import UnsavedCassette

_KNOWN = "a secret in use"
_FIELD = re.compile(r"(data|id|event|retry)?:")
_JOINTS = re.compile(r"[\s.,_\-|]+")


@dataclass(frozen=True, slots=True)
class Leak:
    """One secret that must not be there: its place in words, and its kind. Never the secret itself."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}; see docs/secrets.md"


class Gate:
    """Looks for the given secrets in every form, and for values that look like one or have the name of one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({each for each in secrets if len(each) >= SHORTEST} | known_secrets(), key=len)
        long = filter(has_pieces, self._secrets)
        self._halves = tuple(half for each in long for half in (each[: len(each) // 2], each[-(len(each) // 2) :]))

    def cassette(self, cassette: UnsavedCassette) -> list[Leak]:
        """The leaks in a cassette, exchange by exchange; if no exchange has one, those in the lines of its text."""
        found: list[Leak] = []
        for number, exchange in enumerate(cassette.exchanges):
            found += self.exchange(exchange, f"exchange {number}")
        if not found:
            found = [
                Leak(f"line {number}", self._known(line) or _KNOWN)
                for number, line in enumerate(cassette.text.splitlines(), 1)
                if self._known(line)
            ]
        return found

    def text(self, text: str, where: str) -> list[Leak]:
        """The first leak in a piece of text."""
        what = self._what(text)
        return [Leak(where, what)] if what else []

    def exchange(self, exchange: Exchange, where: str) -> Iterator[Leak]:
        """The leaks in one exchange."""
        request, response = exchange.request, exchange.response
        yield from self._url(request, f"{where}, request")
        for message, side in ((request, "request"), (response, "response")):
            yield from self._headers(message.headers, f"{where}, {side}")
            yield from self._sealed(message, f"{where}, {side}")
            yield from self._body(message, f"{where}, {side}")

    def _url(self, request: Request, where: str) -> Iterator[Leak]:
        yield from self.text(request.url, f"{where} URL")
        for name, value in request.query.items():
            if query_holder(name, value) and value and not is_placeholder(value):
                yield Leak(f"{where} URL, query parameter {name}", "a secret, judging by its name")

    def _headers(self, headers: Headers, where: str) -> Iterator[Leak]:
        for name, value in headers:
            leaks = self.text(value, f"{where} header {name.lower()}")
            yield from leaks
            bare = value.partition(" ")[2] or value
            if not leaks and header_holder(name) and not (is_placeholder(value) or is_placeholder(bare)):
                yield Leak(f"{where} header {name.lower()}", "a secret, judging by its name")

    def _sealed(self, message: Request | Response, where: str) -> Iterator[Leak]:
        """A body that cannot be searched."""
        content = message.body.content
        if isinstance(content, bytes) and is_sealed(content, message.headers.get("content-encoding") or ""):
            yield Leak(where, "a compressed body that cannot be decompressed whole, so that nobody can search it")

    def _body(self, message: Request | Response, where: str) -> Iterator[Leak]:
        body = message.body
        if isinstance(message, Response) and message.is_stream:
            pieces: dict[tuple[Any, ...], list[str]] = {}
            for event in message.events:
                yield from self._value(event.json, f"{where} event/{event.number}", event.data)
                for path, text in _strings(event.json):
                    pieces.setdefault(path, []).append(text)
            for path, texts in pieces.items():
                what = self._known("".join(texts)) if len(texts) > 1 else None
                if what:
                    yield Leak(f"{where} events, {join('', *path)} joined", what)
            if message.is_event_stream:
                stray = "\n".join(line for line in _text(body).splitlines() if not _FIELD.match(line))
                yield from self.text(stray, f"{where}, a line of no event")
        elif not body.empty:
            yield from self._value(body.json, where, _text(body))

    def _value(self, value: Any, where: str, text: str) -> Iterator[Leak]:
        """The strings of a JSON value, or the text if it has none; then the whole text."""
        found = False
        if not isinstance(value, Malformed):
            for path, each in _strings(value):
                what = self._what(each)
                if what is None and held(path, each):
                    what = "a secret, judging by its name"
                if what:
                    found = True
                    yield Leak(f"{where} {join('', *path)}".rstrip(), what)
        if not found:
            what = self._known(text) if not isinstance(value, Malformed) else self._what(text)
            if what:
                yield Leak(where, what)

    def _known(self, text: str) -> str | None:
        """Whether one of the secrets is in the text, in any encoding."""
        if not self._secrets:
            return None
        for view in views(text):
            if any(secret in view for secret in self._secrets):
                return _KNOWN if view is text else f"{_KNOWN}, encoded"
        plain = _JOINTS.sub("", text).lower()
        for secret in self._secrets:
            if len(secret) >= LONG:
                low = _JOINTS.sub("", secret).lower()
                if low in plain or low[::-1] in plain:
                    return f"{_KNOWN}, in other letters"
        return f"half of {_KNOWN}" if any(half in text for half in self._halves) else None

    def _what(self, text: str) -> str | None:
        known = self._known(text)
        if known:
            return known
        for kind in kinds_in(text):
            if kind.gated and any(text[start:end] != kind.stand_in for start, end in kind.spans(text)):
                return kind.description
        return None


def _strings(value: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every string of a JSON value with its path, including keys, and those of JSON inside a string."""
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), value)]
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, dict):
            for key, inner in each.items():
                yield path, str(key)
                waiting.append(((*path, key), inner))
        elif isinstance(each, list):
            waiting += [((*path, number), inner) for number, inner in enumerate(each)]
        elif isinstance(each, str):
            yield path, each
            if each.lstrip()[:1] in ("{", "["):
                inner = jsontext.parse(each)
                if isinstance(inner, (dict, list)):
                    waiting.append((path, inner))


def _text(body: Body) -> str:
    if body.text is not None:
        return body.text
    return jsontext.brief(body.content, 1 << 26)
