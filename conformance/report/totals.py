"""The sums at the end of a report, in words."""

from __future__ import annotations

from conformance.judge.checker import Summary
from conformance.model.exchange import Lack
from conformance.model.printable import count


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
    if summary.not_exercised:
        why = "; ".join(sorted(summary.not_exercised_because))
        rest.append(f"{summary.not_exercised} not exercised{why and f' ({why})'}")
    if summary.harness_errors:
        rest.append(f"{count(len(summary.harness_errors), 'internal error')} (not counted against the target)")
    text = "; ".join([f"{seen}: {found}", *rest])
    nothing = summary.exchanges == summary.unclaimed and not summary.tools
    return f"nothing was judged: {text}" if nothing else text


_NAMES: dict[Lack, str] = {
    "request": "requests",
    "response": "responses",
    "headers": "HTTP headers",
    "status": "HTTP status",
    "members": "bodies as they were sent",
}


def not_judged(summary: Summary) -> str | None:
    """What the recordings do not contain, and what therefore was not judged; None where nothing is lacking."""
    if not summary.not_recorded:
        return None
    lacking = (
        f"{name} ({count(summary.not_recorded[lack], 'exchange')})"
        for lack, name in _NAMES.items()
        if lack in summary.not_recorded
    )
    return f"not judged, because the recordings do not contain it: {', '.join(lacking)}"
