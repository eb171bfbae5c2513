"""Values of foreign JSON by the type that a reader expects: readers never raise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import join


def text_of(value: Any) -> str | None:
    """The value if it is a string, None otherwise."""
    return value if isinstance(value, str) else None


def list_of(value: Any) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def get(value: Any, *keys: str) -> Any:
    """The value below some keys, None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def objects_in(holder: Any, key: str, pointer: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    """The objects in the array under a key, each with its pointer; `pointer` is that of the holder."""
    found = holder.get(key) if isinstance(holder, dict) else None
    if found and isinstance(found, list):
        at = join(pointer, key)
        for number, each in enumerate(found):
            if isinstance(each, dict):
                yield each, f"{at}/{number}"
