"""Who answered an exchange: by the host of its URL, then by the headers of the answer, by the client that a provider
makes for itself, by members of the reply, and by the name of the model.

Hosts win, because a gateway may pass on the headers and the model's name of its upstream. Of headers of several
providers, only those of a gateway count. The reference server plays the provider of such a client. What a provider is
known by is in its profile, with evidence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from conformance.model import pointer
from conformance.model.exchange import Headers
from conformance.profiles.profiles import all_shipped

Way = Literal["host", "header", "client", "member", "model"]

_REFERENCE = "reference"


class Recognised(NamedTuple):
    """A provider, and what it was recognised by: the host, the name of a header, the client, a member, or the model."""

    provider: str
    way: Way
    by: str


def recognised(
    host: str,
    headers: Headers,
    model: Callable[[], str | None] = lambda: None,
    agent: str | None = None,
    reply: Callable[[], Any] = lambda: None,
    *,
    answering: Callable[[], str | None] = lambda: None,
) -> Recognised | None:
    """The provider of an exchange; None if nothing is known to be its alone.

    `model` gives the model of the request, `agent` is the client's user agent, `reply` gives the JSON of the reply, or
    that of the first event of a stream, and `answering` the model that an answer names whose request is unknown.
    """
    named = provider_of(host)
    client = _only("clients", agent) if agent else None
    if named is not None and (client is None or named != _REFERENCE):
        return Recognised(named, "host", host)
    senders = dict(_of_headers(headers))
    if senders:
        return _one_of(senders)
    if client is not None:
        return Recognised(client, "client", agent or "")
    member = _of_members(reply())
    if member is not None:
        return member
    for mark, each in (("models", model()), ("answers", answering())):
        named = _only(mark, each) if each else None
        if named is not None:
            return Recognised(named, "model", each or "")
    return None


def _one_of(senders: Mapping[str, str]) -> Recognised | None:
    """The only provider that sent a header, or the only gateway among several."""
    if len(senders) > 1:
        profiles = all_shipped()
        senders = {name: header for name, header in senders.items() if profiles[name].is_gateway}
    found = [Recognised(name, "header", header) for name, header in senders.items()]
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=4096)
def provider_of(host: str) -> str | None:
    """The provider of a host; None for a host that is in no shipped profile."""
    for name, profile in all_shipped().items():
        if any(_lies_below(host, each) for each in profile.hosts):
            return name
    return None


def _lies_below(host: str, known: str) -> bool:
    """Whether a host is a known one or below it; `*` in the known one is one or more characters."""
    before, star, after = known.rpartition("*")
    if not star:
        return host == known or host.endswith(f".{known}")
    return host.endswith(after) and f".{before}" in f".{host}"[: -len(after) - 1]


@cache
def _headers() -> Mapping[str, list[tuple[str | None, str]]]:
    """By the name of a header, the patterns of its values, each with the provider that sends it; None for any value."""
    found = defaultdict(list)
    for name, profile in all_shipped().items():
        for mark in profile.known_by:
            for header in mark.get("headers", ()):
                found[header].append((mark.get("value"), name))
    return dict(found)


@cache
def _members() -> Sequence[tuple[str, str | None, str]]:
    """The members of replies that one provider alone sends, each with the pattern of its value and that provider."""
    return [
        (member, mark.get("value"), name)
        for name, profile in all_shipped().items()
        for mark in profile.known_by
        for member in mark.get("members", ())
    ]


def _of_members(reply: Any) -> Recognised | None:
    """The provider by a member of its reply, or by one of the first choice: `choices/0/matched_stop`."""
    for member, pattern, name in _members():
        value = pointer.get(reply, f"/{member}")
        if value is not pointer.MISSING and (
            pattern is None or (isinstance(value, str) and re.fullmatch(pattern, value))
        ):
            return Recognised(name, "member", member)
    return None


def _of_headers(headers: Headers) -> Iterator[tuple[str, str]]:
    for header, marks in _headers().items():
        value = headers.get(header)
        if value is not None:
            yield from ((name, header) for pattern, name in marks if pattern is None or re.fullmatch(pattern, value))


@lru_cache(maxsize=2048)
def _only(mark: str, value: str) -> str | None:
    """The only provider with a mark of a kind that matches the whole value."""
    found = {
        name
        for name, profile in all_shipped().items()
        for each in profile.known_by
        if mark in each and re.fullmatch(each[mark], value)
    }
    return found.pop() if len(found) == 1 else None
