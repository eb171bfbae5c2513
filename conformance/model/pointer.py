"""JSON pointers (RFC 6901), the places of findings."""

from __future__ import annotations

import re
from typing import Any

_POSITION = re.compile(r"/\d+(?=/|$)")


class Missing:
    """The type of `MISSING`: a place without a value, not even null."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = Missing()


def join(base: str, *tokens: str | int) -> str:
    """`base` followed by the tokens, each escaped: `join("/a", "b/c", 0)` is `/a/b~1c/0`."""
    for token in tokens:
        text = str(token)
        if "~" in text or "/" in text:
            text = text.replace("~", "~0").replace("/", "~1")
        base = f"{base}/{text}"
    return base


def split(pointer: str) -> list[str]:
    """The unescaped tokens of a pointer that is empty or starts with `/`."""
    if not pointer:
        return []
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/")]


def get(document: Any, pointer: str) -> Any:
    """The value at the pointer, or `MISSING`."""
    for token in split(pointer):
        if isinstance(document, dict):
            document = document.get(token, MISSING)
        elif isinstance(document, list) and token.isdecimal() and int(token) < len(document):
            document = document[int(token)]
        else:
            return MISSING
    return document


def without_numbers(pointer: str) -> str:
    """The pointer with `*` for every position in an array: `/messages/*/content` for `/messages/3/content`."""
    return _POSITION.sub("/*", pointer)


def item_of(pointer: str | None, key: str) -> int | None:
    """The number of the item that a place lies in, by the key of the array; None where it lies elsewhere."""
    if pointer is None or not pointer.startswith(f"/{key}/"):
        return None
    number = pointer[len(key) + 2 :].partition("/")[0]
    return int(number) if number.isdecimal() else None
