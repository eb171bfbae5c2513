"""The evidence for a verdict on a client: the lines that came, what the client had of them, and where it stopped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, get

_LINES, _LONGEST = 4, 200
_KEPT = 32 * 1024
"""How many bytes at each end of a long answer are kept."""


@dataclass(frozen=True, slots=True)
class Wire:
    """An answer as it was delivered, and as it was meant: the same, if no behaviour changed it."""

    came: bytes
    meant: bytes

    @classmethod
    def of(cls, came: bytes, meant: bytes) -> Wire:
        """An answer, of which the middle is left out if it is long."""
        same = came == meant
        came = _ends(came)
        return cls(came, came if same else _ends(meant))

    def lines(self, *words: str | None) -> tuple[str, ...]:
        """The lines that came and have one of the words in them, around it; without any, the last ones."""
        lines = _lines(self.came)
        named = [_around(line, word) for line in lines if (word := _first_in(line, words)) is not None]
        return tuple(named[:_LINES] or _shortened(lines[-_LINES:]))

    def missing(self) -> tuple[str, ...]:
        """The first lines that the client did not get, and the last one."""
        came = len(_lines(self.came))
        # The last line that came may be half of one.
        whole = self.meant.startswith(self.came) and self.came.endswith(b"\n")
        lost = _lines(self.meant)[came if whole else max(came - 1, 0) :]
        if len(lost) <= _LINES:
            return tuple(_shortened(lost))
        return (*_shortened(lost[: _LINES - 2]), f"(and {len(lost) - _LINES + 1} more lines)", _cut(lost[-1]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows that a client did something wrong without an error.

    Attributes:
        what: What it did.
        turn: The turn of the model that it did it with, from 1; None for what only its runs of tools show.
        came: Lines of the wire that it got.
        missing: Lines that it did not get, because the answer was cut or a behaviour changed it.
        had: What it had of them, as it sent that back or ran it.
        stopped: Where it stopped, or how it went on.
    """

    what: str
    turn: int | None
    came: tuple[str, ...]
    missing: tuple[str, ...]
    had: tuple[str, ...]
    stopped: str

    def as_json(self) -> dict[str, Any]:
        """The evidence as a member of the JSON report."""
        return {name: getattr(self, name) for name in ("what", "turn", "came", "missing", "had", "stopped")}


def sent_back(body: Any, pointers: Iterable[str]) -> tuple[str, ...]:
    """What a request has at these places."""
    values = [get(body, each) for each in dict.fromkeys(pointers)]
    return tuple(brief(each, _LONGEST) for each in values if each is not MISSING)[:_LINES]


def _ends(text: bytes) -> bytes:
    return text if len(text) <= 2 * _KEPT else text[:_KEPT] + b"\n[...]\n" + text[-_KEPT:]


def _lines(text: bytes) -> list[str]:
    return [line for line in text.decode("utf-8", "replace").splitlines() if line.strip()]


def _first_in(line: str, words: Sequence[str | None]) -> str | None:
    return next((word for word in words if word and word in line), None)


def _around(line: str, word: str) -> str:
    start = max(0, line.index(word) - _LONGEST // 2)
    return _cut(line if len(line) <= _LONGEST or not start else f"…{line[start:]}")


def _shortened(lines: Sequence[str]) -> list[str]:
    """Lines without the members with which long ones begin alike: in a stream, what is new comes last."""
    alike = _beginning([line for line in lines if len(line) > _LONGEST])
    start = alike.rfind(',"') + 1 if alike not in lines else 0
    return [_cut(f"…{line[start:]}" if start and line.startswith(alike) else line) for line in lines]


def _beginning(lines: Sequence[str]) -> str:
    """What all of the lines begin with."""
    pairs = enumerate(zip(*lines, strict=False))
    end = next((at for at, each in pairs if len(set(each)) > 1), min(map(len, lines), default=0))
    return lines[0][:end] if lines else ""


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
