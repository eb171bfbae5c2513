"""The only place where secrets are removed. A redacted value keeps its field and its form.

Three kinds are found: known secrets (the key in use, and values seen under a secret's name before), values that
look like one anywhere, and values in a field or header with the name of a secret. Equal secrets
are replaced by equal words and others by others (`REDACTED`, `REDACTED-2`): a session id has to be echoed, and
whether it was must still be seen. What counts is data: `specs/secrets.yaml`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from conformance.cassette import compressed
from conformance.cassette.findsecrets import SCHEME, Finder
from conformance.cassette.jsonspans import Edit, apply
from conformance.cassette.secretkinds import PLACEHOLDER, SHORTEST, is_placeholder, kinds_in, known_secrets
from conformance.cassette.secretnames import Holder, header_holder, path_spans, query_holder
from conformance.model import eventstream

__all__ = ["PLACEHOLDER", "Redactor", "shown", "without_secrets"]

_PARAMETER = re.compile(r"(?<![^&;])([^=&;]+)=([^&;]*)")
_COOKIE = re.compile(r"(?:^|[;,]\s*)([^=;,\s]+)=([^;,\s]+)")
_WORD = re.compile(rf"{PLACEHOLDER}(?:-\d+)?")
_WORTH_LEARNING = 12
_LENGTH = re.compile(r"\x07\0.", re.DOTALL)
"""The type of a header in a frame, text, and its length below 256."""


def shown(text: str) -> str:
    """A text for people without secrets: those in use, and values that look like one."""
    return Redactor(known_secrets(), learns=False).text(text)


def without_secrets(pattern: str) -> str:
    """A pattern of file names, with `*` for each secret."""
    clean = shown(pattern)
    return pattern if clean == pattern else _WORD.sub("*", clean)


class Redactor:
    """Removes the given secrets, and values that look like one, from everything that is kept or shown.

    With `learns`, a value that was a secret in a header or field is from then on a secret everywhere. `headers` are the
    names of fields whose values are secret, whatever they are.
    """

    def __init__(self, secrets: Iterable[str] = (), *, learns: bool = True, headers: Iterable[str] = ()) -> None:
        self._learns = learns
        self._private = frozenset(map(str.lower, headers))
        self._words: dict[str, str] = {}
        self._numbers: Counter[Holder] = Counter()
        self._finder = Finder(self._stand_in)
        for secret in sorted(set(secrets), key=len, reverse=True):
            if len(secret) >= SHORTEST:
                self._words[secret] = PLACEHOLDER
                self._finder.know(secret)

    @property
    def secrets(self) -> tuple[str, ...]:
        """All that is known to be a secret by now."""
        return self._finder.known

    def forget(self) -> None:
        """Resets the counter, for a text that is read by itself."""
        self._words.clear()
        self._numbers.clear()
        self._words.update(dict.fromkeys(self.secrets, PLACEHOLDER))

    def header(self, name: str, value: str) -> str:
        """The value of a header field; of a credential the scheme stays (`Bearer REDACTED`)."""
        holder = "credential" if name.lower() in self._private else header_holder(name)
        if holder is None:
            return self.text(value)
        scheme = SCHEME.match(value)
        secret = value[scheme.end() :] if scheme else value
        if is_placeholder(secret):
            return value
        if holder == "session":
            return self._stand_in(secret, "session")
        if holder == "credential":
            self._learn_credential(name.lower(), secret)
        return f"{scheme[1]} {PLACEHOLDER}" if scheme else PLACEHOLDER

    def url(self, url: str) -> str:
        """A URL without credentials in its query or before its host, and without the name of a customer's resource."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return self.text(url)
        user, _, host = parts.netloc.rpartition("@")
        self._learn(unquote(user.partition(":")[2]))
        edits = []
        for each in _PARAMETER.finditer(parts.query):
            holder = query_holder(unquote(each[1]), each[2])
            if holder is not None and each[2] and not is_placeholder(each[2]):
                edits.append(Edit(*each.span(2), self._stand_in(unquote(each[2]), holder)))
        query = apply(parts.query, edits)
        inside = (
            Edit(*span, self._stand_in(unquote(parts.path[slice(*span)]), "secret")) for span in path_spans(parts.path)
        )
        path = apply(parts.path, inside)
        return self.text(urlunsplit((parts.scheme, host, path, query, parts.fragment)))

    def text(self, text: str) -> str:
        """Any text: a body, a message, a line of output."""
        return self._finder.redacted(text)

    def body(self, body: bytes | str | None) -> bytes | str | None:
        """A body of either type, also compressed; bytes that are not text keep their length."""
        if isinstance(body, str) or body is None:
            return self.text(body) if body else body
        changed = compressed.edited(body, self.text)
        return self._binary(changed) if changed == body else changed

    def document(self, cassette: dict[str, Any]) -> dict[str, Any]:
        """A whole cassette in vcrpy's form, again: early exchanges may contain secrets that were learned later."""
        metadata = {
            key: self.text(value) if isinstance(value, str) else value
            for key, value in (cassette.get("metadata") or {}).items()
        }
        redacted = {**cassette, "interactions": [self._interaction(each) for each in cassette["interactions"]]}
        return {**redacted, "metadata": metadata} if metadata else redacted

    def _interaction(self, interaction: dict[str, Any]) -> dict[str, Any]:
        request, response = interaction["request"], interaction["response"]
        request = {**request, "uri": self.url(request["uri"]), "body": self.body(request["body"])}
        return {
            **interaction,
            "request": {**request, "headers": self.headers(request["headers"])},
            "response": {
                **response,
                "status": self._status(response.get("status")),
                "headers": self.headers(response["headers"]),
                "body": {key: self.body(value) for key, value in response["body"].items()},
            },
        }

    def _status(self, status: Any) -> Any:
        """The status; its reason phrase is a server's own text."""
        if isinstance(status, dict) and isinstance(status.get("message"), str):
            return {**status, "message": self.text(status["message"])}
        return status

    def headers(self, headers: dict[str, Any]) -> dict[str, Any]:
        """Header fields as cassettes have them; a secret may also be in a name."""
        clean: dict[str, Any] = {}
        for name, values in headers.items():
            several = isinstance(values, list)
            new = [self.header(name, each) for each in values] if several else self.header(name, values)
            kept = self.text(name)
            known = clean.get(kept)  # two names with a secret may become one
            clean[kept] = [*known, *new] if several and isinstance(known, list) else new
        return clean

    def _binary(self, body: bytes) -> bytes:
        """Frames with lengths in them (AWS event streams) stay as long as they are."""
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            text = body.decode("latin-1")
            alone = _LENGTH.sub("\x07\0\0", text)  # a length can be that of a letter, which would belong to the value
            spans = self._finder.given(text)
            spans += [Edit(*span, kind.stand_in) for kind in kinds_in(alone) for span in kind.spans(alone)]
            same = (Edit(e.start, e.end, e.new.ljust(e.end - e.start, "-")[: e.end - e.start]) for e in spans)
            return eventstream.resealed(body, apply(text, same).encode("latin-1"))
        return body

    def _stand_in(self, secret: str, holder: Holder) -> str:
        """The word for a secret: the same for the same, another for another."""
        word = self._words.get(secret)
        if word is None:
            self._numbers[holder] += 1
            number = self._numbers[holder]
            word = PLACEHOLDER if number == 1 else f"{PLACEHOLDER}-{number}"
            self._words[secret] = word
            self._learn(secret)
        return word

    def _learn(self, secret: str) -> None:
        """A value that is too long and mixed to be a word is a secret everywhere."""
        mixed = any(map(str.isdigit, secret)) and any(map(str.isalpha, secret))
        if self._learns and mixed and len(secret) >= _WORTH_LEARNING and not re.search(r"\s|REDACTED", secret):
            self._finder.know(secret)

    def _learn_credential(self, name: str, secret: str) -> None:
        if "cookie" in name:
            for each in _COOKIE.finditer(secret):
                self._learn(each[2])
            return
        if name == "www-authenticate":
            return
        self._learn(secret)
        try:
            self._learn(base64.b64decode(secret, validate=True).decode().partition(":")[2])
        except (binascii.Error, ValueError):
            return
