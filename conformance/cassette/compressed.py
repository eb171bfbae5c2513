"""Bytes that contain text, possibly compressed or in UTF-16: edited as text, and packed again in the same way."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable

_LARGEST = 1 << 26
_GZIP, _ZLIB = b"\x1f\x8b", (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_ZSTD = b"\x28\xb5\x2f\xfd"
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def unpacked(content: bytes) -> bytes | None:
    """The uncompressed bytes of all members; None if they are not compressed, or in an unknown way."""
    if content[:2] == _GZIP or content[:2] in _ZLIB:
        return _inflated(content, zlib.MAX_WBITS | 32)
    return None


def deflated(content: bytes) -> bytes | None:
    """The uncompressed bytes of a raw deflate stream, which has no mark; None if it is none."""
    return _inflated(content, -zlib.MAX_WBITS)


def is_sealed(content: bytes, coding: str) -> bool:
    """Whether the bytes are compressed and cannot be decompressed as a whole, so that nobody can search them."""
    coded = coding.strip().lower() not in ("", "identity")
    if content[:2] == _GZIP or (coded and content[:2] in _ZLIB):
        return unpacked(content) is None
    return content[:4] == _ZSTD or (coded and _is_binary(content) and deflated(content) is None)


def edited(content: bytes, edit: Callable[[str], str]) -> bytes:
    """The bytes with the edit made to the text in them; unchanged if there is nothing to edit, or no text."""
    inner = unpacked(content)
    if inner is not None:
        changed = edited(inner, edit)
        if changed == inner:
            return content
        return gzip.compress(changed, mtime=0) if content[:2] == _GZIP else zlib.compress(changed)
    if content[:2] in _UTF_16:
        return _edited_utf_16(content, edit)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _edited_deflate(content, edit)
    new = edit(text)
    return content if new == text else new.encode("utf-8")


def _edited_utf_16(content: bytes, edit: Callable[[str], str]) -> bytes:
    try:
        text = content[2:].decode(_UTF_16[content[:2]])
    except UnicodeDecodeError:
        return content
    new = edit(text)
    return content if new == text else content[:2] + new.encode(_UTF_16[content[:2]])


def _edited_deflate(content: bytes, edit: Callable[[str], str]) -> bytes:
    inner = deflated(content)
    if not inner or _is_binary(inner):
        return content
    changed = edited(inner, edit)
    if changed == inner:
        return content
    machine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return machine.compress(changed) + machine.flush()


def _inflated(content: bytes, window: int) -> bytes | None:
    pieces: list[bytes] = []
    left = _LARGEST
    while content:
        machine = zlib.decompressobj(window)
        try:
            inner = machine.decompress(content, left + 1)
        except zlib.error:
            return None
        left -= len(inner)
        if left < 0 or not machine.eof:
            return None
        pieces.append(inner)
        content = machine.unused_data.lstrip(b"\0")
    return b"".join(pieces)


def _is_binary(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False
