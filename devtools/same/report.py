"""A comparison as text: first what fails, by rule, then what is only listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from devtools.same.compare import Change, Comparison, Count, Found, Place

PLACES = 3
"""How many places of a rule are shown."""
LISTED = 10
"""How many entries are shown of a list that does not fail."""
_ROOM = 100


def lines(result: Comparison) -> Iterator[str]:
    """All that makes the comparison fail; nothing where nothing does."""
    yield from _findings("vanished", result.vanished, result)
    yield from _findings("appeared", result.appeared, result)
    if result.severities:
        yield f"changed severity: {_counted(result.severities.total(), 'finding')}"
        steps: dict[str, Counter[Found]] = {}
        for (each, severity), count in result.severities.items():
            steps.setdefault(f"{each.rule}, {each.severity} before, {severity} now", Counter())[each] += count
        yield from _by_size(steps)
    if result.harness_errors:
        yield f"harness errors that differ: {len(result.harness_errors):,}"
        yield from _few([f"  {_pair(pair)}: {text}" for text, pair in result.harness_errors.items()])
    yield from _counts(result.counts)


def _findings(title: str, found: Counter[Found], result: Comparison) -> Iterator[str]:
    if not found:
        return
    rules: dict[str, Counter[Found]] = {}
    for each, count in found.items():
        rules.setdefault(each.rule, Counter())[each] += count
    yield f"{title}: {_counted(found.total(), 'finding')} of {_counted(len(rules), 'rule')}"
    yield from _by_size({_titled(rule, every, title, result): every for rule, every in rules.items()})


def _titled(rule: str, found: Counter[Found], title: str, result: Comparison) -> str:
    """The rule with its severities; for one that vanished, also the one that appeared wherever it did."""
    severities = ", ".join(sorted({each.severity for each in found}))
    other = _successor(found, result.appeared) if title == "vanished" else None
    return f"{rule} ({severities})" + (f"; {other} appeared at the same places: renamed?" if other else "")


def _successor(vanished: Counter[Found], appeared: Counter[Found]) -> str | None:
    due = Counter(each.place for each in vanished.elements())
    places: dict[str, Counter[Place]] = {}
    for each in appeared.elements():
        places.setdefault(each.rule, Counter())[each.place] += 1
    return next((rule for rule, there in places.items() if due <= there), None)


def _by_size(groups: Mapping[str, Counter[Found]]) -> Iterator[str]:
    """Each group with its number and its first places, the largest first."""
    for name, found in sorted(groups.items(), key=lambda each: (-each[1].total(), each[0])):
        yield f"  {found.total():5} {name}"
        yield from (f"          {_at(each.place)}{_times(count)}" for each, count in islice(found.items(), PLACES))
        if len(found) > PLACES:
            yield f"          … and {len(found) - PLACES:,} more"


def _at(place: Place) -> str:
    where = " ".join(filter(None, (place.side, place.pointer)))
    return ", ".join(filter(None, (place.source, f"exchange {place.exchange}", where)))


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""


def _counts(counts: Mapping[Count, tuple[int, int]]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Count]] = {}
    for count in counts:
        groups.setdefault((count.part, count.what), []).append(count)
    for (part, what), members in groups.items():
        was, now = (sum(counts[each][side] for each in members) for side in (0, 1))
        yield f"{part}: {what.replace('_', ' ')}, {_pair((was, now))}"
        yield from _few([f"  {_pair(counts[each])}: {each.source}" for each in members])


def _pair(numbers: tuple[int, int]) -> str:
    return f"{numbers[0]:,} before, {numbers[1]:,} now"


def _few(every: Sequence[str]) -> Iterator[str]:
    yield from every[:PLACES]
    if len(every) > PLACES:
        yield f"  … and {len(every) - PLACES:,} more"


def details(changes: Mapping[str, Counter[Change]]) -> Iterator[str]:
    """What reads differently, which fails nothing: by field and rule, each with a sample."""
    for name, counted in changes.items():
        rules: dict[str, Counter[Change]] = {}
        for change, count in counted.items():
            rules.setdefault(change.rule, Counter())[change] += count
        if rules:
            yield f"{name}: {_counted(counted.total(), 'finding')} of {_counted(len(rules), 'rule')} changed"
        ordered = sorted(rules.items(), key=lambda each: (-each[1].total(), each[0]))
        for rule, every in ordered[:LISTED]:
            sample = next(iter(every))
            yield f"  {every.total():5} {rule}"
            yield f"          - {_short(sample.old)}"
            yield f"          + {_short(sample.new)}"
        if len(ordered) > LISTED:
            yield f"        … and {_counted(len(ordered) - LISTED, 'rule')} more"


def listed(differences: Iterable[tuple[str, Sequence[str]]]) -> Iterator[str]:
    """Lists of names, those that are empty left out."""
    for title, names in differences:
        if names:
            more = f", … and {len(names) - LISTED} more" if len(names) > LISTED else ""
            yield f"{title}: {len(names)} ({', '.join(names[:LISTED])}{more})"


def _short(text: str | None) -> str:
    flat = " ".join((text or "(none)").split())
    return flat if len(flat) <= _ROOM else f"{flat[: _ROOM - 1]}…"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
