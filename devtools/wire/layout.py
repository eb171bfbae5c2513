"""JSON text that can be read and compared line by line: a value that fits on one line is written on one."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 120


def laid_out(value: Any, indent: int = 0, *, used: int = 0) -> str:
    """The value as JSON text; `used` is how much of the first line is already filled."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent + used < _WIDTH or not value or not isinstance(value, (dict, list)):
        return line
    inner = indent + 2
    if isinstance(value, list):
        parts = [laid_out(each, inner) for each in value]
        opening, closing = "[", "]"
    else:
        heads = {key: f"{json.dumps(key, ensure_ascii=False)}: " for key in value}
        parts = [heads[key] + laid_out(each, inner, used=len(heads[key])) for key, each in value.items()]
        opening, closing = "{", "}"
    separator = ",\n" + " " * inner
    return f"{opening}\n{' ' * inner}{separator.join(parts)}\n{' ' * indent}{closing}"
