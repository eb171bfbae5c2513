"""What counts as a secret by its name and its place, from `specs/secrets.yaml`: fields, headers, parameters, paths.

A name is known, or it ends as the names of secrets do (`acme_key`) and no contract has a member of this name. Where an
ending has other meanings, or the place holds what user, model and tools wrote, the value has to look like a secret too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal
from urllib.parse import unquote

from conformance.cassette.randomness import looks_random
from conformance.cassette.secretkinds import is_placeholder, table
from conformance.model.sized_cache import sized_cache

Holder = Literal["secret", "session"]
HeaderHolder = Literal["credential", "identity", "session", "trace"]
Ending = Literal["sure", "unsure"]

_MIXED = re.compile(r"(?=\S*[0-9])(?=\S*[A-Za-z])\S{8,}")


def _plain(name: str) -> str:
    return re.sub(r"[-_. ]", "", name).lower()


@sized_cache(4096, long=256)
def ending(name: str) -> Ending | None:
    """Whether a name ends as those of secrets do, and whether that is enough; None for what contracts name."""
    ends, plain = table()["endings"], _plain(name)
    if plain in ends["named"] or plain in ends["harmless"]:
        return None
    if plain.endswith(tuple(ends["sure"])):
        return "sure"
    return "unsure" if plain.endswith(tuple(ends["unsure"])) else None


def ends_as_secret(name: str, value: str) -> bool:
    """Whether a value is a secret by the ending of its name, and by its own look where that is not enough."""
    sure = ending(name)
    return sure == "sure" or (sure == "unsure" and _MIXED.fullmatch(value) is not None)


@sized_cache(4096, long=256)
def _field(name: str) -> tuple[Holder, re.Pattern[str] | None, bool] | None:
    """The kind of secret in a JSON field of this name, the form that it has if that is needed too, and whether the
    name is sure; None for the name of no secret.
    """
    fields, plain = table()["fields"], _plain(name)
    if plain in fields["session"] or plain.endswith(tuple(fields["session"])):
        return "session", None, True
    if plain in fields["secret"] or plain.endswith(tuple(fields["ends"])):
        return "secret", None, True
    looks = fields["looks"].get(plain)
    if looks:
        return "secret", re.compile(looks), True
    end = ending(name)
    return None if end is None else ("secret", None if end == "sure" else _MIXED, end == "sure")


def held(path: Sequence[str | int], value: str) -> Holder | None:
    """The kind of a JSON string by the names above it; a name applies to the items of its list."""
    name = next((each for each in reversed(path) if isinstance(each, str)), None)
    field = None if name is None else _field(name)
    if field is None or is_placeholder(value):
        return None
    holder, looks, sure = field
    if looks is not None and looks.fullmatch(value) is None:
        return None
    above, (not_below, text_below, text_looks) = set(path) - {name}, _exceptions()
    if above & not_below:
        return None
    if above & text_below and not (text_looks.fullmatch(value) if sure else looks_random(value)):
        return None
    return holder


@cache
def _exceptions() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    fields = table()["fields"]
    return frozenset(fields["not_below"]), frozenset(fields["text_below"]), re.compile(fields["text_looks"])


@sized_cache(4096, long=256)
def header_holder(name: str) -> HeaderHolder | None:
    """The kind of secret in a header field of this name."""
    headers, name = table()["headers"], name.lower()
    for holder in ("credential", "identity", "session", "trace"):
        if name in headers[holder]:
            return holder
    words = f"-{name.replace('_', '-')}-"
    if any(f"-{part}-" in words or part in words for part in headers["except"]):
        return None
    if "-session-id-" in words or words.endswith("-session-"):
        return "session"
    secret = any(f"-{part}-" in words for part in headers["parts"]) or ending(name) is not None
    return "credential" if secret else None


def query_holder(name: str, value: str) -> Holder | None:
    """The kind of secret in a query parameter of this name; some names decide only together with the value."""
    looks, holder = _query(name)
    if looks is not None:
        return holder if looks.fullmatch(value) else None
    return holder or ("secret" if ends_as_secret(name, value) else None)


@sized_cache(4096, long=256)
def _query(name: str) -> tuple[re.Pattern[str] | None, Holder | None]:
    """The form that a parameter of this name has if it is a secret, if that is needed, and its kind then."""
    query, plain = table()["query"], _plain(name)
    looks = query["looks"].get(plain)
    if looks is not None:
        return re.compile(looks), "secret"
    if plain in query["session"]:
        return None, "session"
    return None, "secret" if plain in query["secret"] else None


def path_spans(path: str) -> Iterator[tuple[int, int]]:
    """The spans of the secrets in the path of a URL: random segments, and matrix parameters with the name of a secret.

    A member of a collection that the API itself names (`/responses/resp_…`) is an id, which rules compare.
    """
    before = ""
    for found in _SEGMENT.finditer(path):
        start = found.start()
        segment, *parameters = found[0].split(";")
        bare = segment.partition(":")[0]
        if _plain(before) not in _collections() and looks_random(unquote(bare)) and not is_placeholder(bare):
            yield start, start + len(bare)
        before = segment
        start += len(segment)
        for each in parameters:
            name, _, value = each.partition("=")
            secret = query_holder(unquote(name), value) or looks_random(unquote(value))
            if secret and value and not is_placeholder(value):
                yield start + 1 + len(each) - len(value), start + 1 + len(each)
            start += 1 + len(each)


@cache
def _collections() -> frozenset[str]:
    paths: Mapping[str, Any] = table()["paths"]
    return frozenset(paths["collections"])


@sized_cache(4096, long=256)
def names_server(name: str) -> bool:
    """Whether a JSON member of this name has the URL of a server that the request uses."""
    return _plain(name).endswith(tuple(table()["paths"]["servers"]))


def literals(text: str) -> Iterator[tuple[int, int]]:
    """The spans of random values after a name that ends as those of secrets do: `acme_key: …`, `--acme-key …`.

    A name in quotes is a member, which a contract may name.
    """
    for found in _ASSIGNED.finditer(text):
        name = _ASSIGNED_NAME.search(text, max(0, found.start() - _LONGEST_NAME), found.start())
        if name and (ending(name[1]) if name[2] else _ends(name[1])) and _is_secret(found["value"]):
            yield found.span("value")
    for found in _FLAG.finditer(text) if "-" in text else ():
        if _ends(found["name"]) and _is_secret(found["value"]) and not text[: found.start()][-1:].isalnum():
            yield found.span("value")


def _is_secret(value: str) -> bool:
    return looks_random(value) and not is_placeholder(value)


@sized_cache(4096, long=256)
def _ends(name: str) -> bool:
    """Whether a name in text ends as those of secrets do: there `key` and `token` are no members."""
    ends = table()["endings"]
    return _plain(name).endswith((*ends["sure"], *ends["unsure"]))


_LONGEST_NAME = 84
_VALUE = r"""['"]?(?P<value>[A-Za-z0-9_\-.~+/=%]{12,})"""
_ASSIGNED = re.compile(rf"[:=]>?\s{{0,3}}{_VALUE}")
_ASSIGNED_NAME = re.compile(r"""([A-Za-z][\w.\-]*)(['"]?)\s{0,3}\Z""")
_FLAG = re.compile(rf"-(?P<name>[A-Za-z][\w.\-]{{0,80}})[ \t]{{1,3}}{_VALUE}")
_SEGMENT = re.compile(r"[^/]+")
