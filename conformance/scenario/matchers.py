"""Values that a scenario expects: exactly this, about this number, or one of these."""

from __future__ import annotations

from typing import Any

from conformance.model import jsontext


def fits(value: Any, wanted: Any) -> bool:
    """Whether a JSON value is what a scenario expects: `{about, within}`, `{one_of}`, or the value itself."""
    if isinstance(wanted, dict) and "about" in wanted:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return is_number and abs(value - wanted["about"]) <= wanted["within"]
    if isinstance(wanted, dict) and "one_of" in wanted:
        return any(jsontext.same(value, each) for each in wanted["one_of"])
    return jsontext.same(value, wanted)


def describe(wanted: Any) -> str:
    """What is wanted, for a message."""
    if isinstance(wanted, dict) and "about" in wanted:
        return f"{wanted['about']} ± {wanted['within']}"
    if isinstance(wanted, dict) and "one_of" in wanted:
        return f"one of {jsontext.brief(wanted['one_of'])}"
    return jsontext.brief(wanted)
