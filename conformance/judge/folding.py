"""Folds repetitions: one cause is one finding, and repetitions are counted at the first.

Two things are reported once: a fault at places of one exchange that differ only in their numbers (a field that every
event lacks, a description that every tool lacks), and a fault that a request repeats unchanged from an earlier request
of its conversation. A finding that another one of the same exchange explains names that rule in `because`
(`explaining`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from conformance.judge.explaining import explained
from conformance.judge.view import View
from conformance.model.finding import Finding
from conformance.model.jsontext import same
from conformance.model.pointer import get, join, split, without_numbers

_VALUE = re.compile(r'"[^"]*"|\d+')

_KEPT = 0.9
"""The length of the common beginning from which a longer text counts as the same text, extended."""

_Key = tuple[object, ...]


class Folding:
    """The findings of one conversation so far."""

    def __init__(self) -> None:
        self._reported: dict[_Key, list[tuple[Any, Finding]]] = {}

    def fold(self, findings: Iterable[Finding], view: View) -> list[Finding]:
        """The new findings of one exchange; the others are counted with the earlier ones."""
        found: dict[_Key, Finding] = {}
        for finding in findings:
            if finding.side == "request":
                about, item = _key_with_place(finding), _item(view.request, finding.pointer)
                reported = self._reported.setdefault(about, [])
                before = next((earlier for value, earlier in reported if _repeated(value, item)), None)
                if before is not None:
                    before.tally.again(None)
                    continue
            first = found.setdefault(_alike(finding), finding)
            if first is not finding:
                first.tally.again(finding.pointer)
            if finding.side == "request":
                reported.append((item, first))
        return list(explained(list(found.values())))


def shape_of(message: str) -> str:
    """A message without quoted values and numbers, so that messages about the same thing are equal."""
    return _VALUE.sub("#", message)


def _alike(finding: Finding) -> _Key:
    """The key of a cause within one exchange."""
    return (
        finding.rule,
        finding.severity,
        finding.side,
        without_numbers(finding.pointer or ""),
        shape_of(finding.message),
    )


def _key_with_place(finding: Finding) -> _Key:
    """The key of a finding about a request, with its place."""
    return finding.dialect, finding.rule, finding.severity, finding.pointer, finding.message, finding.actual


def _item(request: Any, pointer: str | None) -> Any:
    """The message, the tool or the setting of a request that contains a place; None for its headers and address."""
    if pointer is None or not pointer.startswith("/"):
        return None
    tokens = split(pointer)
    return get(request, join("", *tokens[: 2 if tokens[1:2] and tokens[1].isdecimal() else 1]))


def _repeated(before: Any, now: Any) -> bool:
    """Whether a part of a request is also in a later one.

    A prompt that is one text grows at its end, where the next turn replaces the text that prompts for it.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        return before.keys() == now.keys() and all(_repeated(before[key], now[key]) for key in before)
    if isinstance(before, str) and isinstance(now, str):
        return now.startswith(before[: int(len(before) * _KEPT)])
    return before is now or bool(same(before, now))
