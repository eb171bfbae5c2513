"""The spellings of Gemini's wire: protobuf JSON, where a request may use camelCase or snake_case.

Readers use `get` and `each`, which handle both spellings; a pointer always names the key in the spelling of the
wire. Replies are camelCase, and the same functions read them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from conformance.model.pointer import MISSING

_GENERATION = re.compile(r"gemini-(\d+)(?:\.(\d+))?")
_NAMES = 4096
"""How many names of members are remembered in their other spelling."""


def generation(model: Any) -> float | None:
    """The generation in a model's name (`2.5`, `3.0`); None for an alias such as `gemini-flash-latest`."""
    found = _GENERATION.search(model) if isinstance(model, str) else None
    return float(f"{found[1]}.{found[2] or 0}") if found else None


@lru_cache(maxsize=_NAMES)
def snake(name: str) -> str:
    """The other spelling of a camelCase name: `functionCall` is `function_call`."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


@lru_cache(maxsize=_NAMES)
def camel(name: str) -> str:
    """The camelCase spelling of a name in either: `function_call` is `functionCall`."""
    return re.sub(r"(?<=[a-z0-9])_([a-z0-9])", lambda found: found[1].upper(), name)


def key(holder: Any, name: str) -> str:
    """The key under which the holder has the field: camelCase unless only snake_case is there."""
    if not isinstance(holder, dict) or name in holder:
        return name
    other = snake(name)
    return other if other in holder else name


def get(holder: Any, name: str) -> Any:
    """The field's value in either spelling, or `MISSING`; a holder that is not an object has no fields."""
    if not isinstance(holder, dict):
        return MISSING
    value = holder.get(name, MISSING)
    return holder.get(snake(name), MISSING) if value is MISSING else value


def at(holder: Any, name: str, pointer: str) -> str:
    """The pointer of a field, in the spelling that the wire has."""
    return f"{pointer}/{key(holder, name)}"


def each(holder: Any, name: str, pointer: str) -> Iterator[tuple[Any, str]]:
    """The entries of a repeated field, each with its pointer.

    Google's parser reads a single object as a list of one (recorded for `tools` and for `parts`), and so does this.
    """
    value = get(holder, name)
    if isinstance(value, list):
        where = at(holder, name, pointer)
        for number, entry in enumerate(value):
            yield entry, f"{where}/{number}"
    elif isinstance(value, dict):
        yield value, at(holder, name, pointer)


def whole(value: Any) -> int | None:
    """The value if it is a whole number, None otherwise (true is not 1)."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def signature_bytes(signature: str | None) -> bytes | None:
    """The normal form of a thought signature: base64 and base64url, padded or not, are equal.

    Other text is kept unchanged.
    """
    if signature is None:
        return None
    plain = signature.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        return signature.encode("utf-8", "replace")


def contents(body: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The contents of a request that are objects, each with its pointer."""
    for content, pointer in each(body, "contents", ""):
        if isinstance(content, dict):
            yield content, pointer


def parts(content: Any, pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The parts of a content that are objects, each with its pointer."""
    for part, where in each(content, "parts", pointer):
        if isinstance(part, dict):
            yield part, where


def candidates(reply: Any, pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The candidates of a reply or of a chunk that are objects, each with its pointer."""
    for candidate, where in each(reply, "candidates", pointer):
        if isinstance(candidate, dict):
            yield candidate, where


def candidate_parts(candidate: dict[str, Any], pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The parts of a candidate, each with its pointer."""
    yield from parts(get(candidate, "content"), at(candidate, "content", pointer))


def declarations(body: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The function declarations of a request that are objects, over all its tools, each with its pointer."""
    for tool, where in each(body, "tools", ""):
        for declaration, pointer in each(tool, "functionDeclarations", where):
            if isinstance(declaration, dict):
                yield declaration, pointer
