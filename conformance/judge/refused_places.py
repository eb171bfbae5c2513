"""The places of a request that the provider's refusal names, in whatever form its words have.

What is at such a place is known to be refused: a finding there is an error (docs/contract/policy.md).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from conformance.contract.relations import snake_case
from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Hit
from conformance.model.pointer import get, join
from conformance.model.values import text_of

_TYPE = "custom"
"""The type of a tool of Messages that has none."""
REFUSED = (400, 422)
"""The statuses with which providers refuse what a request has."""
_KINDS = frozenset({"type", "code", "status", "request_id"})
"""The members of an error that name its kind or its exchange, and no field of the request."""
_OF_KIND = ("type", "role")
"""The members whose values many objects have, and name none of them."""
_LONGEST = 20_000
_DIGITS = 3
"""What an id has at least, and what a name in the words of a refusal seldom has."""
_PATH = re.compile(r"[A-Za-z_]\w*(?:\[\d+\]|\.\w+)*")
_QUOTED = re.compile(r"""['"`]([A-Za-z_][\w.\[\]]*)['"`]""")
_FIRST = re.compile(r"\b([a-z_]\w*): (?:Extra inputs|Field required|Input should)|extraneous key \[(\w+)\]")
"""How pydantic and Bedrock's gateway name a field by a plain word."""
_ID = re.compile(r"\b[A-Za-z]+[_-](?=\w*\d)\w+\b")
"""The id of a call, as `call_abc123`: letters, a separator, and somewhere a digit."""
_LAST = re.compile(r":\s*([A-Za-z_]\w*)\.?$")
_CODE = re.compile(r"`([A-Za-z_][\w.]*)")
_MANY_WORDS = re.compile(r"_|[a-z][A-Z]|[\[.]")
"""What a name of a field has, and no plain word of a sentence."""

Tokens = tuple[str | int, ...]


def named_in(exchange: Exchange) -> Collection[str]:
    """The places that the refusal of an exchange names; none if it was not refused for what it has."""
    if exchange.response.status not in REFUSED:
        return ()
    return refused_places(exchange.request.body.json, exchange.response.body.json)


def is_refused(exchange: Exchange, value: Any) -> bool:
    """Whether the exchange was refused in words that have the value: an id that the provider does not know."""
    if not isinstance(value, str) or "status" in exchange.lacks or exchange.response.status not in (*REFUSED, 404):
        return False
    is_id = sum(map(str.isdigit, value)) >= _DIGITS
    return is_id and any(value in each for each in jsontext.texts(exchange.response.body.json))


def is_named(hit: Hit | Finding, places: Collection[str]) -> bool:
    """Whether one of the places is that of a hit, or of the member that it lacks, or a field that its words name."""
    if hit.pointer in places:
        return True
    words = f"{hit.message} {hit.expected}"
    parts = (each.rpartition("/") for each in places)
    return any(
        f"`{name}`" in words if slash and at == hit.pointer else not slash and name in _fields(words)
        for at, slash, name in parts
    )


def _fields(words: str) -> frozenset[str]:
    """The fields that the words of a finding name as code, in snake case: `toolConfig.mode: "ANY"` is of `mode`."""
    return frozenset(snake_case(each.rpartition(".")[2]) for each in _CODE.findall(words))


def refused_places(request: Any, reply: Any) -> frozenset[str]:
    """The places that a refusal names and the request has, those of missing members that it names in an object, and
    the fields of several words, in snake case, that the request does not have at all.
    """
    if not isinstance(request, (dict, list)):
        return frozenset()
    named = {tokens: _resolved(request, tokens) for tokens in _named(reply)}
    ids = frozenset(_ID.findall(" ".join(jsontext.texts(reply))))
    found = list(_identified(request, ids)) if ids else []
    found += [each for each in named.values() if each is not None]
    inner = [(*place, *tokens) for place in found for tokens in named if place and len(tokens) == 1]
    quoted = frozenset(str(tokens[0]) for tokens in named if len(tokens) == 1)
    found += [each for place in found if place for each in _quoted(get(request, join("", *place)), place, quoted)]
    found += [each for tokens in inner for each in [_resolved(request, tokens)] if each is not None]
    absent = (tokens[-1] for tokens, place in named.items() if tokens and place is None)
    fields = {snake_case(each) for each in absent if isinstance(each, str) and _MANY_WORDS.search(each)}
    return frozenset(join("", *map(str, each)) for each in found if each) | fields


def _identified(request: Any, ids: frozenset[str]) -> Iterator[Tokens]:
    """The objects in the request whose ids the refusal names."""
    return (at for at, value in _inside(request) if isinstance(value, dict) and text_of(value.get("id")) in ids)


def _quoted(value: Any, at: Tokens, quoted: frozenset[str]) -> Iterator[Tokens]:
    """The places of the names in a value that the refusal quotes: of a tool in `tool_choice`."""
    return (place for place, each in _inside(value, at) if text_of(each) in quoted and place[-1] not in _OF_KIND)


def _inside(value: Any, at: Tokens = ()) -> Iterator[tuple[Tokens, Any]]:
    """Everything in a value, each with its place."""
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*at, key), each
        if isinstance(each, (dict, list)):
            yield from _inside(each, (*at, key))


def _resolved(value: Any, tokens: Tokens) -> Tokens | None:
    """The tokens as the request spells them. Only the last one may be missing, from an object in another one.

    A step that is the type of an object leads nowhere: `system.1.cache_control.ephemeral.scope`.
    """
    found: list[str | int] = []
    for number, token in enumerate(tokens):
        if isinstance(value, list) and isinstance(token, int) and token < len(value):
            key: str | int = token
        elif isinstance(value, dict) and (known := _key(value, str(token))) is not None:
            key = known
        elif isinstance(value, dict) and number < len(tokens) - 1 and token == value.get("type", _TYPE):
            continue
        else:
            last = number == len(tokens) - 1 and number > 0 and isinstance(value, dict)
            return (*found, token) if last else None
        found.append(key)
        value = value[key]
    return tuple(found)


def _key(value: dict[str, Any], name: str) -> str | None:
    """The key of an object by its name, in camel case or in snake case."""
    if name in value:
        return name
    return next((key for key in value if snake_case(key) == snake_case(name)), None)


def _named(reply: Any, key: str = "") -> Iterator[Tokens]:
    """The paths that a reply names: as a parameter, as an array of steps, or in its words."""
    if isinstance(reply, dict):
        for name, each in reply.items():
            if name not in _KINDS:
                yield from _named(each, name)
    elif isinstance(reply, list) and key == "loc":
        yield tuple(each for each in reply if isinstance(each, (str, int)))[reply[:1] == ["body"] :]
    elif isinstance(reply, list):
        for each in reply:
            yield from _named(each, key)
    elif isinstance(reply, str) and len(reply) < _LONGEST:
        inner = jsontext.parse(reply) if reply.startswith("{") else None
        if isinstance(inner, dict):
            yield from _named(inner)
        elif key in ("param", "field"):
            yield _tokens(reply)
        else:
            plain = (name for names in _FIRST.findall(reply) for name in names if name)
            yield from map(_tokens, (*_QUOTED.findall(reply), *_LAST.findall(reply), *plain))
            yield from (_tokens(each) for each in _PATH.findall(reply) if _MANY_WORDS.search(each))


def _tokens(path: str) -> Tokens:
    steps: Sequence[str] = re.findall(r"\w+", path)
    own = steps[1:] if steps[:1] == ["GenerateContentRequest"] else steps
    return tuple(int(each) if each.isdecimal() else each for each in own)
