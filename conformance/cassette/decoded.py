"""A text without one or several layers of encoding, for checks of what it contains.

Redaction finds a secret by spelling it in every way; here every way of writing is undone instead. The two share no
code, so that what the one overlooks, the other sees.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import deque
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

from conformance.cassette.compressed import unpacked

_DEEPEST = 4
_BUDGET = 1 << 23
_ESCAPE = re.compile(r"(?<!\\)\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"'/\\nrtbf]))")
_NAMED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_BASE32 = re.compile(r"[A-Z2-7]{24,}|[a-z2-7]{24,}")
_QUOTED = re.compile(r"=([0-9A-F]{2})|=\r?\n")
_ZIPPED = re.compile(r"H4sI[A-Za-z0-9+/_-]{20,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")


def views(text: str) -> Iterator[str]:
    """The text and all its decoded forms: unescaped, percent-decoded, from base64 and hex, decompressed."""
    waiting = deque([(text, 0)])
    seen: set[str] = set()
    budget = max(_BUDGET, 4 * len(text))
    while waiting and budget > 0:
        view, depth = waiting.popleft()
        if view in seen:
            continue
        seen.add(view)
        budget -= len(view)
        yield view
        if depth < _DEEPEST:
            waiting.extend((each, depth + 1) for each in _layers(view) if each and each != view)


def _layers(text: str) -> Iterator[str]:
    if "\\" in text:
        yield _ESCAPE.sub(_unescaped, text)
    if "%" in text:
        yield unquote(text)
        yield unquote_plus(text)
    if "&" in text:
        import html

        yield html.unescape(text)
    if "~" in text:
        yield text.replace("~1", "/").replace("~0", "~")
    if "=" in text:
        yield _QUOTED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "", text)
    for found in _BASE32.finditer(text):
        yield from _from_base32(found[0])
    for found in _ZIPPED.finditer(text) if "H4sI" in text else ():
        yield from _decoded(found[0].rstrip("="))
    for found in _BASE64.finditer(text):
        yield from _decoded(found[0].rstrip("="))
    for found in _HEX.finditer(text):
        yield _readable(bytes.fromhex(found[0]))


def _from_base32(run: str) -> Iterator[str]:
    run = run.upper()
    for start in range(8):
        piece = run[start : start + (len(run) - start) // 8 * 8]
        if piece:
            yield _readable(base64.b32decode(piece))


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _NAMED.get(found[3], found[3])


def _decoded(run: str) -> Iterator[str]:
    """A run may begin within a group of four: it is read from each of the four places."""
    run = run.replace("-", "+").replace("_", "/")
    for start in range(4):
        piece = run[start:]
        piece = piece[: len(piece) - (len(piece) % 4 == 1)]
        try:
            content = base64.b64decode(piece + "=" * (-len(piece) % 4))
        except (binascii.Error, ValueError):
            continue
        yield _readable(content)


def _readable(content: bytes) -> str:
    """The printable parts of the bytes, each long enough to matter; decompressed, if they were compressed."""
    text = (unpacked(content) or content).decode("utf-8", "replace")
    return "\n".join(re.findall(r"[^\x00-\x08\x0e-\x1f\x7f\ufffd]{8,}", text))
