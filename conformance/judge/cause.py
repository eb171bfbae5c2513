"""The key of a cause: rule, severity, side, place without numbers, and wording.

`folding` counts repetitions in one conversation. Here, the values differ from file to file: ids, tool names, texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from conformance.model.finding import Finding, Severity, Side
from conformance.model.pointer import without_numbers

_QUOTED = re.compile(
    r'"[^"]*"'
    r"|(?<!\w)'[^']*'(?!\w)"
    r"|\(\w+\)"  # the name of a tool
    r"|\[[^\]]*\]"
)
_WORD = re.compile(r"[\w.:-]+")
_LONGEST = 400
"""The number of characters of a message that count."""
_NAMES = re.compile(
    r"(?<=call )(?!#)[\w-]{8,}"  # an id of letters only: `tool call abcdefgh has no result`
    r"|(?<=call of )[\w-]+|(?<=arguments of )[\w-]+|(?<=result of )[\w-]+|(?<=tool of )[\w-]+"
    r"|(?<=: ).*"  # the detail
)

_MANY = 10_000
"""The number of causes that are remembered; further ones get no exchange."""


class CauseKey(NamedTuple):
    """Identifies a cause. It is the same for the same fault in another run."""

    rule: str
    severity: Severity
    side: Side | None
    place: str | None
    wording: str


def cause_of(finding: Finding) -> CauseKey:
    """The cause that a finding belongs to."""
    place = None if finding.pointer is None else without_numbers(finding.pointer)
    return CauseKey(finding.rule, finding.severity, finding.side, place, wording_of(finding.message))


def wording_of(message: str) -> str:
    """A message without the values that it quotes: `tool call call_1 (get_time) has no result` without id and tool."""
    line = _QUOTED.sub("#", message[:_LONGEST].partition("\n")[0])
    return _NAMES.sub("#", _WORD.sub(_without_digits, line))


def _without_digits(found: re.Match[str]) -> str:
    """A word; one with a digit is an id, a number or a version."""
    return "#" if any(map(str.isdigit, found[0])) else found[0]


def lean(findings: Iterable[Finding], known: set[CauseKey]) -> Iterator[Finding]:
    """The findings; only the first one of a cause that is not `known` yet keeps its exchange. Adds it to `known`."""
    for finding in findings:
        if finding.traffic is None:
            yield finding
            continue
        key = cause_of(finding)
        yield replace(finding, traffic=None) if key in known or len(known) >= _MANY else finding
        if len(known) < _MANY:
            known.add(key)
