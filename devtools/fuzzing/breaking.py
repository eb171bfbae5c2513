"""How a seed is broken: its bytes, or its values where it is JSON, JSONL or an SSE stream, also inside of strings.

The choices come from the bytes that hypothesis draws, so that the same bytes break a seed in the same way.
"""

from __future__ import annotations

import json
from typing import Any

_TOKENS = (
    b'"', b"{", b"}", b"[", b"]", b"\\", b"\x00", b"\xff\xfe", b"\x1f\x8b", "\ufffd".encode(),
    b"null", b"1e999", b"-", b"9" * 4400, b"data: ", b"\n\n", b"\r", b"!!timestamp x", b"&a [*a]", b"::error::",
    b"\x1b[31m", b"<tool_call>", b"<script>", b"[" * 400, b'{"":', b"!!binary '='", b"\\ud800", b"%00", b"../" * 9,
    b"'", b"#", b": ", b"- ", b"? ", b"|\n", b"<<: *x", b"%YAML 9", b"---\n", b"\xef\xbb\xbf", b"Infinity", b"\t",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, 2**53 + 1, 10**40, "", " ", "\x00", "\ud800", "\u2028", "a" * 5000,
    "https://[", "http://\x00/", "2026-13-45", "NaN", "-0", "::error::x", "\x1b[2J", "../../x", "%zz", "[" * 200, "{",
    '{"a": 1, "a": 2}', '{"a": 1', "<tool_call>", "Action: f\nAction Input: {", [], {}, [[]], [None], [{}], {"": ""},
    {"$ref": "#"}, {"type": "object", "properties": {"a": {"$ref": "#"}}}, {"type": "tool_use"}, {"role": "tool"},
    {"jsonrpc": "2.0"}, {"functionCall": None}, {"choices": [{"delta": None}]}, ["a"] * 300,
)  # fmt: skip
_DEEPEST = 40
_DECODER = json.JSONDecoder()


class Choices:
    """The choices that drawn bytes stand for; zeros once they are used up."""

    def __init__(self, drawn: bytes) -> None:
        self._drawn = drawn
        self._at = 0

    @property
    def left(self) -> bool:
        """Whether bytes are left."""
        return self._at < len(self._drawn)

    def below(self, limit: int) -> int:
        """A number from 0 to below the limit."""
        size = 1 if limit <= 256 else 3
        piece = self._drawn[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "big") % limit if limit > 0 else 0


def broken(content: bytes, choices: Choices) -> bytes:
    """The content, broken in as many places as there are choices for."""
    for _ in range(4):
        content = _value_broken(content, choices) if choices.below(4) else _bytes_broken(content, choices)
        if not choices.left:
            break
    return content


def _bytes_broken(content: bytes, choices: Choices) -> bytes:
    kind, start = choices.below(7), choices.below(len(content) + 1)
    end = min(len(content), start + 1 + choices.below(64))
    before, piece, after = content[:start], content[start:end], content[end:]
    if kind == 0:
        return before + bytes([choices.below(256)]) + piece + after
    if kind == 1:
        return before + after
    if kind == 2:
        return before + piece * choices.below(9) + after
    if kind == 3:
        return before + bytes(each ^ (1 << choices.below(8)) for each in piece[:1]) + piece[1:] + after
    if kind == 4:
        return before or piece
    if kind == 5:
        return before + _TOKENS[choices.below(len(_TOKENS))] + after
    return before + piece[::-1] + after


def _value_broken(content: bytes, choices: Choices) -> bytes:
    """A value in the content is replaced, dropped, doubled, renamed or wrapped; its bytes, where there is no JSON."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _bytes_broken(content, choices)
    made = _text_broken(text, choices)
    return _bytes_broken(content, choices) if made is None else made.encode("utf-8", "surrogatepass")


def _text_broken(text: str, choices: Choices, depth: int = 0) -> str | None:
    """The text with a value in it broken; None if it has no JSON."""
    whole = _json(text)
    if whole is not None:
        return json.dumps(_changed(whole, choices, depth), ensure_ascii=False)
    lines = text.splitlines(keepends=True)
    there = [number for number, line in enumerate(lines) if "{" in line or "[" in line]
    if not there:
        return None
    number = there[choices.below(len(there))]
    line = lines[number]
    start = min(at for at in (line.find("{"), line.find("[")) if at >= 0)
    try:
        inner, end = _DECODER.raw_decode(line, start)
    except (ValueError, RecursionError):
        return None
    lines[number] = line[:start] + json.dumps(_changed(inner, choices, depth), ensure_ascii=False) + line[end:]
    what = choices.below(8)
    if what == 1:
        lines.insert(number, lines[choices.below(len(lines))])
    elif what == 2:
        other = choices.below(len(lines))
        lines[number], lines[other] = lines[other], lines[number]
    return "".join(lines)


def _json(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _changed(value: Any, choices: Choices, depth: int) -> Any:
    """The value with one change, somewhere inside of it."""
    if depth < _DEEPEST:
        if isinstance(value, str) and choices.below(8):
            made = _text_broken(value, choices, depth + 1)
            if made is not None:
                return made
        elif isinstance(value, (dict, list)) and value and choices.below(8):
            return _inside(value, choices, depth)
    what = choices.below(6)
    if what == 0:
        return [value]
    if what == 1:
        return {"type": value}
    if what == 2 and isinstance(value, str):
        return value[: choices.below(len(value) + 1)]
    if what == 3 and isinstance(value, (int, float)):
        return -value
    return _VALUES[choices.below(len(_VALUES))]


def _inside(value: Any, choices: Choices, depth: int) -> Any:
    """A dict or list with one member or item changed, dropped, doubled, moved or renamed."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[choices.below(len(keys))]
    other = keys[choices.below(len(keys))]
    what = choices.below(16)
    made = value.copy()
    if what == 0:
        del made[key]
    elif what == 1:
        made[key], made[other] = value[other], value[key]
    elif what == 2 and isinstance(made, list):
        made[key:key] = [value[other]] * (1 + choices.below(3))
    elif what == 2:
        made[f"{key}_"] = made.pop(key)
    elif what == 3 and isinstance(made, dict):
        made[str(_VALUES[choices.below(len(_VALUES))])] = value[key]
    elif what == 4:
        made[key] = value
    else:
        made[key] = _changed(value[key], choices, depth + 1)
    return made
