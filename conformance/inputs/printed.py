"""What programs print to their logs: lines without the colours of a terminal, and values as Python writes them."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from typing import IO, Any

from conformance.inputs import opening

_COLOR = re.compile(r"\x1b\[[\d;]*m")


def lines(stream: IO[bytes], path: str) -> Iterator[str]:
    """The lines of a log, without their ends."""
    for line in opening.lines(stream, path):
        yield _COLOR.sub("", line.decode("utf-8", "replace")).rstrip("\r\n")


def literal(text: str) -> Any:
    """The JSON value that a text spells as Python does: `{'stream': False}`. None if it does not, or only a part."""
    import ast

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(text)
        return json.loads(json.dumps(value, allow_nan=False))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def value_at(text: str) -> Any:
    """The JSON value at the begin of a text; None if there is none, or only a part."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def object_at(text: str) -> str | None:
    """The text of the JSON object at the begin of a text, as it stands there; None if there is none, or only a part."""
    try:
        value, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return text[:end] if isinstance(value, dict) else None
