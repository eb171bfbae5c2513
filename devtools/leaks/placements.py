"""Secrets that no list names, each in one place: a product of names, places and forms.

`placed` plants what is a secret by its randomness, its place or the ending of its name; `pieces` writes the key in use
cut, with separators, in lines and in other encodings.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from devtools.leaks.planted import URL, Cassette, written

ENDINGS = (
    "key", "token", "secret", "session", "sid", "jwt", "hmac", "signature", "cookie", "password", "credential",
)  # fmt: skip
_JSON = {"content-type": ["application/json"]}
_ALNUM = string.ascii_letters + string.digits
_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


class Placed(NamedTuple):
    """A recording with a secret at one place, as `form` writes it; `in_use` is the key that this is made from."""

    group: str
    name: str
    document: Cassette
    form: str
    in_use: str | None = None

    @property
    def kept(self) -> bool:
        """Whether the form stands in what is written, as it is or as JSON escapes it once or twice."""
        left = written(self.document, {self.in_use} if self.in_use else set())
        once = json.dumps(self.form)[1:-1]
        return any(form in left for form in (self.form, once, json.dumps(once)[1:-1]))


def _of(letters: str, size: int, chance: random.Random) -> str:
    sure = [each for each in ("a", "7", "B") if each in letters]
    drawn = [*chance.choices(letters, k=size - len(sure)), *sure]
    chance.shuffle(drawn)
    return "".join(drawn)


SHAPES: dict[str, Callable[[random.Random], str]] = {
    "hex 32": lambda chance: _of(string.hexdigits[:16], 32, chance),
    "hex 64": lambda chance: _of(string.hexdigits[:16], 64, chance),
    "alphanumeric 20": lambda chance: _of(_ALNUM, 20, chance),
    "alphanumeric 40": lambda chance: _of(_ALNUM, 40, chance),
    "base64url 43": lambda chance: (
        _of(_ALNUM, 21, chance) + "-" + _of(_ALNUM, 10, chance) + "_" + _of(_ALNUM, 10, chance)
    ),
    "base32 26": lambda chance: _of("abcdefghijklmnopqrstuvwxyz234567", 26, chance),
    "UUID": lambda chance: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
}


def interaction(
    url: str = URL, *, asked: Any = None, answered: Any = None, sent: Any = (), got: Any = (), status: int = 200
) -> Cassette:
    """A recording of one exchange."""
    answer = answered if isinstance(answered, str) else json.dumps(answered or {})
    one = {
        "request": {"method": "POST", "uri": url, "headers": {**_JSON, **dict(sent)}, "body": json.dumps(asked or {})},
        "response": {
            "status": {"code": status, "message": "OK"},
            "headers": {**_JSON, **dict(got)},
            "body": {"string": answer},
        },
    }
    return {"version": 1, "interactions": [one]}


def placed() -> Iterator[Placed]:
    """Secrets that nobody passed: found by what they are."""
    chance = random.Random(20261123)
    yield from _in_paths(chance)
    yield from _by_name(chance)
    yield from _in_text(chance)


_PATHS = (
    "/s/{}/mcp", "/mcp/{}", "/{}/v1/chat/completions", "/v1/{}/chat/completions", "/hooks/{}/openai/v1/responses",
    "/api/{}/sse", "/u/acme/{}/v1/messages", "/gateway/{}/v1beta/models/gemini-2.5-flash:generateContent",
)  # fmt: skip


def _in_paths(chance: random.Random) -> Iterator[Placed]:
    for path in _PATHS:
        for shape, make in SHAPES.items():
            secret = make(chance)
            yield Placed("path", f"{path} {shape}", interaction(f"https://h.example{path.format(secret)}"), secret)
    for name in (*ENDINGS, "jsessionid", "v"):
        for shape in ("hex 32", "alphanumeric 20"):
            secret = SHAPES[shape](chance)
            url = f"https://h.example/v1;{name}={secret}/chat/completions"
            yield Placed("matrix parameter", f";{name}= {shape}", interaction(url), secret)


def _named(ending: str) -> tuple[str, ...]:
    """A name that no list has, in each of the usual ways of writing."""
    return (f"acme_{ending}", f"acme-{ending}", f"acme{ending.title()}", f"ACME{ending.upper()}")


def _by_name(chance: random.Random) -> Iterator[Placed]:
    for ending in ENDINGS:
        for name in _named(ending):
            secret = SHAPES[chance.choice(list(SHAPES))](chance)
            yield Placed("header", f"request {name}", interaction(sent={f"X-{name}": [secret]}), secret)
            yield Placed("header", f"response {name}", interaction(got={f"X-{name}": [secret]}), secret)
            yield Placed("query", name, interaction(f"{URL}?a=1&{name}={secret}"), secret)
            for place, made in _members(name, secret).items():
                yield Placed("member", f"{place} {name}", made, secret)


def _members(name: str, secret: str) -> dict[str, Cassette]:
    member = {name: secret}
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": json.dumps({"q": 1, **member})}}
    event = f"data: {json.dumps({'choices': [], 'x_server': member})}\n\n"
    text = f"the server answered {json.dumps(member)} to this"
    return {
        "request": interaction(asked={"model": "m", **member}),
        "metadata": interaction(asked={"metadata": {"deep": [member]}}),
        "response": interaction(answered={"id": "x", **member}),
        "error": interaction(answered={"error": {"message": "no", "details": [member]}}, status=401),
        "tool arguments": interaction(answered={"choices": [{"message": {"tool_calls": [call]}}]}),
        "tool result": interaction(asked={"messages": [{"role": "tool", "content": json.dumps(member)}]}),
        "event": interaction(answered=event, got={"content-type": ["text/event-stream"]}),
        "prose": interaction(asked={"messages": [{"role": "user", "content": text}]}),
    }


_LITERAL = (
    "run it with --{} {} now", "cmd --acme-{}={} --verbose", "export ACME_{}={}", "acme_{}: {}", "acme.{} = '{}'",
    "set the acme {}: {}",
)  # fmt: skip


def _in_text(chance: random.Random) -> Iterator[Placed]:
    for ending in ENDINGS:
        for literal in _LITERAL:
            secret = SHAPES[chance.choice(list(SHAPES))](chance)
            text = literal.format(ending.upper() if "ACME" in literal else ending, secret)
            yield Placed("text", f"{literal} {ending}", interaction(asked={"messages": [{"content": text}]}), secret)
    secret = SHAPES["alphanumeric 20"](chance)
    for text in (f"curl -u admin:{secret} https://h.example", f"curl -H 'X-Acme-Auth: {secret}' https://h.example"):
        yield Placed("text", text.replace(secret, "…"), interaction(asked={"messages": [{"content": text}]}), secret)


def pieces(secret: str) -> dict[str, tuple[str, str]]:
    """What is written of a key in use, and the part of it that must not be left."""
    content, half, quarter = secret.encode(), len(secret) // 2, len(secret) // 4
    lines = {
        f"base64 in lines of {size}": (end.join(_cut(base64.b64encode(b"user:" + content * 3).decode(), size)))
        for size, end in ((76, "\n"), (64, "\r\n"), (20, "\n "), (10, "\n"))
    }
    wide = {f"base64 of {name}": base64.b64encode(secret.encode(name)).decode() for name in ("utf-16-le", "utf-16-be")}
    zero = "".join(f"{each}{_ZERO_WIDTH[place % 6]}" for place, each in enumerate(secret))
    percent = "".join(f"%{ord(each):02X}" if place % 2 else each for place, each in enumerate(secret))
    mixed = "".join(f"%{ord(each):02x}" if place % 3 else f"{each}\u200b" for place, each in enumerate(secret))
    whole = {
        **lines,
        **wide,
        "hex with colons": content.hex(":"),
        "hex with spaces": content.hex(" ").upper(),
        "hex with dashes": content.hex("-"),
        "hex with 0x": ", ".join(f"0x{each:02x}" for each in content),
        "hex with \\x": "".join(f"\\x{each:02x}" for each in content),
        "UTF-16": "\0".join(secret),
        "zero-width": zero,
        "zero-width, few": "\u200b".join(_cut(secret, 5)),
        "percent, half": percent,
        "percent and zero-width": mixed,
        "zero-width as percent": "%E2%80%8B".join(_cut(secret, 4)),
    }
    cut = {
        "without its beginning": secret[quarter:],
        "without its end": secret[: -quarter or None],
        "first half": secret[:half],
        "second half": secret[half:],
        "middle": secret[quarter:-quarter],
        "halves apart": f"{secret[:half]} and {secret[half:]}",
    }
    return {name: (text, text) for name, text in whole.items()} | {
        name: (text, secret[half:] if text.endswith(secret[half:]) else text) for name, text in cut.items()
    }


def in_use() -> Iterator[Placed]:
    """Keys in use, cut or spelled in each way, at each place that can have them."""
    chance = random.Random(20261124)
    shapes = ("alphanumeric 20", "alphanumeric 40", "base64url 43")
    for secret in (*(SHAPES[shape](chance) for shape in shapes), "tp-9f/8a+7b=6c5d~4e3fQz01"):
        for name, (text, form) in pieces(secret).items():
            for place, made in _places(text).items():
                yield Placed("key in use", f"{name}, {place}", made, form, secret)


def _places(text: str) -> dict[str, Cassette]:
    legal = text.isprintable() and " " not in text
    url = {"path": interaction(f"https://h.example/x/{text}/v1/messages"), "query": interaction(f"{URL}?q={text}")}
    header = {
        "header": interaction(got={"x-note": [f"of {text}"]}),
        "header name": interaction(got={f"x-{text}": ["1"]}),
    }
    return {
        "message": interaction(answered={"error": {"message": f"wrong: {text}."}}, status=401),
        "tool arguments": interaction(answered={"arguments": json.dumps({"a": text})}),
        "member name": interaction(answered={"x": {text: 1}}),
        "body without JSON": interaction(answered=f"<p>{text}</p>"),
        "event": interaction(answered=f"data: {json.dumps({'x': text})}\n\n"),
        **(url if legal and "\\" not in text else {}),
        **(header if legal and text.isascii() else {}),
    }


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
