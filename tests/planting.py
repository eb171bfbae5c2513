"""Secrets made at run time, so that no scanner trips on this repository, and the places where they are planted."""

from __future__ import annotations

import base64
import gzip
import json
import random
import string
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

_RANDOM = random.Random(20261120)
_ALNUM, _HEX, _UPPER = string.ascii_letters + string.digits, "0123456789abcdef", string.ascii_uppercase + "234567"


def _of(letters: str, size: int) -> str:
    """Random characters, a digit and letters of both cases among them where there are such."""
    tail = "".join(each for each in "a7B" if each in letters) or letters[:3]
    return "".join(_RANDOM.choices(letters, k=size - len(tail))) + tail


def _jwt() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": _of(_ALNUM, 12), "iat": 1})
    encoded = [base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in parts]
    return ".".join([*encoded, _of(_ALNUM, 43)])


def _pem() -> str:
    lines = "\n".join(_of(_ALNUM + "+/", 64) for _ in range(3))
    return f"-----BEGIN {'PRIVATE'} KEY-----\n{lines}\n-----END {'PRIVATE'} KEY-----"


_LOOKS: Mapping[str, Callable[[], str]] = {
    "openai": lambda: "sk-" + _of(_ALNUM, 48),
    "openai-project": lambda: "sk-" + "proj-" + _of(_ALNUM + "_-", 60),
    "openai-session": lambda: "sess" + "-" + _of(_ALNUM, 40),
    "anthropic": lambda: "sk-" + "ant-api03-" + _of(_ALNUM + "_-", 93) + "AA",
    "openrouter": lambda: "sk-" + "or-v1-" + _of(_HEX, 64),
    "google": lambda: "AI" + "za" + _of(_ALNUM, 35),
    "google-token": lambda: "ya" + "29." + _of(_ALNUM, 60),
    "aws": lambda: "AK" + "IA" + _of(_UPPER, 16),
    "bedrock": lambda: "AB" + "SK" + _of(_ALNUM, 120),
    "azure": lambda: _of(_ALNUM, 3) + "8" + "Q~" + _of(_ALNUM, 33),
    "groq": lambda: "gs" + "k_" + _of(_ALNUM, 52),
    "xai": lambda: "xa" + "i-" + _of(_ALNUM, 80),
    "huggingface": lambda: "h" + "f_" + _of(_ALNUM, 34),
    "replicate": lambda: "r" + "8_" + _of(_ALNUM, 37),
    "fireworks": lambda: "f" + "w_" + _of(_ALNUM, 24),
    "perplexity": lambda: "pp" + "lx-" + _of(_ALNUM, 48),
    "nvidia": lambda: "nv" + "api-" + _of(_ALNUM + "_-", 64),
    "github": lambda: "gh" + "p_" + _of(_ALNUM, 36),
    "github-fine": lambda: "github" + "_pat_" + _of(_ALNUM + "_", 82),
    "gitlab": lambda: "gl" + "pat-" + _of(_ALNUM, 20),
    "slack": lambda: "xo" + "xb-" + _of(string.digits, 12) + "-" + _of(_ALNUM, 24),
    "stripe": lambda: "sk" + "_live_" + _of(_ALNUM, 24),
    "jwt": _jwt,
    "private-key": _pem,
}
"""Secrets that are known by their looks."""

_OPAQUE: Mapping[str, Callable[[], str]] = {
    "mistral": lambda: _of(_ALNUM, 32),
    "cohere": lambda: _of(_ALNUM, 40),
    "together": lambda: _of(_HEX, 64),
    "azure-key": lambda: _of(_ALNUM, 84),
    "odd": lambda: _of(_ALNUM, 12) + "+/=&é" + _of(_ALNUM, 8) + '"\\<' + _of(_ALNUM, 4),
}
"""Secrets that look like nothing: they are found because they are in use."""

SHAPED = [(kind, make()) for kind, make in _LOOKS.items() for _ in range(3)]
SECRETS = [*SHAPED, *((kind, make()) for kind, make in _OPAQUE.items() for _ in range(2))]


def spellings(secret: str) -> dict[str, str]:
    """The secret as it may stand in a text, by the name of the way it is written."""
    content = secret.encode()
    ways = {f"base64-{shift}": base64.b64encode(b"u:x"[:shift] + content + b"tail").decode() for shift in range(3)}
    return {
        "plain": secret,
        **ways,
        "base64url": base64.urlsafe_b64encode(content).decode().rstrip("="),
        "base64-of-json": base64.b64encode(json.dumps({"k": secret}).encode()).decode(),
        "base64-of-gzip": base64.b64encode(gzip.compress(b'{"k": "' + content + b'"}', mtime=0)).decode(),
        "percent": quote(secret, safe=""),
        "percent-all": "".join(f"%{byte:02x}" for byte in content),
        "percent-twice": quote(quote(secret, safe=""), safe=""),
        "unicode-escaped": "".join(f"\\u{ord(char):04x}" for char in secret),
        "json-in-json": json.dumps(json.dumps({"k": secret})),
        "html": "".join(f"&#{ord(char)};" for char in secret),
        "hex": content.hex(),
    }


def shape_of(value: Any) -> Any:
    """A JSON value's key paths and kinds, without the values."""
    if isinstance(value, dict):
        return {key: shape_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape_of(each) for each in value]
    return type(value).__name__
