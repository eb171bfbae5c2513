"""Secrets of each kind in `specs/secrets.yaml`, made at run time from its pattern, and their spellings."""

from __future__ import annotations

import base64
import gzip
import json
import quopri
import random
import re
import string
import zlib
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]
from typing import Any
from urllib.parse import quote

from conformance.cassette.secretkinds import Kind, kinds

_TRIES = 2_000
_MOST = 12
"""How often a repetition without a limit is repeated beyond its least number."""
_WORD = string.ascii_letters + string.digits
_OPAQUE = 10


def secrets(each: int) -> Iterator[tuple[str, str, str]]:
    """Each kind with a secret and the text in which its form is recognised, `each` times; a mere prefix once."""
    chance = random.Random(20261122)
    for kind in kinds():
        for _ in range(1 if kind.random else each):
            yield _made(kind, chance)
    for number in range(_OPAQUE):
        opaque = "".join(chance.choices(_WORD, k=24 + number)) + "a7B"
        yield "opaque", opaque, opaque


def _made(kind: Kind, chance: random.Random) -> tuple[str, str, str]:
    tree = _parser.parse(kind.pattern.pattern, kind.pattern.flags)
    for _ in range(_TRIES):
        text = _drawn(tree, chance) + chance.choice(["", ":"])
        found = kind.pattern.search(text)
        if found is not None and kind.name in {one.name for one in kinds() if any(hint in text for hint in one.hints)}:
            span = next(kind.spans(text), None)
            if span is not None:
                return kind.name, text[slice(*span)], text
    raise ValueError(f"no example of {kind.name} was found")


def _drawn(tree: Any, chance: random.Random) -> str:
    """A text that a parsed regular expression may match; what it only looks at is not drawn."""
    return "".join(_token(str(name), value, chance) for name, value in tree)


def _token(name: str, value: Any, chance: random.Random) -> str:
    if name == "LITERAL":
        return chr(value)
    if name in ("NOT_LITERAL", "ANY"):
        return chance.choice(_WORD)
    if name == "IN":
        return _member(value, chance)
    if name == "BRANCH":
        return _drawn(chance.choice(value[1]), chance)
    if name == "SUBPATTERN":
        return _drawn(value[-1], chance)
    if name in ("MAX_REPEAT", "MIN_REPEAT"):
        least, most, inner = value
        most = min(int(most), least + _MOST)
        return "".join(_drawn(inner, chance) for _ in range(chance.randint(least, most)))
    if name == "ASSERT" and value[0] == 1 and value[1] and str(value[1][0][0]) == "LITERAL":
        return _drawn(value[1], chance)  # what must follow, as the host after a resource's name
    if name == "ASSERT" and value[0] == -1:
        return _drawn(value[1], chance)
    return ""


def _member(items: Any, chance: random.Random) -> str:
    letters = [chr(code) for code in range(32, 127)]
    negated = str(items[0][0]) == "NEGATE"
    allowed: list[str] = []
    for name, value in items:
        kind = str(name)
        if kind == "LITERAL":
            allowed.append(chr(value))
        elif kind == "RANGE":
            allowed += [chr(code) for code in range(value[0], value[1] + 1)]
        elif kind == "CATEGORY":
            matching = re.compile(
                {"CATEGORY_DIGIT": r"\d", "CATEGORY_WORD": r"\w", "CATEGORY_SPACE": r"\s"}[str(value)]
            )
            allowed += [each for each in letters if matching.fullmatch(each)]
    if negated:
        allowed = [each for each in letters if each not in allowed]
    return chance.choice([each for each in allowed if each in _WORD] or allowed)


def spellings(secret: str) -> dict[str, bytes]:
    """The secret in each way in which it may be written, as it stands in a body."""
    content = secret.encode()
    inside = b'{"k": ' + json.dumps(secret).encode() + b"}"
    raw = zlib.compressobj(wbits=-15)
    texts = {
        "plain": secret,
        "base64": base64.b64encode(content).decode(),
        "base64 at 1": base64.b64encode(b"u" + content + b"tail").decode(),
        "base64 at 2": base64.b64encode(b"u:" + content + b"tail").decode(),
        "base64url": base64.urlsafe_b64encode(content).decode().rstrip("="),
        "base64 of JSON": base64.b64encode(inside).decode(),
        "base64 of gzip": base64.b64encode(gzip.compress(inside, mtime=0)).decode(),
        "base32": base64.b32encode(content).decode(),
        "base85": base64.b85encode(content).decode(),
        "percent": quote(secret, safe=""),
        "percent-all": "".join(f"%{byte:02x}" for byte in content),
        "percent twice": quote("".join(f"%{byte:02x}" for byte in content), safe=""),
        "escaped": "".join(f"\\u{ord(char):04x}" for char in secret),
        "JSON in JSON": json.dumps(json.dumps({"k": secret})),
        "HTML": "".join(f"&#{ord(char)};" for char in secret),
        "hex": content.hex(),
        "quoted-printable": "".join(f"={byte:02X}" for byte in content),
        "quoted-printable lines": quopri.encodestring(content, quotetabs=True).decode(),
        "pointer": "/" + secret.replace("~", "~0").replace("/", "~1"),
        "reversed": secret[::-1],
        "lower case": secret.lower(),
        "upper case": secret.upper(),
        "spaced": " ".join(secret),
        "dashed": "-".join(secret),
    }
    coded = {
        "gzip": gzip.compress(inside, mtime=0),
        "two gzip members": gzip.compress(inside[:9], mtime=0) + gzip.compress(inside[9:], mtime=0),
        "zlib": zlib.compress(inside),
        "raw deflate": raw.compress(inside) + raw.flush(),
        "UTF-16": inside.decode().encode("utf-16"),
    }
    return {name: text.encode() for name, text in texts.items()} | coded


CODED = ("gzip", "two gzip members", "zlib", "raw deflate", "UTF-16")
"""Spellings of a whole body, not of a text in it."""
LOOSE = ("reversed", "lower case", "upper case", "spaced", "dashed", "base32", "base85", "quoted-printable lines")
"""Spellings that are only searched for in secrets of 16 characters or more: shorter ones occur by chance."""
