"""Which nights to keep: all of the last days, one a week, one a month; and both ends of every change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from conformance.diff.drift.change import Change
from conformance.errors import ConformanceError

_RULE = re.compile(r"(\d+)([dwm])")


def parsed(text: str) -> dict[str, int]:
    """The numbers of days, weeks and months of a rule such as `14d,8w,12m`.

    Raises:
        ConformanceError: it is no such rule, or keeps nothing.
    """
    found = [_RULE.fullmatch(part.strip()) for part in text.split(",")]
    if not all(found):
        raise ConformanceError(f"--keep {text}: is not a rule", "write days, weeks and months, as in 14d,8w,12m")
    rule = {each[2]: int(each[1]) for each in found if each is not None}
    if not any(rule.values()):
        raise ConformanceError(f"--keep {text}: keeps no night", "write days, weeks and months, as in 14d,8w,12m")
    return rule


def superfluous(nights: Sequence[date], changes: Iterable[Change], rule: dict[str, int]) -> list[date]:
    """The nights that the rule does not keep, and that are not the first or the last of a change, nor next to it."""
    if not nights:
        return []
    kept = _by_rule(nights, rule) | _ends(nights, changes) | {nights[0], nights[-1]}
    return [night for night in nights if night not in kept]


def _by_rule(nights: Sequence[date], rule: dict[str, int]) -> set[date]:
    newest = nights[-1]
    kept = {night for night in nights if night > newest - timedelta(days=rule.get("d", 0))}
    weeks = {night.isocalendar()[:2]: night for night in reversed(nights)}
    months = {(night.year, night.month): night for night in reversed(nights)}
    kept |= set(sorted(weeks.values(), reverse=True)[: rule.get("w", 0)])
    return kept | set(sorted(months.values(), reverse=True)[: rule.get("m", 0)])


def _ends(nights: Sequence[date], changes: Iterable[Change]) -> set[date]:
    kept: set[date] = set()
    for each in changes:
        kept |= {each.before, each.first}
        if each.last is not None:
            kept.add(each.last)
            after = [night for night in nights if night > each.last]
            kept |= set(after[:1])
    return kept
