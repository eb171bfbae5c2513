"""Bytes that contain text, possibly compressed: edited as text, and compressed again in the same way."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

_LARGEST = 1 << 26
_GZIP, _ZLIB = b"\x1f\x8b", (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def unpacked(content: bytes) -> bytes | None:
    """The uncompressed bytes; None if they are not compressed, or in an unknown way."""
    if content[:2] != _GZIP and content[:2] not in _ZLIB:
        return None
    try:
        machine = zlib.decompressobj(zlib.MAX_WBITS | 32)
        inner = machine.decompress(content, _LARGEST)
    except zlib.error:
        return None
    return inner if machine.eof else None


def edited(content: bytes, edit: Callable[[str], str]) -> bytes:
    """The bytes with the edit made to the text in them; unchanged if there is nothing to edit, or no text."""
    inner = unpacked(content)
    if inner is not None:
        changed = edited(inner, edit)
        if changed == inner:
            return content
        return gzip.compress(changed, mtime=0) if content[:2] == _GZIP else zlib.compress(changed)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    new = edit(text)
    return content if new == text else new.encode("utf-8")
