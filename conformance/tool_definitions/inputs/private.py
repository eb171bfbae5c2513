"""What may be shown of a URL or a command: its secrets are hidden, here and in every error that repeats them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from conformance.cassette.redact import shown

_HIDDEN = "…"
_SHORTEST = 4
"""Shorter values would be replaced in words that have nothing to do with them."""
_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|pwd|auth|credential|bearer|cookie|session|dsn|signature")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TOKEN = re.compile(r"[A-Za-z0-9_~+=-]{20,}")
_URL = re.compile(r"[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_ASSIGNED = re.compile(r"(-{0,2}[\w.-]+)[=:]\s*(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Private:
    """A URL or a command: `name` is what may be shown of it, `secrets` are the parts that may not."""

    name: str
    secrets: tuple[str, ...]

    def hide(self, text: str) -> str:
        """A text that may repeat the secrets, without them and without what looks like one."""
        return shown(_without(text, [each for own in self.secrets for each in (own, quote(own, safe=""))]))


def private_url(url: str, also: Iterable[str] = ()) -> Private:
    """A URL without user and password, without its query, and without tokens in its path.

    `also` are more secrets that belong to it, such as the values of headers.
    """
    secrets = [*also, *_secrets_of_url(url)]
    return Private(shown(_shown_url(url)), _long(secrets))


def private_command(argv: Sequence[str]) -> Private:
    """A command without the values of options that are secret by their names, and without tokens.

    The values of environment variables with such a name are secrets too, because a server may print them.
    """
    inherited = [value for name, value in os.environ.items() if len(value) > 7 and _SECRET_NAME.search(name)]
    secrets: list[str] = []
    words: list[str] = []
    before = ""
    for word in argv:
        found = [each for each in _secrets_of_word(word, before) if each]
        before = word if word.startswith("-") and "=" not in word else ""
        secrets += found
        words.append(_without(_URL.sub(lambda url: _shown_url(url[0]), word), found))
    words = [_without(word, _long(secrets)) for word in words]
    name = " ".join(each if _HIDDEN in each else shlex.quote(each) for each in words)
    return Private(shown(name), _long([*secrets, *inherited]))


def _without(text: str, secrets: Iterable[str]) -> str:
    """A text without the secrets, the longest first: a shorter one may be a part of it."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        text = text.replace(secret, _HIDDEN)
    return text


def _long(secrets: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in secrets if len(each) >= _SHORTEST))


def _secrets_of_word(word: str, before: str) -> Iterator[str]:
    assigned = _ASSIGNED.fullmatch(word)
    if _URL.search(word):
        for url in _URL.findall(word):
            yield from _secrets_of_url(url)
    elif assigned is not None and _SECRET_NAME.search(assigned[1]):
        yield assigned[2]
    elif before and _SECRET_NAME.search(before):
        yield word
    else:
        yield from (each for each in re.split(r"[/=:,@\s]", word) if _is_token(each))


def _is_token(word: str) -> bool:
    """Whether a word looks random: long, with letters and several digits, and not for a date in it."""
    bare = _DATE.sub("", word)
    if _TOKEN.fullmatch(bare) is None or not re.search("[A-Za-z]", bare):
        return False
    mixed = re.search("[a-z]", bare) and re.search("[A-Z]", bare) and re.search(r"\d", bare)
    return len(re.findall(r"\d", bare)) >= 4 or mixed is not None


def _secrets_of_url(url: str) -> Iterator[str]:
    try:
        parts = urlsplit(url)
        userinfo = parts.netloc.rpartition("@")[0]
    except ValueError:
        yield url
        return
    for each in (userinfo, *userinfo.split(":", 1), parts.fragment):
        yield from (each, unquote(each))
    for _, value in parse_qsl(parts.query, keep_blank_values=True):
        yield value
    yield from (each for each in parts.path.split("/") if _is_token(unquote(each)))


def _shown_url(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return _HIDDEN
    path = "/".join(_HIDDEN if _is_token(unquote(each)) else each for each in parts.path.split("/"))
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], path, _HIDDEN if parts.query else "", ""))
