"""The sums at the end of a report, in words."""

from __future__ import annotations

from conformance.judge.summary import Summary
from conformance.model.exchange import Lack
from conformance.model.printable import count, few, visible


def verdict(summary: Summary) -> str:
    """One sentence with what was judged and the result. If nothing was judged, it begins with that."""
    seen = f"{count(summary.exchanges, 'exchange')} in {count(summary.conversations, 'conversation')}"
    if summary.profiles:
        seen = f"{count(summary.tools, 'tool')} at {count(summary.profiles, 'profile')}"
    found = ", ".join(
        count(number, noun)
        for number, noun in ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
    )
    rest = []
    if summary.unclaimed:
        rest.append(f"{summary.unclaimed} skipped (no known dialect)")
    if summary.model:
        rest.append(f"of the infos, {summary.model} about the model's answers")
    if summary.expected:
        rest.append(f"{count(summary.expected, 'expected finding')} not shown")
    if summary.not_exercised:
        why = "; ".join(sorted(summary.not_exercised_because))
        rest.append(f"{summary.not_exercised} not exercised{why and f' ({why})'}")
    if summary.files.not_read:
        rest.append(f"{count(summary.files.not_read, 'file')} not read")
    if summary.not_offered:
        rest.append(f"{count(sum(map(len, summary.not_offered.values())), 'cell')} not offered")
    cells = _cells_not_judged(summary)
    if cells:
        rest.append(f"{count(cells, 'cell')} not judged")
    if summary.harness_errors:
        rest.append(f"{count(len(summary.harness_errors), 'internal error')} (not counted against the target)")
    text = "; ".join([f"{seen}: {found}", *rest])
    return text if summary.why_nothing() is None else f"nothing was judged: {text}"


_SHOWN = 5
"""How many omissions a line names."""
_NAMES: dict[Lack, str] = {
    "request": "requests",
    "response": "responses",
    "url": "URLs",
    "headers": "HTTP headers",
    "status": "HTTP status",
    "members": "bodies as they were sent",
    "conversation": "which of them belong together, which --group-by repeats can find",
}


def _cells_not_judged(summary: Summary) -> int:
    return sum(number for each, number in summary.omitted.items() if each.kind == "cell")


def notices(summary: Summary) -> list[str]:
    """What was not read and not judged, a line for each kind; every report has these lines."""
    found = [str(summary.files)] if summary.files.not_read else []
    totals = {"exchange": summary.exchanges, "cell": summary.cells + _cells_not_judged(summary)}
    for kind, total in totals.items():
        omitted = {each: number for each, number in summary.omitted.items() if each.kind == kind}
        if omitted:
            number = sum(omitted.values())
            named = ", ".join(map(str, list(omitted)[:_SHOWN])) + (", …" if len(omitted) > _SHOWN else "")
            found.append(f"{number} of {count(total, kind)} {'was' if number == 1 else 'were'} not judged: {named}")
    return [visible(each) for each in found]


def remarks(summary: Summary) -> list[str]:
    """Which parts of what was judged could not be: worth a line, but no reason to doubt the verdict."""
    lacking = not_recorded(summary)
    places = [
        f"{count(number, 'place')} {'was' if number == 1 else 'were'} not judged: {visible(reason)}"
        for reason, number in sorted(summary.not_exercised_because.items())
    ]
    offers = [
        f"not offered, and so neither a success nor a fault: {visible(what)} ({visible(few(cells, _SHOWN))})"
        for what, cells in summary.not_offered.items()
    ]
    return [*offers, *([lacking] if lacking else []), *places]


def notices_and_reason(summary: Summary) -> list[str]:
    """All of that, and why nothing was judged if nothing was: for formats without a severity for it."""
    nothing = summary.why_nothing()
    return [*remarks(summary), *notices(summary), *([] if nothing is None else [visible(str(nothing))])]


def not_recorded(summary: Summary) -> str | None:
    """What the recordings do not contain, and what therefore was not judged; None where nothing is lacking."""
    lacking = [
        f"{name} ({count(summary.not_recorded[lack], 'exchange')})"
        for lack, name in _NAMES.items()
        if summary.not_recorded.get(lack, 0) > (lack == "conversation")  # one exchange has none to belong to
    ]
    return f"not judged, because the recordings do not contain it: {', '.join(lacking)}" if lacking else None
